"""Negamax and alpha-beta against a slow obvious search, each other, and known values."""

import csv

import pytest

import hansu
from hansu.games.state import State
from hansu.search.negamax import PLY_BONUS, search
from tests.search.positions import random_positions
from tests.small_games import SMALL_GAMES

DEPTH = {"tictactoe": 5, "connect4": 5, "othello": 4, "microchess": 4}


def obvious(state: State, depth: int) -> float:
    """The textbook, on the objects that people use."""
    outcome = state.outcome()
    if outcome is not None:
        if outcome.winner is None:
            return 0.0
        return (1 if outcome.winner == state.turn else -1) * (1 + depth * PLY_BONUS)
    if depth == 0:
        return state.game.evaluator.eval_2(state, state.turn)
    return max(-obvious(state.forward(move), depth - 1) for move in state.legal_moves)


def share(value: float) -> float:
    return min(1.0, max(0.0, (value + 1) / 2))


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_the_compiled_value_is_the_textbooks(name):
    for state in random_positions(name, 6, seed=2):
        expected = share(obvious(state, 2))
        assert search(state, 2, prune=False).value == pytest.approx(expected)
        assert search(state, 2, prune=True).value == pytest.approx(expected)


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_pruning_changes_the_nodes_but_not_the_value(name):
    all_nodes = pruned_nodes = 0
    depth = DEPTH.get(name, 3)
    for state in random_positions(name, 150, seed=3):
        full, pruned = search(state, depth, prune=False), search(state, depth, prune=True)
        assert pruned.value == full.value
        best = {line.text for line in full.lines if line.value == full.value}
        assert pruned.lines[0].text in best
        all_nodes += full.nodes
        pruned_nodes += pruned.nodes
    assert pruned_nodes < all_nodes / 2


def test_exact_values_every_root_move_as_without_pruning():
    for state in random_positions("connect4", 20, seed=4):
        full = {line.text: line.value for line in search(state, 4, prune=False).lines}
        exact = {line.text: line.value for line in search(state, 4, prune=True, exact=True).lines}
        assert exact == full


def test_every_tictactoe_position_has_its_known_value(shared_data):
    game = hansu.game("tictactoe")
    with shared_data("tictactoe/states.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if not row["terminal"]]
    assert len(rows) == 5478 - 958
    for row in rows:
        value = 2 * search(game.parse(row["board"]), 9, prune=True).value - 1
        assert round(value) == int(row["value_for_side_to_move"])


def test_a_short_clock_still_gives_a_move():
    state = hansu.game("othello").start()
    info = search(state, 30, prune=True, seconds=0.05)
    assert 1 <= info.depth < 30
    assert info.move in state.legal_moves


def test_a_win_that_comes_sooner_is_preferred():
    state = hansu.game("connect4").parse("121213")  # three in the first column already
    info = search(state, 5, prune=True)
    assert state.forward(info.move).outcome().winner == state.turn


@pytest.mark.parametrize("prune", [False, True])
@pytest.mark.parametrize("name", ["go:size=19", "hex:size=19", "othello", "microchess"])
def test_a_search_that_is_cut_sees_no_further_positions(name, prune):
    """On a wide board the moves that were still to try take longer than a short limit."""
    state = hansu.game(name).start()
    one_ply = search(state, 1, prune).nodes
    for depth, more in ((2, 5), (4, 200)):
        assert search(state, depth, prune, nodes=one_ply + more).nodes <= one_ply + more + 1
