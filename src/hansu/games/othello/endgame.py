"""Null-window search of Othello's endings: is a position worth more than a score, or not?

A position is the discs of the side to move, ``mine``, and of the other side, ``theirs``, with
``left`` empty squares. Scores are even, as those of ``last_squares``; ``than`` is odd.

Moves that leave the other side few replies are tried first (fastest first), before them the move
that the transposition table knows. It is asked about all moves before any is searched (enhanced
transposition cut-offs). Stable discs bound a position without search. Near the end nothing of this
pays but parity: squares in regions with an odd number of empties first.

Threads share a position: each leaves moves that another thread is just searching for later
(Weill's ABDADA, as Kerrigan simplified it), and finds their results in the table then.
"""

from typing import Any

import numpy as np

from hansu.games.othello.last_squares import (
    NONE,
    final_score,
    last_four,
    last_one,
    last_three,
    last_two,
)
from hansu.games.othello.lines import flips, to_play
from hansu.games.othello.position_table import (
    MOST,
    find,
    keep,
    lower_of,
    move_of,
    scattered_pair,
    upper_of,
)
from hansu.games.othello.stability import stable
from hansu.games.value_table import place_of
from hansu.kernel import below, bit, kernel, lowest, popcount, prefetch

ZERO, ONE, EIGHT = np.uint64(0), np.uint64(1), np.uint64(8)
QUARTERS = tuple(np.uint64(0x0F0F0F0F << shift) for shift in (0, 4, 32, 36))
CORNERS = np.uint64(0x8100000000000081)
NOT_A, NOT_H = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)

SHALLOW = 7  # empties: until then without table, and ordered by parity alone
LOOK_AHEAD = 10  # empties: from then on all moves are looked up first
SHARED = 13  # empties: from then on threads leave each other's moves for later
BUSY = np.uint64(2**12 - 1)  # places for the positions that threads are searching
LIST = 64  # moves at most

# How promising a move is: each square the other side can play on then, or that is beside my discs.
REPLY, FRONTIER, CORNER, ODD = 32768, 32, 16384, 64
HINTED, WIPED_OUT = 2**30, 2**31
LATER, PUT_OFF = 128, 2**45  # marks a move that another thread is searching; it becomes the last

# The least score from which stable discs are counted: below it they rarely decide.
STABLE_FROM = np.array([99] * 5 + [8, 10, 12, 14, 16, *range(20, 49, 2), *[48] * 40], np.int64)


@kernel(allocates=False)
def odd_quarters(empty: Any) -> Any:
    """Return the quarters of the board with an odd number of empty squares."""
    odd = ZERO
    for part in QUARTERS:
        if popcount(empty & part) & ONE:
            odd |= part
    return odd


@kernel(allocates=False)
def stable_upper(mine, theirs):
    """Return an upper bound of the score: what is stable stays theirs."""
    return MOST - 2 * np.int64(popcount(stable(theirs, mine)))


@kernel(allocates=False)
def shallow(mine, theirs, left, than, work):
    """Return a bound of the score with five to ``SHALLOW`` empty squares."""
    work[0] += 1
    if than >= STABLE_FROM[left]:
        upper = stable_upper(mine, theirs)
        if upper <= than:
            return upper
    moves = to_play(mine, theirs)
    if not moves:
        if not to_play(theirs, mine):
            return final_score(mine, theirs)
        return -shallow(theirs, mine, left, -than, work)
    odd, best = odd_quarters(~(mine | theirs)), NONE
    odd_moves = moves & odd
    even_moves = moves ^ odd_moves
    for part in (
        odd_moves & CORNERS,
        odd_moves & ~CORNERS,
        even_moves & CORNERS,
        even_moves & ~CORNERS,
    ):
        rest = part
        while rest:
            square = lowest(rest)
            rest = below(rest)
            turns = flips(square, mine, theirs)
            other, after = theirs ^ turns, mine | turns | bit(square)
            if left == 5:
                score = -last_four(other, after, odd_quarters(~(other | after)), -than)
            else:
                score = -shallow(other, after, left - 1, -than, work)
            best = max(best, score)
            if best > than:
                return best
    return best


@kernel(allocates=False)
def last_few(mine, theirs, left, than):
    """Return a bound of the score with one to four empty squares."""
    empty = ~(mine | theirs)
    a, b = lowest(empty), lowest(below(empty))
    if left == 1:
        return last_one(mine, theirs, a)
    if left == 2:
        return last_two(mine, theirs, a, b, than)
    if left == 3:
        return last_three(mine, theirs, a, b, lowest(below(below(empty))), than)
    return last_four(mine, theirs, odd_quarters(empty), than)


@kernel(allocates=False)
def frontier(discs, empty):
    """Return how many empty squares are beside some discs."""
    near = discs | (discs & NOT_H) << ONE | (discs & NOT_A) >> ONE
    return np.int64(popcount((near | near << EIGHT | near >> EIGHT) & empty))


