"""A transposition table of bounds, for the exact solvers: an array of 2 ** ``bits`` words.

A position's key becomes another number by ``scattered``, which loses nothing of it. The lowest bits
of that are the place in the table. An entry holds the other bits, the tag, so that no two positions
are taken for one, and as two bytes the bounds of the score. 0 is an empty place. A new entry
replaces an old one. Threads may share a table: each entry is read and written as a whole.
"""

import numpy as np

from hansu.kernel import kernel

EIGHT, BOUNDS, HALF = np.uint64(8), np.uint64(16), np.uint64(32)
BYTE = np.uint64(0xFF)
OFFSET = 128  # of a bound, which is kept as a byte and never 0
ODD_1, ODD_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


@kernel(allocates=False)
def scattered(key):
    """Return a well-mixed number for a key; no two keys share one."""
    key *= ODD_1
    key ^= key >> HALF
    key *= ODD_2
    return key ^ (key >> HALF)


@kernel(allocates=False)
def tag_of(entry):
    """Return what an entry tells of its key."""
    return entry >> BOUNDS


@kernel(allocates=False)
def lower_of(entry):
    """Return the lower bound in an entry."""
    return np.int64((entry >> EIGHT) & BYTE) - OFFSET


@kernel(allocates=False)
def upper_of(entry):
    """Return the upper bound in an entry."""
    return np.int64(entry & BYTE) - OFFSET


@kernel(allocates=False)
def keep(table, slot, tag, lower, upper, best, than):
    """Write what a null-window search has found, beside what the table knows already."""
    entry = table[slot]
    if entry and tag_of(entry) == tag:
        lower, upper = max(lower, lower_of(entry)), min(upper, upper_of(entry))
    if best > than:
        lower = max(lower, best)
    else:
        upper = min(upper, best)
    bounds = np.uint64(lower + OFFSET) << EIGHT | np.uint64(upper + OFFSET)
    table[slot] = tag << BOUNDS | bounds


@kernel(allocates=False)
def middle(lower, upper):
    """Return the score to compare with next: half-way, but first near 0, where search is short."""
    half = lower + (upper - lower) // 2
    if half <= 0 and -(-lower // 2) < half:
        return -(-lower // 2)
    if half >= 0 and upper // 2 > half:
        return upper // 2
    return half
