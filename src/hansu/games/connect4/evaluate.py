"""An evaluation by open lines and the discs in them."""

import numpy as np

from hansu.games.connect4.rules import BOARD, HEIGHT, ONE, TWO, UP, board_cells
from hansu.kernel import kernel, popcount

THREE = np.uint64(3)
# What a line of four cells without an enemy disc is worth, by the number of own discs in it.
NONE_YET, ONE_DISC, TWO_DISCS, THREE_DISCS = 1, 3, 9, 27


@kernel
def open_lines(mine, theirs, board=BOARD, height=HEIGHT):
    """Return the worth of all lines of four that the other side has not closed.

    All lines of a direction are counted at once: bit i of a word speaks of the line that begins
    at cell i, and a line's number of discs is written in binary across two words.
    """
    free = board & ~theirs
    worth = 0
    for step in (UP, height, height + ONE, height + TWO):
        first, second = mine, mine >> step
        third, fourth = mine >> (step * TWO), mine >> (step * THREE)
        odd = first ^ second ^ third ^ fourth
        two_or_three = (first & second) ^ (third & fourth) ^ ((first ^ second) & (third ^ fourth))
        pairs = free & (free >> step)
        lines = pairs & (pairs >> (step * TWO))
        worth += NONE_YET * np.int64(popcount(lines & ~odd & ~two_or_three))
        worth += ONE_DISC * np.int64(popcount(lines & odd & ~two_or_three))
        worth += TWO_DISCS * np.int64(popcount(lines & ~odd & two_or_three))
        worth += THREE_DISCS * np.int64(popcount(lines & odd & two_or_three))
    return worth


@kernel
def evaluate(pos):
    """Return the first player's share of the open lines' worth; a half when none is left."""
    board = board_cells(pos)
    mine = open_lines(pos.mine, pos.theirs, board, pos.height)
    theirs = open_lines(pos.theirs, pos.mine, board, pos.height)
    if mine + theirs == 0:
        return 0.5
    share = mine / (mine + theirs)
    return 1.0 - share if pos.second else share
