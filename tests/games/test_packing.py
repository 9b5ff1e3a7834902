"""Packed positions become the planes that people see, in every game."""

import numpy as np
import pytest

import hansu
from hansu.games.game import GAMES
from tests.search.positions import random_positions

NAMES = [*sorted(GAMES), "go:size=5x7,komi=0.5"]


@pytest.mark.parametrize("name", NAMES)
def test_unpacking_gives_the_planes_and_the_vector(name):
    game = hansu.game(name)
    both = [game.features]
    if name == "microchess":
        both.append(game.make_features(mirror=False))
    for features in both:
        for state in random_positions(name, 40, seed=3):
            seen = np.concatenate([features.planes(state).ravel(), features.vector(state)])
            assert np.array_equal(features.packing.unpack(features.pack(state)[None])[0], seen)


@pytest.mark.parametrize("name", NAMES)
def test_every_legal_move_is_an_action_and_back(name):
    """Under-promotions aside: they share the action of the promotion to a queen."""
    for state in random_positions(name, 300, seed=4):
        features = state.game.features
        for move in state.legal_moves:
            action = features.action(state, move)
            assert 0 <= action < features.actions
            if getattr(move, "promotion", None) in (None, 5):
                assert features.move(state, action) == move


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_legal_move_of_ten_thousand_positions_is_an_action_and_back(name):
    for state in random_positions(name, 10_000, seed=5):
        features = state.game.features
        for move in state.legal_moves:
            if getattr(move, "promotion", None) in (None, 5):
                assert features.move(state, features.action(state, move)) == move
