"""Tic-tac-toe against its published counts and the list of all its positions."""

import contextlib
import csv
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hansu
from hansu.errors import MoveError, PositionError
from hansu.search.perft import perft

GAME = hansu.game("tictactoe")
PERFT = Path(__file__).parents[2] / "data" / "tictactoe_perft.csv"


def all_positions():
    """Every reachable position once, by board text."""
    found, layer = {}, [GAME.start()]
    while layer:
        found |= {state.text(): state for state in layer}
        layer = list({s.text(): s for p in layer for s in map(p.forward, p.legal_moves)}.values())
    return found


@pytest.fixture(scope="module")
def positions():
    return all_positions()


@pytest.mark.parametrize(
    ("board", "over", "winner", "reason"),
    [
        ("XXX OO. ...", True, hansu.WHITE, "line"),
        ("XX. OOO X..", True, hansu.BLACK, "line"),
        ("XX. OO. ...", False, None, None),
        ("XOX XOO OXX", True, None, "board_full"),
        ("XOX OXO XOX", True, hansu.WHITE, "line"),
    ],
)
def test_how_a_game_ends(board, over, winner, reason):
    state = GAME.parse(board)
    outcome = state.outcome()
    assert state.is_game_over() == over
    assert (outcome.winner, outcome.reason) == (winner, reason) if over else outcome is None
    assert (state.legal_moves == []) == over


def test_perft_agrees_with_the_published_counts():
    with PERFT.open() as file:
        rows = [row for row in csv.reader(file) if not row[0].startswith("#")]
    for depth, nodes in rows:
        assert perft(GAME.start(), int(depth)) == int(nodes)


def test_there_are_5478_positions(positions):
    assert len(positions) == 5478
    assert len({state.key for state in positions.values()}) == 5478
    over = [state.outcome() for state in positions.values() if state.is_game_over()]
    assert Counter(outcome.winner for outcome in over) == {True: 626, False: 316, None: 16}


def test_there_are_255168_games(positions):
    counts = {}
    for text, state in sorted(positions.items(), key=lambda item: item[0].count(".")):
        counts[text] = sum(counts[state.forward(m).text()] for m in state.legal_moves) or 1
    assert counts["........."] == 255168


def test_every_position_of_the_list_is_the_same_here(positions, shared_data):
    with shared_data("tictactoe/states.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 5478
    for row in rows:
        outcome = positions[row["board"]].outcome()
        winner = {"X": True, "O": False, "D": None}
        assert positions[row["board"]].turn == (row["to_move"] == "X") or outcome
        if row["terminal"]:
            assert outcome is not None
            assert outcome.winner == winner[row["terminal"]]
        else:
            assert outcome is None


@pytest.mark.parametrize("text", ["", "b2", "b2a1c3", "B2 A1"])
def test_a_list_of_moves_is_read(text):
    state = GAME.parse(text)
    moves = [
        text.lower().replace(" ", "")[i : i + 2] for i in range(0, len(state.move_stack) * 2, 2)
    ]
    assert [state.move_text(move) for move in state.move_stack] == moves


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("XXXXXXXXX", "X has 9 cells and O 0"),
        ("XO", "nine letters"),
        ("b2b2", "move 2: b2 is not legal here; legal moves are a1"),
        ("a1d4", "move 2: 'd4' is not a cell"),
    ],
)
def test_a_wrong_position_says_what_is_wrong(text, part):
    with pytest.raises(PositionError, match=part):
        GAME.parse(text)


@given(st.one_of(st.text(max_size=20), st.text("XOxo.abc123 /", max_size=20)))
def test_no_text_raises_anything_but_its_own_error(text):
    with contextlib.suppress(PositionError):
        GAME.parse(text)
    with contextlib.suppress(MoveError):
        GAME.start().parse_move(text)


def test_moves_that_are_no_cells_are_refused():
    for move in (-1, 9, 10**30, 0.0, None, "b2", True):
        with pytest.raises(MoveError):
            GAME.start().push(move)


def test_the_centre_has_more_open_lines_than_the_edge():
    score = {
        cell: GAME.evaluator.eval(GAME.parse(cell), hansu.WHITE) for cell in ("b2", "a1", "b1")
    }
    assert score["b2"] > score["a1"] > score["b1"] > 0.5