@kernel(allocates=False)
def promise(square: Any, other: Any, after: Any, odd: Any) -> Any:
    """Return how promising a move is after which these are the discs; fewer replies are better."""
    replies, empty = to_play(other, after), ~(other | after)
    value = -REPLY * np.int64(popcount(replies) + popcount(replies & CORNERS))
    value -= FRONTIER * frontier(after, empty)
    if square & odd:
        value += ODD
    if square & CORNERS:
        value += CORNER
    return value if other else WIPED_OUT


@kernel(allocates=False)
def list_moves(mine, theirs, left, than, moves, table, bits, lists):
    """Write the moves with their promise, in one number each; return their number.

    If the table knows that one is worth more than ``than``, return ``NONE`` minus its score.
    """
    first, second = scattered_pair(mine, theirs)
    data = find(table, bits, first, second)
    hinted = move_of(data, moves) if data else ZERO
    odd, at = odd_quarters(~(mine | theirs)), left * LIST
    while moves:
        square = lowest(moves)
        moves = below(moves)
        turns = flips(square, mine, theirs)
        other, after = theirs ^ turns, mine | turns | bit(square)
        if left >= LOOK_AHEAD:
            first, second = scattered_pair(other, after)
            known = find(table, bits, first, second)
            if known and -upper_of(known) > than:
                return NONE + upper_of(known)
        value = HINTED if bit(square) & hinted else promise(bit(square), other, after, odd)
        lists[at] = value << 8 | np.int64(square)
        at += 1
    return at - left * LIST


@kernel(allocates=False)
def next_move(lists, begin, end):
    """Bring the most promising move to the front and return its entry."""
    best = begin
    for at in range(begin + 1, end):
        if lists[at] > lists[best]:
            best = at
    entry = lists[best]
    lists[best] = lists[begin]
    lists[begin] = entry
    return entry


@kernel(allocates=False)
def known_bound(table, bits, first, second, than):
    """Return a bound from the table that decides, or NONE."""
    data = find(table, bits, first, second)
    if data:
        if lower_of(data) > than:
            return lower_of(data)
        if upper_of(data) <= than:
            return upper_of(data)
    return NONE


@kernel(allocates=False)
def bound_at_once(mine, theirs, left, than, table, bits, first, second):
    """Return a bound that decides without search, or NONE."""
    if than >= STABLE_FROM[left]:
        upper = stable_upper(mine, theirs)
        if upper <= than:
            return upper
    return known_bound(table, bits, first, second, than)


@kernel(allocates=False)
def remember(table, bits, first, second, than, best, moves, move):
    """Write what a search has found, beside what the table knows by now."""
    lower, upper, data = -MOST, MOST, find(table, bits, first, second)
    if data:
        lower, upper = lower_of(data), upper_of(data)
    if best > than:
        lower = max(lower, best)
    else:
        upper = min(upper, best)
    keep(table, bits, first, second, lower, upper, moves, move)


@kernel(allocates=False)
def above(
    mine: Any,
    theirs: Any,
    left: Any,
    than: Any,
    table: Any,
    bits: Any,
    busy: Any,
    lists: Any,
    work: Any,
) -> Any:
    """Return a score: above ``than`` it is a lower bound of the position's, else an upper bound.

    ``table`` has 2 ** ``bits`` entries. With more positions in ``work`` than allowed, the result
    means nothing. Positions with fewer than five empty squares are not counted.
    """
    if left <= SHALLOW:
        if left < 5:
            return last_few(mine, theirs, left, than)
        return shallow(mine, theirs, left, than, work)
    work[0] += 1
    if work[0] > work[1]:
        return than
    first, second = scattered_pair(mine, theirs)
    prefetch(table, place_of(bits, second))
    moves = to_play(mine, theirs)
    if not moves:
        if not to_play(theirs, mine):
            return final_score(mine, theirs)
        return -above(theirs, mine, left, -than, table, bits, busy, lists, work)
    bound = bound_at_once(mine, theirs, left, than, table, bits, first, second)
    if bound > NONE:
        return bound
    begin = left * LIST
    end = begin + list_moves(mine, theirs, left, than, moves, table, bits, lists)
    if end < begin:
        return NONE - (end - begin)
    best, move = NONE, ZERO
    while begin < end:
        entry = next_move(lists, begin, end)
        square = np.uint64(entry & 63)
        turns = flips(square, mine, theirs)
        other, after = theirs ^ turns, mine | turns | bit(square)
        code, place = ZERO, ZERO
        if left >= SHARED:
            bound = known_bound(table, bits, first, second, than)  # by another thread, meanwhile
            if bound > NONE:
                return bound
            one, code = scattered_pair(other, after)
            place = one & BUSY
            if busy[place] == code and best > NONE and not entry & LATER:
                lists[begin] = (entry | LATER) - PUT_OFF
                continue
            if busy[place] == ZERO:
                busy[place] = code
        score = -above(other, after, left - 1, -than, table, bits, busy, lists, work)
        if left >= SHARED and busy[place] == code:
            busy[place] = ZERO
        if work[0] > work[1]:
            return than
        if score > best:
            best, move = score, square
        if best > than:
            break
        begin += 1
    remember(table, bits, first, second, than, best, moves, move)
    return best
