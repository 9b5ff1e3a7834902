"""The features without turning the board: White's pieces come first, and White is "me".

What is where in the arrays is drawn in ``features``.
"""

from hansu.games.microchess.attacks import ZERO
from hansu.games.microchess.features import (
    KINDS,
    action_of,
    castling_bits,
    fill_planes,
    fill_vector,
    move_of,
    write_pieces,
)
from hansu.kernel import kernel

PLANE_NAMES = tuple(f"{side}'s {kind}" for side in ("White", "Black") for kind in KINDS)
VECTOR_NAMES = ("White to move", "Black to move", "White may castle", "Black may castle")


@kernel
def planes(pos, out):
    """Fill the zeroed planes: White's pieces, then Black's."""
    if pos.second:
        fill_planes(pos, out, pos.theirs, pos.mine, ZERO)
    else:
        fill_planes(pos, out, pos.mine, pos.theirs, ZERO)


@kernel
def vector(pos, out):
    """Fill the zeroed vector, seen by White."""
    fill_vector(pos, out, ZERO)


@kernel
def pack(pos, out):
    """Write the position as words, seen by White."""
    if pos.second:
        write_pieces(pos, out, pos.theirs, pos.mine, ZERO)
    else:
        write_pieces(pos, out, pos.mine, pos.theirs, ZERO)
    out[6] |= castling_bits(pos, ZERO)


@kernel
def action(pos, move):
    """Return a move's number among the network's outputs."""
    return action_of(move, ZERO)


@kernel
def move(pos, action):
    """Return the move an output stands for."""
    return move_of(pos, action, ZERO)
