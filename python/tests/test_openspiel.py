"""Games of OpenSpiel, held against the tests that it comes with."""

import random
import unittest

import pytest

import flux
from conftest import SAMPLES

pyspiel = pytest.importorskip("pyspiel", reason="pip install './python[learning]'")

from open_spiel.integration_tests import api_test  # noqa: E402
from open_spiel.python.algorithms import generate_playthrough, minimax  # noqa: E402

from flux.openspiel import load, register  # noqa: E402

GAMES = ["tic_tac_toe", "nim", "roshambo", "joint_tic_tac_toe", "blocks_world", "hanoi"]


@pytest.fixture(scope="module", params=GAMES)
def game(request):
    return load(SAMPLES / f"{request.param}.gdl")


def test_simulations_of_openspiel_pass(game):
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


def test_the_tests_of_openspiel_pass(game):
    name = game.get_type().short_name
    own = {"game": game, "game_name": name}
    case = type(f"Test_{name}", (api_test.EnforceAPIOnPartialTreeBase,), own)
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(case))
    assert result.testsRun >= 4 and result.wasSuccessful()


def test_a_playthrough_is_written_and_repeated(game):
    name = game.get_type().short_name
    text = generate_playthrough.playthrough(name, action_sequence=None, seed=1)
    assert f'GameType.short_name = "{name}"' in text
    assert text == generate_playthrough.playthrough(name, action_sequence=None, seed=1)


def test_states_are_those_of_the_game():
    game = load(SAMPLES / "connect_four.gdl", name="another_connect_four")
    choose = random.Random(3)
    for _ in range(3):
        state, own = game.new_initial_state(), flux.load(SAMPLES / "connect_four.gdl").initial
        while not state.is_terminal():
            player = state.current_player()
            legal = [state.action_to_string(player, action) for action in state.legal_actions()]
            assert sorted(own.legal()[own.game.roles[player]]) == sorted(legal)
            action = choose.choice(state.legal_actions())
            own = own.apply(state.action_to_string(player, action))
            state.apply_action(action)
            assert sum(state.observation_tensor(0)) == len(own.fluents)
        assert own.terminal
        assert state.returns() == [value / 50 - 1 for value in own.goals().values()]


def test_algorithms_of_openspiel_find_what_flux_finds():
    game = load(SAMPLES / "tic_tac_toe.gdl", name="solved_tic_tac_toe")
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    state = game.new_initial_state()
    for move in ["(mark 1 1)", "(mark 1 2)", "(mark 2 1)"]:
        state.apply_action(state.string_to_action(move))
    value, _ = minimax.alpha_beta_search(game, state=state, maximizing_player_id=0)
    # After (mark 1 2) the first player wins.
    assert value == 1.0


def test_games_without_an_end_are_cut():
    endless = flux.loads(
        "(role r) (init (a)) (legal r stay) (legal r go) (<= (next (a)) (true (a)))"
        "(<= terminal (not (true (a)))) (goal r 100)"
    )
    name = register(endless, name="endless", max_length=7)
    state = pyspiel.load_game(name).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.move_number() == 7 and state.returns() == [0.0]
