"""The last squares of an Othello game: exact scores with up to four empty squares.

A score is the lead in discs of the side to move at the end, empties counted for the winner. With
two empty squares and more it is a bound: above ``than`` a lower one, else an upper one. Squares are
tried in the order in which they are passed, but for three and four one alone in its quarter of the
board first (parity: who plays last in a region gains there).
"""

from typing import Any

import numpy as np

from hansu.games.othello.lines import flips
from hansu.kernel import bit, kernel, lowest, popcount

NONE = -128  # below every score
ZERO, ONE, TWO, FOUR = (np.uint64(n) for n in (0, 1, 2, 4))


@kernel(allocates=False)
def final_score(mine: Any, theirs: Any) -> Any:
    """Return the score of a game that is over."""
    own, other = np.int64(popcount(mine)), np.int64(popcount(theirs))
    if own > other:
        return 64 - 2 * other
    return 2 * own - 64 if own < other else 0


@kernel(allocates=False)
def last_one(mine, theirs, a):
    """Return the score with one empty square."""
    own = np.int64(popcount(mine))
    gained = flips(a, mine, theirs)
    if gained:
        return 2 * (own + np.int64(popcount(gained))) - 62
    lost = flips(a, theirs, mine)
    if lost:
        return 2 * (own - np.int64(popcount(lost))) - 64
    return 2 * own - 62 if own >= 32 else 2 * own - 64


@kernel(allocates=False)
def last_two(mine, theirs, a, b, than):
    """Return the score with two empty squares."""
    best = NONE
    turns = flips(a, mine, theirs)
    if turns:
        best = -last_one(theirs ^ turns, mine | turns | bit(a), b)
        if best > than:
            return best
    turns = flips(b, mine, theirs)
    if turns:
        best = max(best, -last_one(theirs ^ turns, mine | turns | bit(b), a))
    if best > NONE:
        return best
    worst = -NONE
    turns = flips(a, theirs, mine)
    if turns:
        worst = last_one(mine ^ turns, theirs | turns | bit(a), b)
        if worst <= than:
            return worst
    turns = flips(b, theirs, mine)
    if turns:
        worst = min(worst, last_one(mine ^ turns, theirs | turns | bit(b), a))
    return worst if worst < -NONE else final_score(mine, theirs)


@kernel(allocates=False)
def best_of_three(mine, theirs, a, b, c, than):
    """Return the best score with three empty squares, or NONE if none can be played on."""
    best = NONE
    turns = flips(a, mine, theirs)
    if turns:
        best = -last_two(theirs ^ turns, mine | turns | bit(a), b, c, -than)
        if best > than:
            return best
    turns = flips(b, mine, theirs)
    if turns:
        best = max(best, -last_two(theirs ^ turns, mine | turns | bit(b), a, c, -than))
        if best > than:
            return best
    turns = flips(c, mine, theirs)
    if turns:
        best = max(best, -last_two(theirs ^ turns, mine | turns | bit(c), a, b, -than))
    return best


@kernel(allocates=False)
def quarter(square):
    """Return the quarter of the board where a square is: 0 to 3."""
    return square >> TWO & ONE | square >> FOUR & TWO


@kernel(allocates=False)
def last_three(mine, theirs, a, b, c, than):
    """Return the score with three empty squares."""
    if quarter(a) == quarter(b):
        a, c = c, a
    elif quarter(a) == quarter(c):
        a, b = b, a
    best = best_of_three(mine, theirs, a, b, c, than)
    if best > NONE:
        return best
    best = best_of_three(theirs, mine, a, b, c, -than)
    return -best if best > NONE else final_score(mine, theirs)


@kernel(allocates=False)
def best_of_four(mine, theirs, empty, odd, than):
    """Return the best score with four empty squares, or NONE if none can be played on."""
    best = NONE
    for first in (empty & odd, empty & ~odd):
        left = first
        while left:
            a = lowest(left)
            left &= left - ONE
            turns = flips(a, mine, theirs)
            if turns:
                rest = empty ^ bit(a)
                b = lowest(rest)
                rest &= rest - ONE
                c = lowest(rest)
                d = lowest(rest & (rest - ONE))
                score = -last_three(theirs ^ turns, mine | turns | bit(a), b, c, d, -than)
                best = max(best, score)
                if best > than:
                    return best
    return best


@kernel(allocates=False)
def last_four(mine, theirs, odd, than):
    """Return the score with four empty squares; ``odd`` are the quarters with an odd number."""
    empty = ~(mine | theirs)
    best = best_of_four(mine, theirs, empty, odd, than)
    if best > NONE:
        return best
    best = best_of_four(theirs, mine, empty, odd, -than)
    return -best if best > NONE else final_score(mine, theirs)
