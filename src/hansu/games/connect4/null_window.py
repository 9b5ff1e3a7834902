"""Null-window search of Connect Four: is a position worth more than a score, or not?

The cells of a board are numbered as in ``rules``, for any width and height whose columns fit into
64 bits with an empty cell on top of each. A position is the cells of the side to move, ``mine``,
and all occupied cells, ``mask``: ``mine + mask`` is different for every position. Scores are those
of ``win_score``.

Negamax after Pascal Pons (blog.gamesolver.org), with what else pays: moves that let the other side
win at once are never tried, moves are ordered by the threats they make, the transposition table
keeps both bounds of a position and is asked about all moves before any is searched (enhanced
transposition cut-offs), mirrored positions count as one, and Allis's claimeven bounds a position
without search.
"""

import functools
from typing import Any

import numpy as np

from hansu.games.bounds_table import keep, lower_of, middle, scattered, tag_of, upper_of
from hansu.games.connect4.book import MISSING, book_score
from hansu.games.connect4.layout import Layout
from hansu.kernel import kernel, popcount, prefetch

ZERO, ONE, TWO, THREE = (np.uint64(n) for n in range(4))
BYTE = np.uint64(0xFF)

EARLY = 14  # stones: until then mirrored positions are looked up as one
FEW_LEFT = 10  # cells: with fewer left, looking up every move costs more than it saves


def center_first(width: int, height: int) -> tuple[Any, ...]:
    """Return the cells of each column, those in the middle first."""
    order = sorted(range(width), key=lambda at: (abs(2 * at - width + 1), at))
    return tuple(np.uint64(Layout(width, height).column(at)) for at in order)


@functools.cache
def make_lines(width: int, height: int) -> Any:
    """Make ``completing(cells)``, the cells that make a line with them, and ``has_line(cells)``."""
    board = Layout(width, height)
    steps = np.array([board.down_right, board.right, board.up_right], np.uint64)
    across = (steps[0], steps[1], steps[2])

    @kernel(variant=(width, height), allocates=False)
    def completing(cells):
        """Some of the cells may be taken, or off the board."""
        found = (cells & (cells >> ONE) & (cells >> TWO)) << THREE
        for step in across:
            two, three = step * TWO, step * THREE
            pairs = cells & (cells >> step)
            triples = pairs & (cells >> two)
            found |= triples << three | triples >> step
            found |= (pairs & (cells >> three)) << two | (cells & (pairs >> two)) << step
        return found

    @kernel(variant=(width, height), allocates=False)
    def has_line(cells):
        found = cells & (cells >> ONE) & (cells >> TWO) & (cells >> THREE)
        for step in across:
            pairs = cells & (cells >> step)
            found |= pairs & (pairs >> (step * TWO))
        return found != ZERO

    return completing, has_line


@functools.cache
def make_key(width: int, height: int) -> Any:
    """Make ``key(mine, mask, stones)``: of two mirrored positions early in the game the same."""
    stride, column = np.uint64(height + 1), np.uint64((1 << (height + 1)) - 1)

    @kernel(variant=(width, height), allocates=False)
    def key(mine, mask, stones):
        found = mine + mask
        if stones > EARLY:
            return found
        mirrored, rest = ZERO, found
        for _ in range(width):
            mirrored = mirrored << stride | rest & column
            rest >>= stride
        return min(found, mirrored)

    return key


@functools.cache
def make_claimeven(width: int, height: int) -> Any:
    """Make ``claimeven(mine, mask)``: an upper bound for the side to move without search.

    Where every column has an even number of empty cells left, the other side can answer each stone
    in the same column: then it gets every second empty cell of each column, the upper one of a
    pair. If the side to move has no line with all the others, it cannot win; if the other side
    has one with its own, it wins.
    """
    board = Layout(width, height)
    full, bottom = np.uint64(board.cells), np.uint64(board.bottom)
    lower_cells, upper_cells = (
        np.uint64(sum(board.row(row) for row in range(height) if (height - row) % 2 == odd))
        for odd in (0, 1)
    )
    has_line = make_lines(width, height)[1]
    unknown = width * height

    @kernel(variant=(width, height), allocates=False)
    def claimeven(mine, mask):
        if (mask + bottom) & upper_cells & full:
            return unknown
        empty = full & ~mask
        if has_line(mine | empty & lower_cells):
            return unknown
        return -1 if has_line((mine ^ mask) | empty & upper_cells) else 0

    return claimeven


