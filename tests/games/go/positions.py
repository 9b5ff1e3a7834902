"""Go positions to check the rules with: stones set up at random on boards of every shape."""

import random

from tests.games.go.slow_board import SlowBoard

SHAPES = [
    *((1, 1), (1, 2), (2, 1), (1, 5), (7, 1), (1, 19), (19, 1)),
    *[(2, 2), (2, 3), (3, 2), (3, 3), (4, 3)] * 4,
    *[(4, 4), (5, 5), (5, 7), (7, 5)] * 2,
    (9, 9),
]


def random_setup(rng: random.Random, width: int, height: int) -> SlowBoard:
    """Stones anywhere, from a few to almost everywhere; what has no liberty is taken off."""
    density, black = rng.choice([0.0, 0.2, 0.5, 0.8, 0.95]), rng.choice([0.2, 0.5, 0.8])
    stones = {
        (column, row): "x" if rng.random() < black else "o"
        for column in range(width)
        for row in range(height)
        if rng.random() < density
    }
    board = SlowBoard(width, height, stones, rng.choice("xo"))
    board.remove_lifeless()
    return board
