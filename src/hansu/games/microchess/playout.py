"""Heavy playouts: the more a move gains by capture or promotion, the likelier it is."""

import numpy as np

from hansu.games.microchess.attacks import attacked
from hansu.games.microchess.material import DEFAULT
from hansu.games.microchess.rules import BYTE, EIGHT, SIX, SQUARE, TWELVE, ending, legal_moves
from hansu.kernel import bit, kernel, random_below

QUIET = 4  # the weight of a move that wins and loses nothing; a pawn won adds as much


@kernel
def value_at(pos, square):
    """Return what the piece on a square counts; 0 on an empty square."""
    place = bit(square)
    kind = np.uint64(0)
    if place & pos.knights:
        kind = np.uint64(1)
    elif place & pos.bishops:
        kind = np.uint64(2)
    elif place & pos.rooks:
        kind = np.uint64(3)
    elif place & pos.queens:
        kind = np.uint64(4)
    elif place & pos.kings:
        kind = np.uint64(5)
    elif not place & pos.pawns:
        return np.int64(0)
    return np.int64(DEFAULT >> (kind * EIGHT) & BYTE)


@kernel(allocates=False)
def weight(pos, move, danger):
    """Return the weight of a move: more for what it takes, little if it may be taken itself."""
    word = np.uint64(move)
    source, target = word & SQUARE, word >> SIX & SQUARE
    gain = value_at(pos, target)
    promotion = word >> TWELVE
    if promotion:
        gain += np.int64(DEFAULT >> ((promotion - np.uint64(1)) * EIGHT) & BYTE) - 1
    if danger & bit(target) and not bit(source) & pos.kings:
        gain -= value_at(pos, source)
    return QUIET + QUIET * gain if gain >= 0 else 1


@kernel(allocates=False)
def heavy_move(pos, path, moves, rng):
    """Return a move of a heavy playout, or minus the ending; the contract of ``random_move``."""
    n = legal_moves(pos, path, moves)
    over = ending(pos, path, n)
    if over:
        return -over
    danger = attacked(pos, pos.mine | pos.theirs)
    total = 0
    for i in range(n):
        total += weight(pos, moves[i], danger)
    drawn = random_below(rng, total)
    for i in range(n - 1):
        drawn -= weight(pos, moves[i], danger)
        if drawn < 0:
            return moves[i]
    return moves[n - 1]
