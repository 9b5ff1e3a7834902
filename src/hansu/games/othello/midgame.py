"""Alpha-beta search of Othello's midgame on the pattern evaluation.

A value is the expected lead of the side to move at the end, in ``UNIT``s of a disc. Principal
variation search: the first move with a full window, the others with a null window. Where a shallow
search shows that a value is very likely outside the window, the deep one is left out (Buro's
ProbCut). With few squares left the exact search takes over.
"""

from typing import Any, NamedTuple

import numpy as np

from hansu.games.othello.endgame import CORNERS, LIST, above, next_move
from hansu.games.othello.last_squares import final_score
from hansu.games.othello.lines import flips, to_play
from hansu.games.othello.patterns import MOST_MOVES, summed
from hansu.games.othello.position_table import scattered_pair
from hansu.games.value_table import (
    depth_of,
    find_value,
    keep_value,
    lower_value,
    move_in,
    upper_value,
)
from hansu.kernel import below, bit, kernel, lowest, popcount

ZERO, ONE = np.uint64(0), np.uint64(1)
UNIT = 32  # of a disc
WEIGHT = 8  # of the weights in a UNIT
WORST = 64 * UNIT  # a value is between its negative and this
EXACT = 10  # empty squares: until then searched to the end, with null windows
ORDERED = 3  # plies: from then on moves are ordered by the evaluation
LEAST_CUT = 3  # plies of the shallowest search that may be left out
UNKNOWN = -32768  # no value
NO_MOVE = np.uint64(64)


class Memory(NamedTuple):
    """What searches share, and each one's own working memory."""

    weights: Any  # [patterns.SIZE] int16
    values: Any  # transposition table of this search
    value_bits: Any
    table: Any  # of the exact search
    bits: Any
    busy: Any
    lists: Any  # [65 * LIST] int64, of one thread
    places: Any  # [PADDED] uint16, of one thread
    work: Any  # [2] int64: positions visited, positions allowed


