"""The accuracy of networks where perfect play is known."""

import random

import numpy as np
import pytest

import hansu
from hansu.kernel import JIT

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'hansu[learn]'")

from hansu.learning.known_positions import _random_position, known_positions
from hansu.learning.model import SHIPPED, find_model

compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")


def test_perfect_choices_are_all_right_and_the_worst_all_wrong():
    known = known_positions(hansu.game("tictactoe").features)
    values = np.zeros((len(known.leaves), 1), np.float32)

    def choosing(preferred):
        return lambda leaves: np.hstack([preferred.astype(np.float32), values])

    assert known.accuracy(choosing(known.keeping)) == 1.0
    assert known.accuracy(choosing(known.legal & ~known.keeping)) == 0.0
    assert 0.2 < known.accuracy(choosing(known.legal & False)) < 0.9


def test_what_keeps_the_value_is_what_minimax_says():
    game = hansu.game("tictactoe")
    known = known_positions(game.features)
    agent = hansu.agent(game, "minimax")
    packed = {
        tuple(leaf): row for leaf, row in zip(known.leaves.tolist(), known.keeping, strict=True)
    }
    seen, rng = 0, hansu.agent(game, "random", seed=3).rng
    while seen < 30:
        state = game.start()
        while not state.is_game_over():
            keeping = packed.get(tuple(game.features.pack(state).tolist()))
            if keeping is not None:
                seen += 1
                assert keeping[game.features.action(state, agent.act(state.copy()))]
            state.push(rng.choice(list(state.legal_moves)))


@compiled
def test_what_keeps_the_value_is_what_complete_solving_says():
    """No move is called wrong because it was not proved in time."""
    game, seen = hansu.game("connect4"), 0
    known, solver, rng = known_positions(game.features), game.make_solver(64), random.Random(0)
    packed = {
        tuple(leaf): row for leaf, row in zip(known.leaves.tolist(), known.keeping, strict=True)
    }
    for _ in range(100):
        state = _random_position(game, solver, rng)
        keeping = packed.get(tuple(game.features.pack(state).tolist()))
        if keeping is None or len(state.move_stack) < 10:  # solving those takes longer
            continue
        truth, seen = hansu.solve(state, hansu.Limits(exact=True), solver=solver), seen + 1
        for move in truth.moves:
            assert keeping[game.features.action(state, move.move)] == (move.value == truth.value)
    assert seen > 20


@compiled
@pytest.mark.parametrize("name", ["connect4", "tictactoe", "othello"])
def test_a_trained_network_is_right_more_often_than_chance(name):
    game = hansu.game(name)
    model = find_model(SHIPPED, game)
    known = known_positions(game.make_features(model.mirror))
    chance = (known.keeping.sum(axis=1) / known.legal.sum(axis=1)).mean()
    assert known.accuracy(model) > (1 + chance) / 2


def test_nothing_is_said_where_perfect_play_is_not_known():
    assert known_positions(hansu.game("go").features) is None
