"""Twelve planes and four numbers; an action is a square to leave and one to go to.

Cells count from the far left, as the side to move sees the board: it is turned by 180 degrees for
Black, who then plays up the board too.

     0  1  2  3      planes 0-5    my pawns, rooks, knights, bishops, queens, king
     4  5  6  7      planes 6-11   theirs
     ...             vector        White to move, Black to move, I may castle, they may castle
    16 17 18 19      action        20 * cell left + cell reached; a promotion is to a queen
"""

import numpy as np

from hansu.games.features import Symmetry
from hansu.games.microchess.rules import A1, D5, RANK_1, RANK_5, SQUARE, TO_QUEEN
from hansu.kernel import below, bit, kernel, lowest

SHAPE = (12, 5, 4)
ACTIONS = 400
VECTOR = 4
# Kings stand on the right and castling goes to the left: no other turn maps the game onto itself.
SYMMETRIES = (Symmetry("identity", np.arange(20), np.arange(ACTIONS)),)


@kernel
def cell_of(square, turned):
    """The cell of a square, counted from the far left or, turned, from the near right."""
    cell = (4 - np.int64(square) // 8) * 4 + np.int64(square) % 8
    return 19 - cell if turned else cell


@kernel
def square_of(cell, turned):
    """The square of a cell."""
    if turned:
        cell = 19 - cell
    return np.uint64((4 - cell // 4) * 8 + cell % 4)


@kernel
def fill_planes(pos, out, own, other, turned):
    """Fill the zeroed array [12, 5, 4] with the pieces of one side, then those of the other."""
    kinds = (pos.pawns, pos.rooks, pos.knights, pos.bishops, pos.queens, pos.kings)
    for kind in range(6):
        for side in range(2):
            pieces = kinds[kind] & (other if side else own)
            while pieces:
                cell = cell_of(lowest(pieces), turned)
                out[6 * side + kind, cell // 4, cell % 4] = np.float32(1)
                pieces = below(pieces)


@kernel
def fill_vector(pos, out, black_is_me):
    """Fill the zeroed array [4]."""
    out[1 if pos.second else 0] = np.float32(1)
    out[3 if black_is_me else 2] = np.float32(1 if pos.castling & A1 else 0)
    out[2 if black_is_me else 3] = np.float32(1 if pos.castling & D5 else 0)


@kernel
def action_of(move, turned):
    """A move's number among the network's outputs."""
    source, target = np.uint64(move) & SQUARE, np.uint64(move) >> np.uint64(6) & SQUARE
    return 20 * cell_of(source, turned) + cell_of(target, turned)


@kernel
def move_of(pos, action, turned):
    """The move an output stands for; a pawn that reaches the last rank becomes a queen."""
    source, target = square_of(action // 20, turned), square_of(action % 20, turned)
    move = source | target << np.uint64(6)
    if bit(source) & pos.pawns and bit(target) & (RANK_1 | RANK_5):
        move |= TO_QUEEN
    return np.int64(move)


@kernel
def planes(pos, out):
    """Fill the zeroed planes, seen by the side to move."""
    fill_planes(pos, out, pos.mine, pos.theirs, pos.second)


@kernel
def vector(pos, out):
    """Fill the zeroed vector, seen by the side to move."""
    fill_vector(pos, out, pos.second)


@kernel
def action(pos, move):
    """A move's number among the network's outputs."""
    return action_of(move, pos.second)


@kernel
def move(pos, action):
    """The move an output stands for."""
    return move_of(pos, action, pos.second)
