"""Samples to learn from in tests."""

import numpy as np

from hansu.learning.replay_buffer import sample_type
from tests.search.positions import random_positions


def random_samples(game, count, seed=1):
    """Positions of random games with arbitrary visits and results."""
    features, rng = game.features, np.random.default_rng(seed)
    samples = np.zeros(count, sample_type(features))
    for sample, state in zip(samples, random_positions(str(game), count, seed), strict=True):
        sample["seen"] = features.pack(state)
        for move in state.legal_moves:
            action = features.action(state, move)
            sample["legal"][action // 64] |= np.uint64(1) << np.uint64(action % 64)
            sample["visits"][action] = rng.integers(1, 9)
        sample["reward"] = rng.integers(-1, 2)
    return samples
