"""The compiled rules as a python-chess board calls them: with its sets as plain integers.

Passing a dozen integers costs half a microsecond, less than putting them into an array first; and
the board's own sets stay the one truth, however they were edited.
"""

from typing import Any

import numpy as np

from hansu.games.microchess import rules
from hansu.games.microchess.attacks import ZERO, pawn_attacks
from hansu.games.microchess.attacks import attackers as attackers_of
from hansu.games.microchess.rules import A1, A5, D1, D5, EIGHT, RANK_3, Position
from hansu.games.microchess.tables import KING, KNIGHT, bishop_view, rook_view
from hansu.games.rules_on_words import PLY
from hansu.kernel import JIT, bit, kernel

WORDS = len(Position._fields)
NO_PROGRESS = Position._fields.index("no_progress")


@kernel
def castling_rights(sets: Any) -> Any:
    """Return the castling rights of a board, without those whose king or rook is not at home."""
    second, _, _, _, rooks, _, kings, mine, theirs, claimed, _ = sets
    white, black = np.uint64(theirs if second else mine), np.uint64(mine if second else theirs)
    rights = np.uint64(claimed) & np.uint64(rooks)
    if not np.uint64(kings) & white & D1:
        rights &= ~A1
    if not np.uint64(kings) & black & A5:
        rights &= ~D5
    return rights & ((white & A1) | (black & D5))


@kernel
def skipped_square(sets: Any) -> Any:
    """Return the en passant square of a board, if it is empty and the pawn stands just behind."""
    second, pawns, _, _, _, _, _, mine, theirs, _, claimed = sets
    empty, pawns = ~(np.uint64(mine) | np.uint64(theirs)), np.uint64(pawns) & np.uint64(theirs)
    return np.uint64(claimed) & RANK_3 & empty & (pawns >> EIGHT if second else pawns << EIGHT)


@kernel
def position(sets: Any) -> Any:
    """Return a position without counters and limits: all that moves and attacks depend on.

    ``sets`` are its fields from ``second`` to ``en_passant``.
    """
    second, pawns, knights, bishops, rooks, queens, kings, mine, theirs, _, _ = sets
    return Position(
        ZERO,
        np.uint64(second),
        np.uint64(pawns),
        np.uint64(knights),
        np.uint64(bishops),
        np.uint64(rooks),
        np.uint64(queens),
        np.uint64(kings),
        np.uint64(mine),
        np.uint64(theirs),
        castling_rights(sets),
        skipped_square(sets),
        ZERO,
        ZERO,
        ZERO,
        ZERO,
        ZERO,
    )


@kernel
def words(ply: Any, no_progress: Any, limits: Any, sets: Any) -> Any:
    """Return the whole position as an array of words."""
    out = np.empty(WORDS, np.uint64)
    for i, word in enumerate(position(sets)):
        out[i] = word
    out[PLY] = ply
    out[NO_PROGRESS] = no_progress
    for i in range(len(limits)):
        out[NO_PROGRESS + 1 + i] = limits[i]
    return out


@kernel
def moves(lawful: Any, out: Any, sets: Any) -> Any:
    """Write the legal moves, or all that only ignore the own king's safety; how many they are."""
    return rules.find_moves(position(sets), lawful, True, out)


@kernel
def step(move: Any, sets: Any) -> Any:
    """Make a move: the new sets of pieces, castling rights and skipped square, whether the move
    made progress, and the key of the position before."""
    pos = position(sets)
    after = rules.play(pos, move)
    return (
        after.pawns,
        after.knights,
        after.bishops,
        after.rooks,
        after.queens,
        after.kings,
        after.theirs,  # the pieces of the side that moved
        after.mine,
        after.castling,
        after.en_passant,
        after.no_progress == ZERO,
        rules.key(pos),
    )


@kernel
def key(sets: Any) -> Any:
    """Return the hash of the position."""
    return rules.key(position(sets))


@kernel
def attackers(square: Any, occupied: Any, sets: Any) -> Any:
    """Return the opponent's pieces that attack a square; ``occupied`` blocks their view."""
    return attackers_of(position(sets), np.uint64(square), np.uint64(occupied))


@kernel
def attacks(square: Any, sets: Any) -> Any:
    """Return the squares that the piece of the side to move on a square attacks."""
    pos, here = position(sets), np.uint64(square)
    piece, occupied = bit(here) & pos.mine, pos.mine | pos.theirs
    squares = pawn_attacks(piece & pos.pawns, pos.second)
    if piece & pos.kings:
        squares |= KING[here]
    if piece & pos.knights:
        squares |= KNIGHT[here]
    if piece & (pos.bishops | pos.queens):
        squares |= bishop_view(here, occupied)
    if piece & (pos.rooks | pos.queens):
        squares |= rook_view(here, occupied)
    return squares


if not JIT:  # compiled code returns Python's integers, plain Python NumPy's
    _numpy_step = step

    def step(move: Any, sets: Any) -> Any:
        """Make a move, as ``step`` does, with Python's integers."""
        return tuple(map(int, _numpy_step(move, sets)))
