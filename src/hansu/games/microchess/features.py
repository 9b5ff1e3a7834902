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
from hansu.games.microchess.rules import A1, D5, FOUR, ONE, RANK_1, RANK_5, SQUARE, TO_QUEEN
from hansu.games.packing import packing
from hansu.kernel import below, bit, kernel, lowest, reverse

KINDS = ("pawns", "rooks", "knights", "bishops", "queens", "king")
PLANE_NAMES = tuple(f"{side} {kind}" for side in ("my", "their") for kind in KINDS)
VECTOR_NAMES = ("White to move", "Black to move", "I may castle", "they may castle")
SHAPE = (len(PLANE_NAMES), 5, 4)
ACTIONS = 400
VECTOR = len(VECTOR_NAMES)
# Kings stand on the right and castling goes to the left: no other turn maps the game onto itself.
SYMMETRIES = (Symmetry("identity", np.arange(20), np.arange(ACTIONS)),)

# A word for each kind of piece: mine in the lower half of each byte, theirs in the upper one.
PACKING = packing(
    [
        64 * kind + 8 * (4 - cell // 4) + cell % 4 + 4 * side
        for side in range(2)
        for kind in range(6)
        for cell in range(20)
    ]
    + [64 * 6 + bit for bit in range(VECTOR)],
    words=7,
)
TURN = np.uint64(28)  # reversed, square 0 is 63; shifted, it is 35: the last one of the board


@kernel
def cell_of(square, turned):
    """Return the cell of a square, counted from the far left or, turned, from the near right."""
    cell = (4 - np.int64(square) // 8) * 4 + np.int64(square) % 8
    return 19 - cell if turned else cell


@kernel
def square_of(cell, turned):
    """Return the square of a cell."""
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
    """Return a move's number among the network's outputs."""
    source, target = np.uint64(move) & SQUARE, np.uint64(move) >> np.uint64(6) & SQUARE
    return 20 * cell_of(source, turned) + cell_of(target, turned)


@kernel
def move_of(pos, action, turned):
    """Return the move an output stands for; a pawn that reaches the last rank becomes a queen."""
    source, target = square_of(action // 20, turned), square_of(action % 20, turned)
    move = source | target << np.uint64(6)
    if bit(source) & pos.pawns and bit(target) & (RANK_1 | RANK_5):
        move |= TO_QUEEN
    return np.int64(move)


@kernel
def write_pieces(pos, out, own, other, turned):
    """Write the seven words of a packed position but for the castling rights."""
    kinds = (pos.pawns, pos.rooks, pos.knights, pos.bishops, pos.queens, pos.kings)
    for kind in range(6):
        mine, theirs = kinds[kind] & own, kinds[kind] & other
        if turned:
            mine, theirs = reverse(mine) >> TURN, reverse(theirs) >> TURN
        out[kind] = mine | theirs << FOUR
    out[6] = ONE << pos.second


@kernel
def castling_bits(pos, black_is_me):
    """Return the castling rights as bits 2 (mine) and 3 (theirs) of the last word."""
    white, black = np.uint64(2), np.uint64(3)
    if black_is_me:
        white, black = black, white
    bits = np.uint64(0)
    if pos.castling & A1:
        bits |= ONE << white
    if pos.castling & D5:
        bits |= ONE << black
    return bits


@kernel
def pack(pos, out):
    """Write the position as words, seen by the side to move."""
    write_pieces(pos, out, pos.mine, pos.theirs, pos.second)
    out[6] |= castling_bits(pos, pos.second)


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
    """Return a move's number among the network's outputs."""
    return action_of(move, pos.second)


@kernel
def move(pos, action):
    """Return the move an output stands for."""
    return move_of(pos, action, pos.second)
