"""What an entry of three bytes says; docs/design/tablebases.md explains it.

A rank is a number of turns: within so many, one side reaches its goal whatever the other does.

    mate    0: nobody can force mate; else 1 + the turns to mate, which is odd if the side to move
            mates and even if it is mated
    own     what the side to move can make sure of: 0 nothing, 1 + rank a draw, 128 + rank a win
    other   the same for the other side

If one side has a win, the other has nothing, and its byte is 1 + the rank of the winner's draw.
"""

import numpy as np

from hansu.kernel import kernel

MATE, WIN, DRAW = range(3)  # goals: what a side wants at least
NEVER = 255  # the rank of a goal that cannot be forced
WON = 128
MOST_DRAW, MOST_WIN, MOST_MATE = 126, 127, 253  # ranks that fit; greater ones count as never


@kernel(allocates=False)
def rank_in(mate, own, other, is_mover, goal):
    """Return the rank of a goal in an entry, for the side to move or the other one."""
    if goal == MATE:
        turns = np.int64(mate) - 1
        return turns if mate and (turns & 1 == 1) == is_mover else NEVER
    mine, theirs = np.int64(own), np.int64(other)
    if not is_mover:
        mine, theirs = theirs, mine
    if goal == WIN:
        return mine - WON if mine >= WON else NEVER
    if mine >= WON:
        return theirs - 1 if theirs else NEVER
    return NEVER if theirs >= WON or mine == 0 else mine - 1


@kernel(allocates=False)
def mate_byte(mover, other):
    """Return an entry's first byte, from both sides' ranks of mate."""
    if mover <= MOST_MATE:
        return mover + 1
    return other + 1 if other <= MOST_MATE else 0


@kernel(allocates=False)
def result_bytes(win, draw, other_win, other_draw):
    """Return an entry's other two bytes, from the mover's ranks and the other side's."""
    mine = draw + 1 if draw <= MOST_DRAW else 0
    theirs = other_draw + 1 if other_draw <= MOST_DRAW else 0
    if win <= MOST_WIN:
        return win + WON, mine
    if other_win <= MOST_WIN:
        return theirs, other_win + WON
    return mine, theirs
