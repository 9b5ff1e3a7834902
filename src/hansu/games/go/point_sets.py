"""Sets of up to 128 cells of a go board as two words of 64 bits: see ``playout_board``."""

import numpy as np

from hansu.games.go.tables import ZOBRIST
from hansu.kernel import below, kernel, lowest, nth_bit, popcount

CELLS = 128
ZERO, ONE = np.uint64(0), np.uint64(1)
LAST_BIT, WORD = np.uint64(63), np.uint64(64)


@kernel(allocates=False)
def beside(low, high, step):
    """Return the cells beside those of a set; the border and what lies beyond it among them."""
    back = WORD - step
    found = (low << ONE) | (low >> ONE) | (high << LAST_BIT)
    found |= (low << step) | (low >> step) | (high << back)
    found_2 = (high << ONE) | (low >> LAST_BIT) | (high >> ONE)
    found_2 |= (high << step) | (low >> back) | (high >> step)
    return found, found_2


@kernel(allocates=False)
def cell_set(cell):
    """Return the set of one cell."""
    cell = np.uint64(cell)
    return (ONE << cell, ZERO) if cell < WORD else (ZERO, ONE << (cell & LAST_BIT))


@kernel(allocates=False)
def below_cell(cell):
    """Return the set of all cells before one; it may be CELLS."""
    if cell >= CELLS:
        return ~ZERO, ~ZERO
    low, high = cell_set(cell)
    return (low - ONE, ZERO) if low else (~ZERO, high - ONE)


@kernel(allocates=False)
def nth_cell(low, high, n):
    """Return the n-th cell of a set, counted from 0."""
    n, count = np.uint64(n), popcount(low)
    if n < count:
        return nth_bit(low, n)
    return WORD + nth_bit(high, n - count)


@kernel(allocates=False)
def set_key(low, high, color, step):
    """Return what stones of one colour add to the hash."""
    key, border = ZERO, step + ONE  # the hashes count cells with a border above and to the left
    while low:
        key ^= ZOBRIST[color, lowest(low) + border]
        low = below(low)
    while high:
        key ^= ZOBRIST[color, lowest(high) + WORD + border]
        high = below(high)
    return key
