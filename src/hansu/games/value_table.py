"""A transposition table for a game's own search to a depth: 2 ** ``bits`` entries of two words.

A position is known by two well-mixed words; they may be one and the same. The lowest bits of the
second are the place in the table. An entry's second word is its data: the bounds of a value, the
depth and selectivity they were found with, and the best move. Its first is the position's first
word, changed by the data: an entry whose words two threads have written belongs to no position. Two
positions may be taken for one, with a chance of one in 2 ** 64.
"""

from typing import Any

import numpy as np

from hansu.kernel import kernel

ZERO, ONE = np.uint64(0), np.uint64(1)
HALF_WORD = np.uint64(0xFFFF)
LOWER, UPPER, DEPTH = np.uint64(48), np.uint64(32), np.uint64(16)
OFFSET = 32768


@kernel(allocates=False)
def place_of(bits, second):
    """Return where the entry of a position is."""
    return (second & ((ONE << bits) - ONE)) << ONE


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
    return data & HALF_WORD
