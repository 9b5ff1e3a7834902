"""Othello rules on two sets of squares.

Squares are numbered row by row from the top left, a1 = 0 to h8 = 63:

       a  b  c  d  e  f  g  h
    1  0  1  2  3  4  5  6  7        one step right            +1
    2  8  9 10 11 12 13 14 15        one step down             +8
    3 16 17 18 19 20 21 22 23        down and right            +9
    4 24 25 26  O  X 29 30 31        down and left             +7
    5 32 33 34  X  O 37 38 39
    6 40 41 42 43 44 45 46 47        X Black, who begins
    7 48 49 50 51 52 53 54 55        O White
    8 56 57 58 59 60 61 62 63

A move is the square to put a disc on, or 64 to pass. One passes exactly when one has no square to
play on and the other side has.

All squares are looked at together: a set shifted by 8 is the set of their lower neighbours. Discs
of the other side that lie in a row between a disc of mine and an empty square form a *run*.
"""

from typing import NamedTuple

import numpy as np

from hansu.kernel import below, bit, kernel, lowest, mix, nth_bit, popcount, random_below

PASS = 64

MAX_MOVES = 64  # far more than any game offers, but any board may be set up
USES_PATH = False
PERFT_COUNTS_FINISHED = True  # as the published counts do, from depth 10 on
ENDINGS = ("", "board_full", "no_moves")
BOARD_FULL, NO_MOVES = 1, 2

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
FULL = ~ZERO
INNER = np.uint64(0x7E7E7E7E7E7E7E7E)  # files b to g: a run across files cannot go through a or h
RIGHT, DOWN_LEFT, DOWN, DOWN_RIGHT = (np.uint64(step) for step in (1, 7, 8, 9))


class Position(NamedTuple):
    """The discs of the side to move and of the other side, as sets."""

    ply: np.uint64
    second: np.uint64  # 1 when the second player, White, is to move
    mine: np.uint64
    theirs: np.uint64


@kernel
def run_on(start, through, step):
    """Return the squares of ``through`` reached from ``start`` by steps to higher numbers.

    A run has six squares at most; each of the four lines reaches one or two squares further.
    """
    run = through & (start << step)
    run |= through & (run << step)
    pairs = through & (through << step)
    run |= pairs & (run << (step * TWO))
    run |= pairs & (run << (step * TWO))
    return run


@kernel
def run_back(start, through, step):
    """Return the same by steps to lower numbers."""
    run = through & (start >> step)
    run |= through & (run >> step)
    pairs = through & (through >> step)
    run |= pairs & (run >> (step * TWO))
    run |= pairs & (run >> (step * TWO))
    return run


@kernel
def run_ends(mine, through, step):
    """Return the squares just behind the runs that begin beside my discs, to either side."""
    return (run_on(mine, through, step) << step) | (run_back(mine, through, step) >> step)


@kernel
def squares_to_play(mine, theirs):
    """Return the empty squares where a disc would turn some of theirs over."""
    inner = theirs & INNER
    ends = run_ends(mine, inner, RIGHT) | run_ends(mine, inner, DOWN_LEFT)
    ends |= run_ends(mine, inner, DOWN_RIGHT) | run_ends(mine, theirs, DOWN)
    return ends & ~(mine | theirs)


@kernel
def enclosed(disc, mine, through, step):
    """Return the discs between a new one and mine in one direction and its opposite."""
    on, back = run_on(disc, through, step), run_back(disc, through, step)
    if not mine & (on << step):
        on = ZERO
    if not mine & (back >> step):
        back = ZERO
    return on | back


@kernel
def turned(disc, mine, theirs):
    """Return the discs of theirs that a new disc of mine turns over."""
    inner = theirs & INNER
    discs = enclosed(disc, mine, inner, RIGHT) | enclosed(disc, mine, inner, DOWN_LEFT)
    return discs | enclosed(disc, mine, inner, DOWN_RIGHT) | enclosed(disc, mine, theirs, DOWN)


@kernel
def legal_moves(pos, path, out):
    """Write the squares to play on to ``out``, or the pass; nothing when neither side can play."""
    squares = squares_to_play(pos.mine, pos.theirs)
    if not squares:
        if not squares_to_play(pos.theirs, pos.mine):
            return 0
        out[0] = PASS
        return 1
    n = 0
    while squares:
        out[n] = lowest(squares)
        squares = below(squares)
        n += 1
    return n


@kernel
def play(pos, move):
    """Return the position after a move, which must be legal: nothing is checked here."""
    if move == PASS:
        return Position(pos.ply + ONE, pos.second ^ ONE, pos.theirs, pos.mine)
    disc = bit(move)
    flips = turned(disc, pos.mine, pos.theirs)
    return Position(pos.ply + ONE, pos.second ^ ONE, pos.theirs & ~flips, pos.mine | flips | disc)


@kernel
def ending(pos, path, n_moves):
    """Return 0 while the game runs, else an index into ENDINGS."""
    if n_moves:
        return 0
    return BOARD_FULL if pos.mine | pos.theirs == FULL else NO_MOVES


@kernel
def score_first(pos, ending):
    """Return +1, 0, -1 for Black, who began: more discs win. Asked only when the game is over."""
    lead = np.int64(popcount(pos.mine)) - np.int64(popcount(pos.theirs))
    if pos.second:
        lead = -lead
    return int(lead > 0) - int(lead < 0)


@kernel
def key(pos):
    """Return a hash of the position."""
    return mix(mix(pos.second, pos.mine), pos.theirs)


@kernel
def random_move(pos, path, moves, rng):
    """Return a random legal move, drawn without listing them all; minus the ending when over."""
    squares = squares_to_play(pos.mine, pos.theirs)
    if squares:
        return np.int64(nth_bit(squares, random_below(rng, popcount(squares))))
    if squares_to_play(pos.theirs, pos.mine):
        return PASS
    return -ending(pos, path, 0)
