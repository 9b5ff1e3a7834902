"""Small go boards as sets of bits: a set for the stones of each side, a bit for each point.

Rows lie beside each other with an empty column between them, so that shifts find neighbours. A
board is a ``Frame``: its full set of points, and how far apart rows are.
"""

from typing import Any, NamedTuple

import numpy as np

from hansu.kernel import kernel, popcount

ZERO, ONE = np.uint64(0), np.uint64(1)
MAX_BITS = 31  # of a board: two sets and a mark are the key of a position
MOST_STRINGS = 16  # 25 points have room for 13
EYES = 2  # vital regions that a string needs
LARGEST_EYE = 2  # points that a side keeps by answering


class Frame(NamedTuple):
    """The points of a board."""

    full: Any
    row: Any  # bits from a point to the one below
    points: Any


@kernel(allocates=False)
def around(frame, stones):
    """Return the points beside some points."""
    near = stones << ONE | stones >> ONE | stones << frame.row | stones >> frame.row
    return near & frame.full


@kernel(allocates=False)
def flood(frame, seed, within):
    """Return all points of a set that are connected to some of them."""
    while True:
        grown = (seed | around(frame, seed)) & within
        if grown == seed:
            return seed
        seed = grown


@kernel(allocates=False)
def put(frame, mine, theirs, point):
    """Return both sides' stones after a stone of mine, and the point of a ko.

    My stones are returned as none where the stone would capture its own string.
    """
    mine |= point
    free = frame.full & ~(mine | theirs)
    caught, left = ZERO, around(frame, point) & theirs
    while left:
        string = flood(frame, left & (~left + ONE), theirs)
        left &= ~string
        if not around(frame, string) & free:
            caught |= string
    free |= caught
    own = flood(frame, point, mine)
    breath = around(frame, own) & free
    if not breath:
        return ZERO, theirs, ZERO
    ko = ZERO
    if own == point and breath == caught and not caught & (caught - ONE):
        ko = caught
    return mine, theirs & ~caught, ko


@kernel(allocates=False)
def lead_of(frame, mine, theirs):
    """Return by how many points my area is the greater one."""
    free = frame.full & ~(mine | theirs)
    reached, reached_by_them = flood(frame, mine, mine | free), flood(frame, theirs, theirs | free)
    return np.int64(popcount(reached & ~reached_by_them)) - np.int64(
        popcount(reached_by_them & ~reached)
    )


@kernel
def safe_points(frame, mine, theirs, strings, vital):
    """Return my unconditionally alive stones with their one-point eyes, and those with larger ones.

    This is Benson's algorithm; see ``benson.py``. Eyes of two points without stones of the other
    side are kept by answering there.
    """
    n, todo = 0, mine
    while todo:
        strings[n] = flood(frame, todo & (~todo + ONE), mine)
        todo &= ~strings[n]
        vital[n] = ZERO
        n += 1
    alive, open_points = mine, frame.full & ~mine
    regions, small, larger = ZERO, ZERO, ZERO  # by a point of each: those that still enclose
    todo = open_points
    while todo:
        point = todo & (~todo + ONE)
        region = flood(frame, point, open_points)
        todo &= ~region
        regions |= point
        border, free = around(frame, region) & mine, region & ~theirs
        for i in range(n):
            if strings[i] & border and not free & ~around(frame, strings[i]):
                vital[i] |= point
        if free == region and popcount(region) <= LARGEST_EYE:
            larger |= region
            if region == point:
                small |= region
    changed = True
    while changed:
        changed = False
        for i in range(n):
            if strings[i] & alive and popcount(vital[i] & regions) < EYES:
                alive &= ~strings[i]
                changed, todo = True, around(frame, strings[i]) & open_points
                while todo:
                    region = flood(frame, todo & (~todo + ONE), open_points)
                    todo &= ~region
                    regions &= ~region
    if not alive:
        return ZERO, ZERO
    kept_small, kept_larger, todo = ZERO, ZERO, larger
    while todo:
        region = flood(frame, todo & (~todo + ONE), open_points)
        todo &= ~region
        if region & regions:
            kept_larger |= region
            if region & small:
                kept_small |= region
    return alive | kept_small, alive | kept_larger