@functools.cache
def make_safe_moves(width: int, height: int) -> Any:
    """Make ``safe_moves(mine, mask)``: the cells to play so that the other side cannot win at once.

    There is none where it can anyway. The side to move must not be able to win at once itself.
    """
    board = Layout(width, height)
    full, bottom = np.uint64(board.cells), np.uint64(board.bottom)
    completing = make_lines(width, height)[0]

    @kernel(variant=(width, height), allocates=False)
    def safe_moves(mine, mask):
        threats = completing(mine ^ mask) & full & ~mask
        moves = (mask + bottom) & full
        if moves & threats:
            moves &= threats
            if moves & (moves - ONE):
                return ZERO
        return moves & ~(threats >> ONE)  # nor below a cell where it would make a line

    return safe_moves


@functools.cache
def make_can_win(width: int, height: int) -> Any:
    """Make ``can_win(mine, mask)``: whether the side to move can win at once."""
    board = Layout(width, height)
    full, bottom = np.uint64(board.cells), np.uint64(board.bottom)
    completing = make_lines(width, height)[0]

    @kernel(variant=(width, height), allocates=False)
    def can_win(mine, mask):
        return (completing(mine) & (mask + bottom) & full) != ZERO

    return can_win


@functools.cache
def make_order(width: int, height: int) -> Any:
    """Make ``threats_made(mine, mask, moves)``: how promising the moves are.

    A byte for each column, center first: the threats that a stone there would make, and one more.
    """
    full = np.uint64(Layout(width, height).cells)
    columns = center_first(width, height)
    completing = make_lines(width, height)[0]

    @kernel(variant=(width, height), allocates=False)
    def threats_made(mine, mask, moves):
        order = ZERO
        for i in range(width):
            move = moves & columns[i]
            if move:
                made = completing(mine | move) & full & ~(mask | move)
                order |= (popcount(made) + ONE) << np.uint64(8 * i)
        return order

    @kernel(variant=(width, height), allocates=False)
    def most_promising(order):
        most, at = ZERO, 0
        for i in range(width):
            made = order >> np.uint64(8 * i) & BYTE
            if made > most:
                most, at = made, i
        return at

    return threats_made, most_promising


@functools.cache
def make_refuting(width: int, height: int) -> Any:
    """Make ``refuting(mine, mask, stones, moves, than, table, bits)``.

    It looks all moves up in the table and returns a lower bound above ``than`` if one has it
    (enhanced transposition cut-off).
    """
    columns, key = center_first(width, height), make_key(width, height)

    @kernel(variant=(width, height), allocates=False)
    def refuting(mine, mask, stones, moves, than, table, bits):
        theirs, slots = mine ^ mask, (ONE << bits) - ONE
        for i in range(width):
            if moves & columns[i]:
                after = mask | moves & columns[i]
                code = scattered(key(theirs, after, stones + 1))
                entry = table[code & slots]
                if entry and tag_of(entry) == code >> bits and -upper_of(entry) > than:
                    return -upper_of(entry)
        return than

    @kernel(variant=(width, height), allocates=False)
    def fetch(mine, mask, stones, moves, table, bits):
        """Bring the entries of all moves into the cache while something else is computed."""
        theirs, slots = mine ^ mask, (ONE << bits) - ONE
        for i in range(width):
            if moves & columns[i]:
                after = mask | moves & columns[i]
                prefetch(table, scattered(key(theirs, after, stones + 1)) & slots)

    return refuting, fetch


