"""Why and why not, and pictures of states."""

import copy
import xml.dom.minidom

import pytest

import flux


def test_a_proof_rests_on_the_state(sample):
    state = sample("tic_tac_toe").initial
    proof = state.why("(legal xplayer (mark 1 1))")
    assert proof.because == "rule" and proof.rule.startswith("legal(P, mark(X, Y)) :-")
    assert {part.goal for part in proof.parts} == {"(true (cell 1 1 b))", "(true (control xplayer))"}
    assert all(part.because == "state" for part in proof.parts)
    assert state.why_not("(legal xplayer (mark 1 1))") is None


def test_what_does_not_hold_fails_somewhere(sample):
    state = sample("tic_tac_toe").initial
    assert state.why("terminal") is None
    failed = state.why_not("terminal")
    assert len(failed) >= 2 and all(rule.line and rule.condition for rule in failed)


def test_moves_are_what_next_is_about(sample):
    state = sample("tic_tac_toe").initial
    assert state.why("(next (cell 2 2 x))") is None
    for moves in ["(mark 2 2)", ["(mark 2 2)", "noop"], {"xplayer": "(mark 2 2)", "oplayer": "noop"}]:
        assert "(does xplayer (mark 2 2))" in str(state.why("(next (cell 2 2 x))", moves))


def test_what_is_no_question_is_refused(sample):
    state = sample("tic_tac_toe").initial
    with pytest.raises(flux.MoveError):
        state.why("(legal xplayer")
    with pytest.raises(flux.MoveError):
        state.why("(next (cell 1 1 x))", ["(mark 1 1)"])


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "hanoi", "eight_puzzle", "nim", "blocks_world"])
def test_states_are_pictures(sample, name):
    game = sample(name)
    state = game.initial
    for _ in range(4):
        svg = xml.dom.minidom.parseString(state.svg()).documentElement
        assert svg.tagName == "svg" and svg.getElementsByTagName("text")
        assert not svg.getElementsByTagName("style")
        state = state.apply([moves[0] for moves in state.legal().values()])
    assert state._repr_svg_() == state.svg()


def test_a_board_has_a_cell_for_each_square(sample):
    state = sample("tic_tac_toe").initial.apply("(mark 2 2)")
    svg = xml.dom.minidom.parseString(state.svg()).documentElement
    texts = [node.firstChild.data for node in svg.getElementsByTagName("text") if node.firstChild]
    assert texts.count("b") == 8 and texts.count("x") == 1 and "(control oplayer)" in texts


def test_a_state_is_its_own_copy(sample):
    state = sample("tic_tac_toe").initial
    assert copy.copy(state) is state and copy.deepcopy([state])[0] is state
