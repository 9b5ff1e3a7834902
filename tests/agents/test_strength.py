"""Each rung of the ladder is stronger than the one below it: matches of 200 games and more."""

import pytest
from benchmarks.ladder import RUNGS, rung

import hansu

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("game", "higher", "lower"), RUNGS)
def test_each_rung_is_stronger_than_the_one_below(game, higher, lower):
    assert rung(game, higher, lower, concurrency=2).superiority > 0.95


@pytest.mark.parametrize(
    "player", ["abp_negamax:depth=9", "mcts:n_simulations=20000,max_depth=none"]
)
@pytest.mark.parametrize("opponent", ["random", "one_step_search", "winning_moves", "minimax"])
def test_nobody_beats_these_at_tictactoe(player, opponent):
    assert hansu.match("tictactoe", player, opponent, games=200, concurrency=2).losses == 0