@functools.cache
def make_above(width: int, height: int) -> Any:
    """Make ``above(mine, mask, stones, than, table, bits, work)``: a null-window search.

    It returns a score: above ``than`` it is a lower bound of the position's, else an upper bound.
    The side to move must not be able to win at once. ``table`` has 2 ** ``bits`` entries. With
    more positions in ``work`` than allowed, the result means nothing.
    """
    n_cells, columns = width * height, center_first(width, height)
    key, safe_moves = make_key(width, height), make_safe_moves(width, height)
    claimeven, (refuting, fetch) = make_claimeven(width, height), make_refuting(width, height)
    threats_made, most_promising = make_order(width, height)

    @kernel(variant=(width, height), allocates=False)
    def above(mine, mask, stones, than, table, bits, work):
        work[0] += 1
        if work[0] > work[1]:
            return than
        code = scattered(key(mine, mask, stones))
        slot, tag = code & ((ONE << bits) - ONE), code >> bits
        prefetch(table, slot)
        moves, left = safe_moves(mine, mask), n_cells - stones
        if moves == ZERO:
            return -(left // 2)
        if left <= 2:
            return 0
        lower, upper = -((left - 2) // 2), (left - 1) // 2  # neither side wins with its next stone
        if lower > than:
            return lower
        if than < upper:
            upper = min(upper, claimeven(mine, mask))
        if upper <= than:
            return upper
        entry = table[slot]
        if entry and tag_of(entry) == tag:
            if lower_of(entry) > than:
                return lower_of(entry)
            if upper_of(entry) <= than:
                return upper_of(entry)
        order = ZERO
        if moves & (moves - ONE):
            if left >= FEW_LEFT:
                fetch(mine, mask, stones, moves, table, bits)
            order = threats_made(mine, mask, moves)
            if left >= FEW_LEFT:
                known = refuting(mine, mask, stones, moves, than, table, bits)
                if known > than:
                    return known
        best, move = -n_cells, moves
        while True:
            if order:
                at = most_promising(order)
                move = moves & columns[at]
                order &= ~(BYTE << np.uint64(8 * at))
            found = -above(mine ^ mask, mask | move, stones + 1, -than - 1, table, bits, work)
            best = max(best, found)
            if best > than or order == ZERO:
                break
        if work[0] <= work[1]:
            keep(table, slot, tag, lower, upper, best, than)
        return best

    return above


@functools.cache
def make_opening(width: int, height: int) -> Any:
    """Make ``opening(mine, mask, stones, than, table, bits, work, book, deepest)``.

    It is ``above`` with a book of positions of up to ``deepest`` stones.
    """
    n_cells, columns = width * height, center_first(width, height)
    key, safe_moves = make_key(width, height), make_safe_moves(width, height)
    above = make_above(width, height)

    @kernel(variant=(width, height), allocates=False)
    def opening(mine, mask, stones, than, table, bits, work, book, deepest):
        if stones > deepest:
            return above(mine, mask, stones, than, table, bits, work)
        work[0] += 1
        known = book_score(book, key(mine, mask, stones))
        if known != MISSING:
            return known
        moves = safe_moves(mine, mask)
        best = -((n_cells - stones) // 2)
        for i in range(width):
            if moves & columns[i] and best <= than and work[0] <= work[1]:
                after = mask | moves & columns[i]
                found = -opening(
                    *(mine ^ mask, after, stones + 1, -than - 1),
                    *(table, bits, work, book, deepest),
                )
                best = max(best, found)
        return best

    return opening


@functools.cache
def make_narrow(width: int, height: int) -> Any:
    """Make ``narrow(mine, mask, stones, bounds, window, table, bits, work, book, deepest)``.

    It narrows ``bounds`` (lower, upper), which hold, in place, until they decide the window.
    """
    opening = make_opening(width, height)

    @kernel(variant=(width, height), allocates=False)
    def narrow(mine, mask, stones, bounds, window, table, bits, work, book, deepest):
        while max(bounds[0], window[0]) < min(bounds[1], window[1]):
            than = middle(max(bounds[0], window[0]), min(bounds[1], window[1]))
            found = opening(mine, mask, stones, than, table, bits, work, book, deepest)
            if work[0] > work[1]:
                break
            if found > than:
                bounds[0] = max(bounds[0], found)
            else:
                bounds[1] = min(bounds[1], found)

    return narrow


@functools.cache
def make_exact(width: int, height: int) -> Any:
    """Make ``exact(mine, mask, table, bits, work, book, deepest)``: a position's score.

    The position must not be over, nor ``work`` limited.
    """
    opening, can_win, n_cells = (
        make_opening(width, height),
        make_can_win(width, height),
        width * height,
    )

    @kernel(variant=(width, height), allocates=False)
    def exact(mine, mask, table, bits, work, book, deepest):
        stones = np.int64(popcount(mask))
        left = n_cells - stones
        if can_win(mine, mask):
            return (left + 1) // 2
        lower, upper = -(left // 2), (left - 1) // 2
        while lower < upper:
            than = middle(lower, upper)
            found = opening(mine, mask, stones, than, table, bits, work, book, deepest)
            if found > than:
                lower = found
            else:
                upper = found
        return lower

    return exact
