"""What is handed to the public functions by mistake is refused in a sentence."""

import math

import chess
import numpy as np
import pytest

import hansu
from hansu.errors import MoveError
from hansu.games.game import GAMES

START = hansu.game("tictactoe").start()
WRONG = [None, 3, 1.5, math.nan, b"x", [], {}, object(), int, np.zeros(3)]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("name", GAMES)
def test_positions_and_moves_are_texts(name, wrong):
    game = hansu.game(name)
    for call in (game.parse, game.start().parse_move):
        with pytest.raises(hansu.HansuError):
            call(wrong)


@pytest.mark.parametrize("wrong", [None, "x", 1.5, b"x", [], {}, object(), int, np.zeros(3)])
@pytest.mark.parametrize("name", GAMES)
def test_what_is_no_move(name, wrong):
    state = hansu.game(name).start()
    calls = [state.move_text, state.announce, state.move_cells, state.move_id, state.move_from_id]
    for call in [*calls, state.push, state.forward, lambda move: state.svg(arrows=[move])]:
        with pytest.raises(MoveError):
            call(wrong)


@pytest.mark.parametrize("squares", [(70, 71), ("a", "b"), (None, 3), (3, 2.5)])
def test_a_chess_move_off_every_board(squares):
    state = hansu.game("microchess").start()
    for call in (state.move_text, state.announce, state.move_cells, state.push, state.forward):
        with pytest.raises(MoveError):
            call(chess.Move(*squares))
    with pytest.raises(MoveError):
        state.move_from_id(1 << 20)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"size": size} for size in (None, 0, -5, 2.5, "x", math.nan, [])),
        *({name: value} for name in ("legal", "flip", "cells") for value in (None, 3, "x", [])),
        {"colour": 1},
        {"arrows": 3},
        {"arrows": None},
        {"dead": 3},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", GAMES)
def test_options_of_a_picture(name, wrong):
    state = hansu.game(name).start()
    with pytest.raises(hansu.HansuError):
        state.svg(**wrong)
    with pytest.raises(hansu.HansuError):
        state.svg(arrows={next(iter(state.legal_moves)): None})


@pytest.mark.parametrize("wrong", [*WRONG, "x"], ids=lambda value: type(value).__name__)
def test_what_is_no_state(wrong):
    calls = [
        hansu.move_seconds,
        hansu.agent("tictactoe", "one_step_search").act,
        hansu.agent("tictactoe", "mcts").search,
        lambda state: hansu.game("tictactoe").evaluator.eval(state, hansu.WHITE),
        lambda state: hansu.game("tictactoe").evaluator.eval_2(state, hansu.WHITE),
        lambda state: hansu.game("tictactoe").evaluator.win_or_lose(state, hansu.WHITE),
        lambda state: hansu.game("tictactoe").evaluator.static_eval(state),
        hansu.agent("tictactoe", "random").act,
        hansu.agent("tictactoe", "first_move").act,
        hansu.solve,
        lambda state: hansu.playouts(state, 10),
        lambda state: hansu.win_rate_map(state, 10),
        lambda state: hansu.SearchView(state, None),
        hansu.training_log,
    ]
    for call in calls:
        with pytest.raises(hansu.HansuError):
            call(wrong)


@pytest.mark.parametrize("wrong", ["white", "b", None, 2, -1, [], np.zeros(3)], ids=str)
@pytest.mark.parametrize("text", ["XX. OO. ...", "XXX OO. ..."])
def test_what_is_no_colour(wrong, text):
    state = hansu.game("tictactoe").parse(text)
    evaluator = state.game.evaluator
    for call in (evaluator.eval, evaluator.eval_2, evaluator.win_or_lose):
        with pytest.raises(hansu.HansuError, match=r"neither hansu\.WHITE nor hansu\.BLACK"):
            call(state, wrong)
        assert call(state, np.bool_(True)) == call(state, hansu.WHITE)


@pytest.mark.parametrize(
    "wrong",
    [(0, 0), (10, 0), (0, 10, 2, 3), (0, 10, 0, 0.05), (0, 10, 0.05, 0.5), (0, math.inf),
     (math.nan, 10), ("0", "10"), (None, 10)],
    ids=str,
)  # fmt: skip
def test_what_is_no_sequential_test(wrong):
    with pytest.raises(hansu.HansuError, match="a sequential test"):
        hansu.Sprt(*wrong)


@pytest.mark.parametrize("wrong", [None, 3, "x"])
def test_what_is_no_function(wrong):
    with pytest.raises(hansu.HansuError, match="is not a function"):
        hansu.match("tictactoe", "random", "random", 2, stop=wrong)
    with pytest.raises(hansu.HansuError, match="is not a function"):
        hansu.tournament("tictactoe", "random", "first_move", stop=wrong)
    with pytest.raises(hansu.HansuError, match="is not a function"):
        hansu.play_game("tictactoe", "random", "random", timer=wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"seconds": value} for value in (-1, math.nan, "x", True, [], b"1", 1j)),
        *({name: value} for name in ("depth", "nodes") for value in (0, -1, 2.5, "x", True)),
    ],
)
def test_limits_that_are_none(wrong):
    with pytest.raises(hansu.HansuError):
        hansu.Limits(**wrong)


def test_limits_that_no_search_can_use_up():
    agent = hansu.agent("tictactoe", "abp_negamax")
    assert agent.search(START, hansu.Limits(depth=2**70)).lines[0].value == 0.5
    with pytest.raises(hansu.HansuError, match="is not a Limits"):
        agent.search(START, 5)
