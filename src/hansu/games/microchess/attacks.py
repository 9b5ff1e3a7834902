"""Attacks, checks and pins.

The functions take any Position of ``rules``; "mine" is the side to move.
"""

import numpy as np

from hansu.games.microchess.tables import BETWEEN, KING, KNIGHT, bishop_view, rook_view
from hansu.kernel import below, bit, kernel, lowest

ZERO, SEVEN, NINE = np.uint64(0), np.uint64(7), np.uint64(9)
BOARD = np.uint64(0x0F_0F0F_0F0F)  # the squares a1-d5


@kernel
def pawn_attacks(pawns, black):
    """Return the squares that pawns of one colour attack."""
    up, down = pawns << SEVEN | pawns << NINE, pawns >> SEVEN | pawns >> NINE
    return (down if black else up) & BOARD


@kernel
def attackers(pos, square, occupied):
    """Return the opponent's pieces that attack a square; ``occupied`` blocks their view."""
    return pos.theirs & (
        (KING[square] & pos.kings)
        | (KNIGHT[square] & pos.knights)
        | (pawn_attacks(bit(square), pos.second) & pos.pawns)
        | (bishop_view(square, occupied) & (pos.bishops | pos.queens))
        | (rook_view(square, occupied) & (pos.rooks | pos.queens))
    )


@kernel
def attacked(pos, occupied):
    """Return all squares that the side not to move attacks; ``occupied`` blocks its view."""
    squares = pawn_attacks(pos.theirs & pos.pawns, pos.second == ZERO)
    pieces = pos.theirs & pos.kings
    while pieces:
        squares |= KING[lowest(pieces)]
        pieces = below(pieces)
    pieces = pos.theirs & pos.knights
    while pieces:
        squares |= KNIGHT[lowest(pieces)]
        pieces = below(pieces)
    pieces = pos.theirs & (pos.bishops | pos.queens)
    while pieces:
        squares |= bishop_view(lowest(pieces), occupied)
        pieces = below(pieces)
    pieces = pos.theirs & (pos.rooks | pos.queens)
    while pieces:
        squares |= rook_view(lowest(pieces), occupied)
        pieces = below(pieces)
    return squares


@kernel
def my_king(pos):
    """Return the king of the side to move, as a set; empty on an incomplete board."""
    kings = pos.mine & pos.kings
    return kings ^ below(kings)


@kernel
def in_check(pos):
    """Return whether the king of the side to move is attacked."""
    king = my_king(pos)
    return king != ZERO and attackers(pos, lowest(king), pos.mine | pos.theirs) != ZERO


@kernel
def pinned(pos, king, occupied):
    """Return the own pieces that alone stand between the king's square and a slider."""
    pieces = ZERO
    snipers = pos.theirs & (
        (bishop_view(king, ZERO) & (pos.bishops | pos.queens))
        | (rook_view(king, ZERO) & (pos.rooks | pos.queens))
    )
    while snipers:
        blockers = BETWEEN[king, lowest(snipers)] & occupied
        snipers = below(snipers)
        if below(blockers) == ZERO:
            pieces |= blockers
    return pieces & pos.mine
