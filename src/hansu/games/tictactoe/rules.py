"""Tic-tac-toe rules on two sets of cells.

Cells, and so also the moves:    0 1 2
                                 3 4 5
                                 6 7 8
"""

from typing import NamedTuple

import numpy as np

from hansu.kernel import below, bit, kernel, lowest, mix, nth_bit, popcount, random_below

MAX_MOVES = 9
USES_PATH = False
ENDINGS = ("", "line", "board_full")

LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)  # octal digit = row
HAS_LINE = np.array([any(cells & line == line for line in LINES) for cells in range(512)])
FULL = np.uint64(0o777)
ZERO, ONE = np.uint64(0), np.uint64(1)


class Position(NamedTuple):
    """The cells of the side to move and of the other side, as sets."""

    ply: np.uint64
    second: np.uint64  # 1 when the second player is to move
    mine: np.uint64
    theirs: np.uint64


@kernel
def legal_moves(pos, path, out):
    """Write the empty cells to ``out``; none once there is a line."""
    if HAS_LINE[pos.theirs]:
        return 0
    n = 0
    empty = FULL & ~(pos.mine | pos.theirs)
    while empty:
        out[n] = lowest(empty)
        empty = below(empty)
        n += 1
    return n


@kernel
def play(pos, move):
    """Return the position after a move, which must be legal: nothing is checked here."""
    return Position(pos.ply + ONE, pos.second ^ ONE, pos.theirs, pos.mine | bit(move))


@kernel
def ending(pos, path, n_moves):
    """Return 0 while the game runs, else an index into ENDINGS."""
    if n_moves:
        return 0
    return 1 if HAS_LINE[pos.theirs] else 2


@kernel
def score_first(pos, ending):
    """Return +1, 0, -1 for the player who began. Asked only when the game is over."""
    if ending == 2:
        return 0
    return 1 if pos.second else -1  # the line is the work of the one who just moved


@kernel
def key(pos):
    """Return a hash of the position."""
    return mix(mix(ZERO, pos.mine), pos.theirs)


@kernel
def random_move(pos, path, moves, rng):
    """Return a random empty cell, drawn without listing them all; minus the ending when over."""
    if HAS_LINE[pos.theirs]:
        return -1
    empty = FULL & ~(pos.mine | pos.theirs)
    if not empty:
        return -2
    return np.int64(nth_bit(empty, random_below(rng, popcount(empty))))
