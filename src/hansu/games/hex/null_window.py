"""Null-window search of small Hex boards: is a position worth more than a score, or not?

Cells are bits, row by row, with one empty column between the rows so that nothing runs on into the
next row: cell (column, row) of a board of size n is bit row * (n + 1) + column. A position is the
cells of the side to move, ``mine``, those of the other side, ``theirs``, and ``second``: 1 when the
side to move is White, who joins left and right. Scores are those of ``win_score``.
"""

import functools
from typing import Any

import numpy as np

from hansu.games.bounds_table import keep, lower_of, middle, scattered, tag_of, upper_of
from hansu.kernel import below, kernel, reverse

ZERO, ONE = np.uint64(0), np.uint64(1)
HALF = np.uint64(31)
SIDE = np.uint64(63)
MAX_SIZE = 5  # larger boards take too long, and two sets of their cells no longer fit into a word


@functools.cache
def make_board(size: int) -> Any:
    """Make ``completing(cells, second, empty)``: the empty cells that join a player's edges."""
    stride = size + 1
    row = (1 << size) - 1
    column = sum(1 << stride * at for at in range(size))
    top, bottom = np.uint64(row), np.uint64(row << stride * (size - 1))
    left, right = np.uint64(column), np.uint64(column << size - 1)
    full = np.uint64(row * column)
    down, down_left = np.uint64(stride), np.uint64(stride - 1)

    @kernel(variant=size, allocates=False)
    def beside(cells):
        """Return the cells and all that touch them."""
        near = cells | cells << ONE | cells >> ONE | cells << down | cells >> down
        return (near | cells << down_left | cells >> down_left) & full

    @kernel(variant=size, allocates=False)
    def joined(edge, cells):
        """Return the cells that hang together with an edge, and those beside them."""
        reached = edge
        while True:
            more = edge | beside(reached & cells)
            if more == reached:
                return reached
            reached |= more

    @kernel(variant=size, allocates=False)
    def completing(cells, second, empty):
        one = joined(left if second else top, cells)
        other = joined(right if second else bottom, cells)
        return one & other & empty

    return completing


@functools.cache
def make_order(size: int) -> Any:
    """Return the cells as bits, those in the middle first: more lines run through them."""
    middle_of = (size - 1) / 2
    places = [(row, column) for row in range(size) for column in range(size)]

    def far(place: tuple[int, int]) -> float:
        row, column = place[0] - middle_of, place[1] - middle_of
        return row * row + column * column + row * column  # as hexagons count

    places.sort(key=far)
    return np.array([1 << (row * (size + 1) + column) for row, column in places], np.uint64)


@functools.cache
def make_above(size: int) -> Any:
    """Make ``above(mine, theirs, second, stones, than, table, bits, work)``: a null-window search.

    It returns a score: above ``than`` it is a lower bound of the position's, else an upper bound.
    The side to move must not be able to win at once. With more positions in ``work`` than allowed,
    the result means nothing.
    """
    completing, order, n_cells = make_board(size), make_order(size), size * size
    full = np.uint64(int(order.sum()))
    unused = np.uint64(63 - int(full).bit_length() + 1)

    @kernel(variant=size, allocates=False)
    def key(mine, theirs, second):
        """Return the same for a position and the one turned by 180 degrees, and for no other."""
        found = mine | theirs << HALF
        turned = reverse(mine) >> unused | reverse(theirs) >> unused << HALF
        return min(found, turned) | second << SIDE

    @kernel(variant=size, allocates=False)
    def above(mine, theirs, second, stones, than, table, bits, work):
        work[0] += 1
        if work[0] > work[1]:
            return than
        empty = full & ~(mine | theirs)
        moves, threats = empty, completing(theirs, second ^ ONE, empty)
        if threats:
            if below(threats):
                return -((n_cells - stones) // 2)
            moves = threats  # the only cell that stops the connection
        lower, upper = -((n_cells - 2 - stones) // 2), (n_cells - 1 - stones) // 2
        if lower > than:
            return lower
        if upper <= than:
            return upper
        code = scattered(key(mine, theirs, second))
        slot, tag = code & ((ONE << bits) - ONE), code >> bits
        entry = table[slot]
        if entry and tag_of(entry) == tag:
            if lower_of(entry) > than:
                return lower_of(entry)
            if upper_of(entry) <= than:
                return upper_of(entry)
        best = -n_cells
        for i in range(n_cells):
            move = moves & order[i]
            if move and best <= than and work[0] <= work[1]:
                found = -above(
                    *(theirs, mine | move, second ^ ONE, stones + 1),
                    *(-than - 1, table, bits, work),
                )
                best = max(best, found)
        if work[0] <= work[1]:
            keep(table, slot, tag, lower, upper, best, than)
        return best

    return above


@functools.cache
def make_narrow(size: int) -> Any:
    """Make ``narrow(mine, theirs, second, stones, bounds, window, table, bits, work)``.

    It narrows ``bounds`` (lower, upper), which hold, in place, until they decide the window.
    """
    above = make_above(size)

    @kernel(variant=size, allocates=False)
    def narrow(mine, theirs, second, stones, bounds, window, table, bits, work):
        while max(bounds[0], window[0]) < min(bounds[1], window[1]):
            than = middle(max(bounds[0], window[0]), min(bounds[1], window[1]))
            found = above(mine, theirs, second, stones, than, table, bits, work)
            if work[0] > work[1]:
                break
            if found > than:
                bounds[0] = max(bounds[0], found)
            else:
                bounds[1] = min(bounds[1], found)

    return narrow
