"""An evaluation by a small network that is quick enough for every node of an alpha-beta search.

It is an NNUE (Yu Nasu 2018, as in Stockfish): the inputs are pairs of a king's square and a piece
on a square, seen by either side; a board has few of them, so the first layer is a sum of few rows.
With at most some ten pieces, summing anew is as quick as updating.

    inputs of my view     -> 64 sums \\
                                      squared, clipped -> one number, by weights for so many pieces
    inputs of their view  -> 64 sums /

All numbers are whole ones: a position has the same value on every machine.
"""

import functools
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansu.games.microchess.features import cell_of
from hansu.games.microchess.rules import A1, D5
from hansu.kernel import below, kernel, lowest, popcount

WIDTH = 64
CELLS, KINDS = 20, 12  # my pawn, knight, bishop, rook, queen, king, then theirs
CASTLING = CELLS * KINDS * CELLS  # rows: I may castle, they may
TURNS = CASTLING + 2  # how many turns are left in the game
TURN_STEPS = (4, 8, 12, 16, 24, 32, 48)
QUIET = TURNS + len(TURN_STEPS) + 1  # and how many without progress
QUIET_STEPS = (4, 8, 16, 32)
ROWS = QUIET + len(QUIET_STEPS) + 1
MOST = 48  # rows of a position at most: more pieces are left out
BUCKETS = 4  # of the weights of the sums, by the number of pieces
ONE_SUM = 255  # a sum that is clipped stands for 1
ZERO, ONE = np.int16(0), np.int16(ONE_SUM)
ONE_WEIGHT = 64
UNIT = 256  # of the value: the win probability is the logistic function of value / UNIT
LARGEST = 8_000  # a value is at most this far from 0

SHIPPED = resources.files(__package__) / "nnue.npz"
"""Learnt by ``scripts/microchess_nnue.py``."""


class Network(NamedTuple):
    """The weights."""

    first: Any  # [ROWS, WIDTH] int16
    bias: Any  # [WIDTH] int16
    second: Any  # [BUCKETS, 2 * WIDTH] int16
    last_bias: Any  # [BUCKETS] int64


@functools.cache
def shipped_network() -> Network:
    """Return the weights that come with the package."""
    with resources.as_file(SHIPPED) as path, np.load(path) as file:
        return Network(*(file[name] for name in Network._fields))


@kernel(allocates=False)
def step_of(left, steps):
    """Return in which step a number lies."""
    step = 0
    for most in steps:
        if left > most:
            step += 1
    return step


@kernel(allocates=False)
def bucket_of(pos):
    """Return which weights count for so many pieces."""
    return min(max((np.int64(popcount(pos.mine | pos.theirs)) - 2) // 2, 0), BUCKETS - 1)


@kernel(allocates=False)
def list_rows(pos, theirs_view, rows):
    """Write the rows of one side's view; return their number.

    The board is turned for Black, so that each side's pawns go up.
    """
    own, other = (pos.theirs, pos.mine) if theirs_view else (pos.mine, pos.theirs)
    turned = (pos.second == 0) == theirs_view
    king = own & pos.kings
    begin = KINDS * CELLS * cell_of(lowest(king), turned) if king else 0
    n = 0
    kinds = (pos.pawns, pos.knights, pos.bishops, pos.rooks, pos.queens, pos.kings)
    for kind in range(6):
        for side in range(2):
            pieces = kinds[kind] & (other if side else own)
            while pieces and n < MOST - 4:
                cell = cell_of(lowest(pieces), turned)
                rows[n] = begin + (6 * side + kind) * CELLS + cell
                pieces = below(pieces)
                n += 1
    white, black = pos.castling & A1, pos.castling & D5
    if black if turned else white:
        rows[n] = CASTLING
        n += 1
    if white if turned else black:
        rows[n] = CASTLING + 1
        n += 1
    turns = np.int64(pos.max_turns) - np.int64(pos.ply) if pos.max_turns else 10_000
    rows[n] = TURNS + step_of(turns, TURN_STEPS)
    quiet = np.int64(pos.max_no_progress) - np.int64(pos.no_progress)
    rows[n + 1] = QUIET + step_of(quiet if pos.max_no_progress else 10_000, QUIET_STEPS)
    return n + 2


@kernel(allocates=False)
def evaluate(pos, network, rows, sums):
    """Return the value of a position for the side to move; ``rows`` and ``sums`` are room."""
    bucket, total = bucket_of(pos), 0
    for view in range(2):
        n = list_rows(pos, view == 1, rows)
        for k in range(WIDTH):
            sums[k] = network.bias[k]
        for i in range(n):
            row = network.first[rows[i]]
            for k in range(WIDTH):
                sums[k] += row[k]
        weights = network.second[bucket, view * WIDTH : (view + 1) * WIDTH]
        for k in range(WIDTH):
            clipped = np.int64(min(max(sums[k], ZERO), ONE))
            total += clipped * clipped * weights[k]
    total = total // ONE_SUM + network.last_bias[bucket]
    value = total * UNIT // (ONE_SUM * ONE_WEIGHT)
    return min(max(value, -LARGEST), LARGEST)


def fresh_room() -> tuple[NDArray[np.int64], NDArray[np.int16]]:
    """Return the room that ``evaluate`` needs, for one thread."""
    return np.empty(MOST, np.int64), np.empty(WIDTH, np.int16)
