"""A transposition table for Othello's midgame search: 2 ** ``bits`` entries of two words.

The second word is the data: the bounds of a value, the depth and selectivity they were found with,
and the best move. The first is the first word of the position's ``scattered_pair``, changed by the
data: an entry whose words two threads have written belongs to no position. Other than in the exact
search, two positions may be taken for one, with a chance of one in 2 ** 64.
"""

from typing import Any

import numpy as np

from hansu.games.othello.position_table import place_of
from hansu.kernel import kernel

ZERO, ONE = np.uint64(0), np.uint64(1)
BYTE, HALF_WORD = np.uint64(255), np.uint64(0xFFFF)
LOWER, UPPER, DEPTH, MOVE = (np.uint64(shift) for shift in (48, 32, 16, 0))
OFFSET = 32768
NO_MOVE = np.uint64(64)


@kernel(allocates=False)
def find_value(table: Any, bits: Any, first: Any, second: Any) -> Any:
    """Return the data of a position, or 0 if nothing is known of it."""
    place = place_of(bits, second)
    data = table[place + ONE]
    return data if table[place] ^ data == first else ZERO


@kernel(allocates=False)
def keep_value(table, bits, first, second, depth, lower, upper, move):
    """Write what is known of a position in place of another; ``depth`` includes selectivity."""
    place = place_of(bits, second)
    data = np.uint64(lower + OFFSET) << LOWER | np.uint64(upper + OFFSET) << UPPER
    data |= np.uint64(depth) << DEPTH | np.uint64(move)
    table[place] = first ^ data
    table[place + ONE] = data


@kernel(allocates=False)
def lower_value(data):
    """Return the lower bound in an entry."""
    return np.int64(data >> LOWER) - OFFSET


@kernel(allocates=False)
def upper_value(data):
    """Return the upper bound in an entry."""
    return np.int64(data >> UPPER & HALF_WORD) - OFFSET


@kernel(allocates=False)
def depth_of(data):
    """Return the depth of an entry."""
    return np.int64(data >> DEPTH & HALF_WORD)


@kernel(allocates=False)
def move_in(data: Any) -> Any:
    """Return the best move in an entry."""
    return data & BYTE