@kernel(allocates=False)
def static_value(mine, theirs, memory):
    """Return the evaluation; the side to move must have a move."""
    my_moves = min(np.int64(popcount(to_play(mine, theirs))), MOST_MOVES)
    their_moves = min(np.int64(popcount(to_play(theirs, mine))), MOST_MOVES)
    total = summed(
        *(mine, theirs, my_moves, their_moves),
        *(memory.weights, memory.places, np.int64(0)),
    )
    return min(max(total // WEIGHT, 1 - WORST), WORST - 1)


@kernel(allocates=False)
def leaf_value(mine, theirs, memory):
    """Return the value of a leaf, also where the side to move must pass or the game is over."""
    if to_play(mine, theirs):
        return static_value(mine, theirs, memory)
    if to_play(theirs, mine):
        return -static_value(theirs, mine, memory)
    return UNIT * final_score(mine, theirs)


@kernel(allocates=False)
def list_values(mine, theirs, left, depth, moves, data, memory):
    """Write the moves with their promise, in one number each; return their number."""
    at, lists = left * LIST, memory.lists
    hinted = move_in(data) if data else NO_MOVE
    while moves:
        square = lowest(moves)
        moves = below(moves)
        turns = flips(square, mine, theirs)
        other, after = theirs ^ turns, mine | turns | bit(square)
        if square == hinted:
            value = 1 << 30
        elif depth >= ORDERED:
            value = -leaf_value(other, after, memory)
        else:
            replies = to_play(other, after)
            value = -np.int64(popcount(replies) + popcount(replies & CORNERS))
        lists[at] = value << 8 | np.int64(square)
        at += 1
    return at - left * LIST


@kernel(allocates=False)
def exact_value(mine, theirs, left, alpha, memory):
    """Return a bound of the value by the exact search: above alpha a lower one, else an upper."""
    than = (alpha // UNIT) | 1
    score = above(
        *(mine, theirs, left, than, memory.table, memory.bits, memory.busy),
        *(memory.lists, memory.work),
    )
    return UNIT * score


@kernel(allocates=False)
def rank_of(depth, cut):
    """Return how much a search is worth: its depth, and whether it leaves something out."""
    return 2 * depth + int(cut == 0)


@kernel(allocates=False)
def known_value(data, depth, alpha, beta, cut):
    """Return a value from the table that decides, or UNKNOWN."""
    if data and depth_of(data) >= rank_of(depth, cut):
        lower, upper = lower_value(data), upper_value(data)
        if lower == upper:
            return lower
        if beta == alpha + 1:
            if lower >= beta:
                return lower
            if upper <= alpha:
                return upper
    return UNKNOWN


@kernel(allocates=False)
def half(depth):
    """Return half a depth, odd or even as the whole one is: values swing from ply to ply."""
    return (depth // 2) & ~1 | depth & 1


@kernel(allocates=False)
def deviation(depth, left):
    """Return how far a search to half the depth is off, as one standard deviation.

    Measured on 480 positions of tournament games: 2.7 discs until 30 squares are left, 4 with 16.
    """
    late = max(0, 30 - left) * 3
    return 96 + late + (24 if depth == LEAST_CUT else 0)


@kernel(allocates=False)
def search(
    mine: Any,
    theirs: Any,
    left: Any,
    depth: Any,
    alpha: Any,
    beta: Any,
    cut: Any,
    memory: Any,
) -> Any:
    """Return the value of a position to a depth, or a bound of it outside (alpha, beta).

    ``cut`` is how many standard deviations make a shallow search believed, in tenths; 0 leaves
    nothing out. With more positions in ``work`` than allowed, the result means nothing.
    """
    work = memory.work
    work[0] += 1
    if work[0] > work[1]:
        return alpha
    moves = to_play(mine, theirs)
    if not moves:
        if not to_play(theirs, mine):
            return UNIT * final_score(mine, theirs)
        return -search(theirs, mine, left, depth, -beta, -alpha, cut, memory)
    if depth <= 0:
        return static_value(mine, theirs, memory)
    is_null = beta == alpha + 1
    if depth >= left and left <= EXACT and is_null:
        return exact_value(mine, theirs, left, alpha, memory)
    first, second = scattered_pair(mine, theirs)
    data = find_value(memory.values, memory.value_bits, first, second) if depth > 1 else ZERO
    value = known_value(data, depth, alpha, beta, cut)
    if value != UNKNOWN:
        return value
    if cut and is_null and depth >= LEAST_CUT and left > EXACT:
        shallow = half(depth)
        margin, value = cut * deviation(depth, left) // 10, static_value(mine, theirs, memory)
        high, low = beta + margin, alpha - margin
        if value >= beta and high < WORST:
            value = search(mine, theirs, left, shallow, high - 1, high, cut, memory)
        elif value <= alpha and low > -WORST:
            value = search(mine, theirs, left, shallow, low, low + 1, cut, memory)
        if value >= high:
            return beta
        if value <= low:
            return alpha
    begin = left * LIST
    end = begin + list_values(mine, theirs, left, depth, moves, data, memory)
    best, chosen, floor = -WORST - 1, NO_MOVE, alpha
    for at in range(begin, end):
        square = np.uint64(next_move(memory.lists, at, end) & 63)
        turns = flips(square, mine, theirs)
        other, after = theirs ^ turns, mine | turns | bit(square)
        if at == begin:
            value = -search(other, after, left - 1, depth - 1, -beta, -floor, cut, memory)
        else:
            value = -search(other, after, left - 1, depth - 1, -floor - 1, -floor, cut, memory)
            if floor < value < beta:
                value = -search(other, after, left - 1, depth - 1, -beta, 1 - value, cut, memory)
        if work[0] > work[1]:
            return alpha
        if value > best:
            best, chosen = value, square
            if best >= beta:
                break
            floor = max(floor, best)
    if depth > 1:
        lower, upper = best if best > alpha else -WORST, best if best < beta else WORST
        keep_value(
            *(memory.values, memory.value_bits, first, second),
            *(rank_of(depth, cut), lower, upper, chosen),
        )
    return best
