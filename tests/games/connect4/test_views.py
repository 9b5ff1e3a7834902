"""What evaluation, network and picture make of a Connect Four position."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given

import hansu
from hansu.games.connect4 import draw, evaluate
from hansu.kernel import JIT
from tests.games.connect4.slow_board import LINES, SlowBoard, as_set, games

GAME = hansu.game("connect4")


def test_the_game_keeps_the_laws():
    hansu.check_game(GAME, games=10 if JIT else 1)


@given(games())
def test_open_lines_are_worth_more_the_more_discs_they_hold(moves):
    board = SlowBoard(moves)
    mine, theirs = board.cells(0), board.cells(1)
    worth = [1, 3, 9, 27, 0]  # a finished line is not judged by its worth but by the result
    expected = sum(
        worth[len(mine.intersection(line))] for line in LINES if not theirs.intersection(line)
    )
    stones = np.uint64(as_set(mine)), np.uint64(as_set(theirs))
    if board.winner() is None:
        assert evaluate.open_lines(*stones) == expected


def judge(moves):
    return GAME.evaluator.eval(GAME.parse(moves), hansu.WHITE)


def test_the_center_is_the_best_first_column_and_the_edge_the_worst():
    assert judge("4") > judge("3") > judge("2") > judge("1") > judge("") == 0.5


def test_a_mirrored_position_is_worth_the_same():
    for moves in ("4453", "1", "172635", "1223343"):
        assert judge(moves) == judge("".join(str(8 - int(move)) for move in moves))


def test_three_in_a_row_are_worth_more_than_three_apart():
    assert judge("172736") > judge("172756") > 0.5


@pytest.mark.parametrize(("moves", "value"), [("1212121", 1.0), ("1223343445", 0.0)])
def test_a_finished_game_is_worth_its_result(moves, value):
    assert judge(moves) == value


def test_the_planes_show_the_side_to_move_first_and_rows_from_the_top():
    mine, theirs = GAME.features.planes(GAME.parse("445"))
    assert theirs.tolist()[5] == [0, 0, 0, 1, 1, 0, 0]
    assert mine.tolist()[4] == [0, 0, 0, 1, 0, 0, 0]
    assert mine.sum() == 1
    assert theirs.sum() == 2


def test_the_mirror_maps_planes_and_columns():
    mirror = GAME.features.symmetries[1]
    plain, mirrored = (GAME.features.planes(GAME.parse(moves)) for moves in ("1123", "7765"))
    assert np.array_equal(plain.reshape(2, -1)[:, mirror.cells].reshape(plain.shape), mirrored)
    assert mirror.actions.tolist() == [6, 5, 4, 3, 2, 1, 0]


def count(state, fill, **look):
    return sum(
        element.get("fill") == fill or element.get("stroke") == fill
        for element in ElementTree.fromstring(state.svg(**look)).iter()
    )


def test_the_picture_shows_every_disc_the_last_move_and_the_line():
    state = GAME.parse("1212121")
    (yellow, *_), (red, *_) = draw.DISCS
    assert (count(state, yellow), count(state, red)) == (4, 3)
    assert count(state, draw.LINE) == 4
    assert count(state, draw.LAST[0]) == 1
    assert count(state, draw.LAST[0], last=False) == 0


def test_the_picture_marks_moves_where_the_disc_would_land():
    state = GAME.parse("444444")
    assert count(state, draw.HINT, legal=True) == 6
    assert count(state, draw.HINT, arrows={1: 0.2, 7: 0.8}) == 2
    assert "Connect Four board 444444" in state.svg(flip=True, coordinates=False)
