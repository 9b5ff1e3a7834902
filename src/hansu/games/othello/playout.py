"""Heavy playouts: take a corner; do not give one away."""

import numpy as np

from hansu.games.othello.rules import (
    DOWN,
    DOWN_LEFT,
    DOWN_RIGHT,
    PASS,
    RIGHT,
    ending,
    squares_to_play,
)
from hansu.kernel import kernel, nth_bit, popcount, random_below

LEFT_CORNERS, RIGHT_CORNERS = np.uint64(1 | 1 << 56), np.uint64(1 << 7 | 1 << 63)
CORNERS = LEFT_CORNERS | RIGHT_CORNERS


@kernel
def beside_corners(corners):
    """Return the squares beside these corners: a disc there often gives the corner away."""
    left, right = corners & LEFT_CORNERS, corners & RIGHT_CORNERS
    diagonal = left << DOWN_RIGHT | left >> DOWN_LEFT | right << DOWN_LEFT | right >> DOWN_RIGHT
    return diagonal | left << RIGHT | right >> RIGHT | corners << DOWN | corners >> DOWN


@kernel
def heavy_move(pos, path, moves, rng):
    """Return a move of a heavy playout, or minus the ending; the contract of ``random_move``."""
    squares = squares_to_play(pos.mine, pos.theirs)
    if not squares:
        return PASS if squares_to_play(pos.theirs, pos.mine) else -ending(pos, path, 0)
    if squares & CORNERS:
        squares &= CORNERS
    else:
        safe = squares & ~beside_corners(CORNERS & ~(pos.mine | pos.theirs))
        if safe:
            squares = safe
    return np.int64(nth_bit(squares, random_below(rng, popcount(squares))))
