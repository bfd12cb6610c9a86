"""Games, states, and what can be asked of them."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import flux
from conftest import SAMPLES

def slow():
    """A game whose playouts take their time."""
    return flux.load(SAMPLES / "connect_four.gdl", engine="tabled")


def test_a_game_knows_its_roles_moves_and_fluents(sample):
    game = sample("tic_tac_toe")
    assert game.name == "tic_tac_toe"
    assert game.roles == ["xplayer", "oplayer"]
    assert game.engine == "circuit"
    assert len(game.fluents) == 29 and "(cell 2 2 b)" in game.fluents
    assert len(game.moves["xplayer"]) == 10 and "noop" in game.moves["oplayer"]
    assert game.warnings == []


def test_states_are_values(sample):
    start = sample("tic_tac_toe").initial
    first = start.apply({"xplayer": "(mark 1 1)", "oplayer": "noop"})
    # Another order of moves leads to the same state.
    one = first.apply(["noop", "(mark 2 2)"]).apply("(mark 3 3)")
    other = start.apply("(mark 3 3)").apply("(mark 2 2)").apply("(mark 1 1)")
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    assert one != start and start.fluents != one.fluents
    assert "(cell 1 1 x)" in one and "(cell 1 1 b)" not in one
    assert "(cell 1 1 x)" in repr(one)
    assert one.game is start.game
    assert (one == 1) is False
    with pytest.raises(AttributeError):
        one.terminal = True


def test_states_of_other_readings_are_others(sample):
    assert sample("nim").initial != sample("nim").initial


def test_a_game_is_played_to_its_end(sample):
    state = sample("tic_tac_toe").initial
    for mv in ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"]:
        assert not state.terminal
        state = state.apply(mv)
    assert state.terminal
    assert state.goals() == {"xplayer": 100, "oplayer": 0}
    assert state.query("(true (cell 1 ?y x))") == [{"y": "1"}, {"y": "2"}, {"y": "3"}]


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("(mark 9 9)", "not legal"),
        ("(((", "not a move"),
        (["(mark 1 1)"], "1 moves for 2 roles"),
        ({"xplayer": "(mark 1 1)"}, "a move of oplayer is missing"),
        ({"nobody": "noop"}, "no role 'nobody'"),
    ],
)
def test_moves_that_are_none_are_refused(sample, moves, message):
    with pytest.raises(flux.MoveError, match=message.replace("(", r"\(")):
        sample("tic_tac_toe").initial.apply(moves)


def test_other_arguments_that_are_none_are_refused(sample):
    game = sample("tic_tac_toe")
    with pytest.raises(TypeError):
        game.initial.apply(7)
    with pytest.raises(flux.MoveError, match="no role"):
        game.initial.legal("nobody")
    with pytest.raises(flux.MoveError, match="not a condition"):
        game.initial.query("((")
    with pytest.raises(ValueError, match="one of"):
        game.translate("klingon")
    with pytest.raises(ValueError, match="engine"):
        flux.loads("(role r)", engine="steam")
    with pytest.raises(ValueError, match="seconds"):
        game.playouts(1, seconds=-1)
    with pytest.raises(FileNotFoundError):
        flux.load("nowhere.kif")


def test_one_move_is_not_enough_where_several_choose(sample):
    start = sample("roshambo").initial
    role = start.game.roles[0]
    with pytest.raises(flux.MoveError, match="choose here"):
        start.apply(start.legal(role)[0])


def test_faults_of_rules_have_places():
    text = "(role robot) (init (at 1)) (legal robot go) (goal robot 0)\n(<= terminal (true (at ?x)) (distinct ?y a))"
    with pytest.raises(flux.RuleError) as caught:
        flux.loads(text, name="walk")
    assert str(caught.value).startswith("walk:2:")
    first = next(one for one in caught.value.diagnostics if one.severity == "error")
    assert first.line == 2 and first.code.startswith("G")
    assert flux.check(text) == caught.value.diagnostics
    assert isinstance(caught.value, ValueError)


def test_playouts_are_arrays(sample):
    game = sample("tic_tac_toe")
    playouts = game.playouts(2000, seed=7)
    assert len(playouts) == 2000 and playouts.finished.all()
    assert playouts.lengths.min() >= 5 and playouts.lengths.max() <= 9
    assert playouts.goals.shape == (2000, 2)
    assert (playouts.goals.sum(axis=1) == 100).all()
    assert playouts.mean()["xplayer"] > playouts.mean()["oplayer"]
    again = game.playouts(2000, seed=7)
    assert np.array_equal(playouts.lengths, again.lengths)
    assert not np.array_equal(playouts.lengths, game.playouts(2000, seed=8).lengths)
    with pytest.raises(flux.LimitError, match="too many"):
        game.playouts(10**12)


def test_engines_agree_on_the_distribution_of_playouts():
    means = [
        flux.load(SAMPLES / "nim.gdl", engine=engine).playouts(3000, seed=1).lengths.mean()
        for engine in ("circuit", "tabled", "fluent")
    ]
    assert max(means) - min(means) < 0.2


def test_a_game_is_analysed_translated_and_drawn(sample):
    game = sample("incredible")
    assert len(game.analyze()["subgames"]) == 3
    assert "Poss" in game.translate()
    assert "role(robot)." in game.translate("infix")
    assert "does(R,M,T)" in game.translate("asp", horizon=3)
    assert "state_update" in game.translate("flux")
    assert game._repr_svg_().startswith("<svg") and "</svg>" in game.svg("effects")


def test_games_are_solved(sample):
    plan = sample("hanoi").solve()
    assert (plan.value, plan.optimal, plan.stopped) == (100, True, None)
    state = sample("hanoi").initial
    for mv in plan.moves:
        state = state.apply(mv)
    assert state.terminal and list(state.goals().values()) == [100]
    values = sample("tic_tac_toe").solve()
    assert values.proved and values.bounds == {"xplayer": (50, 50), "oplayer": (50, 50)}
    assert len(values.line) == 9


def test_properties_are_proved_and_refuted(sample):
    game = sample("tic_tac_toe")
    finding = game.prove("terminates")
    assert (finding.verdict, finding.bound) == ("proved", 9)
    refuted = game.prove("(always (not (true (cell 1 1 x))))")
    assert refuted.verdict == "refuted" and refuted.witness[0]["xplayer"] == "(mark 1 1)"
    with pytest.raises(flux.MoveError):
        game.prove("nonsense")


@pytest.mark.parametrize("engine", ["tabled", "circuit"])
def test_a_time_limit_ends_long_work(engine):
    game = flux.load(SAMPLES / "connect_four.gdl", engine=engine)
    start = time.monotonic()
    with pytest.raises(flux.LimitError, match="time limit"):
        game.playouts(40_000_000, seconds=0.2)
    assert time.monotonic() - start < 20
    # The game is as good as before.
    assert len(game.initial.legal("red")) == 7
    assert game.playouts(10).finished.all()


def test_a_search_gives_what_it_has_found(sample):
    values = sample("connect_four").solve(seconds=0.5)
    assert not values.proved and values.stopped == "time limit reached"


def test_ctrl_c_ends_long_work():
    game = slow()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    # Programs that a shell runs in the background are started with the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            game.playouts(40_000_000)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - start < 20
    assert not game.initial.terminal


def test_other_threads_run_during_long_work():
    game = slow()
    counted = 0

    def work():
        with pytest.raises(flux.LimitError):
            game.playouts(40_000_000, seconds=0.5)

    worker = threading.Thread(target=work)
    worker.start()
    while worker.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 20
