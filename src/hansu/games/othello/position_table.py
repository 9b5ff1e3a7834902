"""A transposition table for Othello's exact search: 2 ** ``bits`` entries of two words.

A position, the discs of the side to move and of the other side, becomes two other words by
``scattered_pair``, which loses nothing. The lowest bits of the second are the place in the table.
An entry holds the first word, the other bits of the second, the bounds of the score and the best
move, so that no two positions are taken for one. Scores are even: a pair of bounds fits into twelve
bits. The move is the number of a legal move, in four bits: none beyond the fifteenth. Two threads
may write the two words of one entry at once: what does not belong together then passes for a
position with a chance of one in 2 ** 48.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.games.bounds_table import ODD_1, ODD_2
from hansu.games.value_table import place_of
from hansu.kernel import bit, kernel, nth_bit, popcount

HALF = np.uint64(32)
RANK_BITS, DATA_BITS = np.uint64(4), np.uint64(16)
NO_MOVE, PAIR = np.uint64(15), np.uint64(4095)
ZERO, ONE = np.uint64(0), np.uint64(1)
MOST = 64  # the greatest score
LEAST_BITS = 16  # fewer would leave no room for the rest of a position in an entry


def _bounds() -> NDArray[np.int8]:
    """Return the bounds of every number of a pair."""
    scores = range(-MOST, MOST + 1, 2)
    return np.array([(lower, upper) for upper in scores for lower in scores if lower <= upper], "b")


BOUNDS = _bounds()


@kernel(allocates=False)
def scattered_pair(mine: Any, theirs: Any) -> Any:
    """Return two well-mixed words for a position; no two positions share both."""
    mixed = theirs * ODD_1
    first = mine ^ mixed ^ (mixed >> HALF)
    mixed = first * ODD_2
    second = theirs ^ mixed ^ (mixed >> HALF)
    return first, second


@kernel(allocates=False)
def find(table, bits, first, second):
    """Return the data of a position, or 0 if nothing is known of it."""
    place = place_of(bits, second)
    data = table[place + ONE]
    if table[place] == first and data >> DATA_BITS == second >> bits:
        return data
    return ZERO


@kernel(allocates=False)
def keep(table, bits, first, second, lower, upper, moves, move):
    """Write what is known of a position in place of another; ``moves`` are the legal ones."""
    place = place_of(bits, second)
    low, high = (lower + MOST) >> 1, (upper + MOST) >> 1
    pair = np.uint64(high * (high + 1) // 2 + low)
    rank = min(popcount(moves & (bit(move) - ONE)), NO_MOVE)
    table[place] = first
    table[place + ONE] = (second >> bits) << DATA_BITS | pair << RANK_BITS | rank


@kernel(allocates=False)
def lower_of(data):
    """Return the lower bound in an entry."""
    return np.int64(BOUNDS[(data >> RANK_BITS) & PAIR, 0])


@kernel(allocates=False)
def upper_of(data):
    """Return the upper bound in an entry."""
    return np.int64(BOUNDS[(data >> RANK_BITS) & PAIR, 1])


@kernel(allocates=False)
def move_of(data, moves):
    """Return the best move in an entry as a set with one member, or none."""
    rank = data & NO_MOVE
    return bit(nth_bit(moves, rank)) if rank < min(popcount(moves), NO_MOVE) else ZERO
