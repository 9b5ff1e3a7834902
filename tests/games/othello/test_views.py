"""What evaluation, network and picture make of an Othello position."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hansu
from hansu.games.othello import draw, evaluate, rules
from hansu.kernel import JIT
from tests.games.othello.slow_board import boards

GAME = hansu.game("othello")
SYMMETRIES = GAME.features.symmetries


def test_the_game_keeps_the_laws():
    hansu.check_game(GAME, games=5 if JIT else 1)


def turned(text, symmetry):
    """A board turned or mirrored."""
    return "".join(text[cell] for cell in symmetry.cells) + text[64:]


@given(boards, st.sampled_from(SYMMETRIES))
def test_a_turned_board_has_the_turned_moves_planes_and_the_same_value(text, symmetry):
    state, other = GAME.parse(text), GAME.parse(turned(text, symmetry))
    legal = np.zeros(65, bool)
    legal[state.legal_moves] = True
    assert np.flatnonzero(legal[symmetry.actions]).tolist() == other.legal_moves
    planes = GAME.features.planes(state)
    assert np.array_equal(
        planes.reshape(3, -1)[:, symmetry.cells].reshape(planes.shape),
        GAME.features.planes(other),
    )
    assert judge(text) == pytest.approx(judge(other.text()))


def test_there_are_eight_symmetries():
    assert len({tuple(symmetry.cells) for symmetry in SYMMETRIES}) == 8


def test_the_planes_show_my_discs_theirs_and_where_i_may_play():
    state = GAME.parse("f5")
    mine, theirs, playable = GAME.features.planes(state)
    assert np.flatnonzero(mine).tolist() == [27]
    assert np.flatnonzero(theirs).tolist() == [28, 35, 36, 37]
    assert np.flatnonzero(playable).tolist() == state.legal_moves


def judge(text):
    return GAME.evaluator.eval(GAME.parse(text), hansu.BLACK)


@given(boards)
def test_swapping_the_colours_swaps_the_values(text):
    swapped = text.translate(str.maketrans("XO", "OX"))
    assert judge(text) == pytest.approx(1.0 - judge(swapped))


def test_the_start_is_even():
    assert judge("") == 0.5


def test_a_corner_is_good_and_the_square_before_an_empty_one_bad():
    board = "-" * 27 + "OX------XO" + "-" * 27 + " X"
    corner, before = "X" + board[1:], board[:9] + "X" + board[10:]
    assert judge(corner) > judge(board) > judge(before)


def test_the_same_lead_in_discs_is_bad_early_and_good_at_the_end():
    few = "-------- -------- --X-X-X- -------- -------- --O----- -------- -------- X"
    full = "XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX OOOOOOOO OOOOOOOO OOOOOOOO X"
    early, late = (rules.Position(*GAME.parse(board).words) for board in (few, full))
    assert evaluate.evaluate(early) < 0.5 < evaluate.evaluate(late)


@pytest.mark.parametrize(
    ("text", "value"),
    [("X" * 33 + "O" * 31 + "X", 1.0), ("O" * 64 + "X", 0.0), ("-" * 64 + "X", 0.5)],
)
def test_a_finished_game_is_worth_its_result(text, value):
    assert judge(text) == value


def count(state, fill, **look):
    return sum(
        element.get("fill") == fill or element.get("stroke") == fill
        for element in ElementTree.fromstring(state.svg(**look)).iter()
    )


def test_the_picture_shows_every_disc_and_the_last_move():
    state = GAME.parse("f5d6c3")
    (black, *_), (white, *_) = draw.DISCS
    assert (count(state, black), count(state, white)) == (5, 2)
    assert count(state, draw.LAST) == 1
    assert count(state, draw.LAST, last=False) == 0


def test_the_picture_marks_moves_but_not_a_pass():
    state = GAME.parse("f5d6")
    assert count(state, draw.LEGAL, legal=True) == 5
    assert count(state, draw.POINTED, arrows={18: 0.2, 34: 0.8}) == 2
    must_pass = GAME.parse("f5f6d3g5h5h4g7h6")
    passed = must_pass.forward(64)
    assert count(must_pass, draw.LEGAL, legal=True) == 0
    assert count(must_pass, draw.POINTED, arrows=[64]) == 0
    assert count(passed, draw.LAST) == 0
