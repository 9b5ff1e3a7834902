"""Microchess rules on sets of squares.

Squares are numbered as in python-chess, so the board is the lower left corner of an 8x8 one; bit i
of a set is square i. The bits of files e-h stay 0: a shift that leaves the board on one side does
not come back on the other, and masking with BOARD removes it.

    5   32 33 34 35        k n b r        Black castles king a5-c5, rook d5-b5
    4   24 25 26 27        p . . .
    3   16 17 18 19        . . . .        a pawn's double step passes rank 3
    2    8  9 10 11        . . . P
    1    0  1  2  3        R B N K        White castles king d1-b1, rook a1-c1
         a  b  c  d

A move is ``from | to << 6 | promotion << 12``; the promotion is python-chess's number of the piece
or 0. Castling is the king's move.
"""

from typing import NamedTuple

import numpy as np

from hansu.games.microchess.attacks import (
    BOARD,
    ZERO,
    attacked,
    attackers,
    in_check,
    my_king,
    pawn_attacks,
    pinned,
)
from hansu.games.microchess.tables import BETWEEN, KING, KNIGHT, LINE, bishop_view, rook_view
from hansu.kernel import below, bit, kernel, lowest, mix, popcount

MAX_MOVES = 128
"""m pieces that reach 20 - m squares each, with 4 of them pawns that have 10 promotions of 4 kinds,
make at most 104 moves; castling and en passant add three."""

USES_PATH = True
ENDINGS = (
    "",
    "checkmate",
    "stalemate",
    "insufficient_material",
    "no_progress",
    "repetition",
    "max_turns",
)
CHECKMATE, STALEMATE, INSUFFICIENT_MATERIAL, NO_PROGRESS, REPETITION, MAX_TURNS = range(1, 7)

ONE, TWO, FOUR, SIX, EIGHT = (np.uint64(n) for n in (1, 2, 4, 6, 8))
TWELVE, SIXTEEN, SQUARE, BYTE = (np.uint64(n) for n in (12, 16, 63, 255))

DARK = np.uint64(0x05_0A05_0A05)
RANK_1, RANK_3, RANK_5 = (np.uint64(0xF << 8 * rank) for rank in (0, 2, 4))
A1, B1, C1, D1 = (np.uint64(1 << square) for square in range(4))
A5, B5, C5, D5 = (np.uint64(1 << square) for square in range(32, 36))

TO_KNIGHT, TO_BISHOP, TO_ROOK, TO_QUEEN = (np.uint64(piece << 12) for piece in (2, 3, 4, 5))


class Position(NamedTuple):
    """Who stands where, what may still be done, the counters, and the rule set's numbers."""

    ply: np.uint64
    second: np.uint64  # 1 when Black is to move
    pawns: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64
    queens: np.uint64
    kings: np.uint64
    mine: np.uint64  # all pieces of the side to move
    theirs: np.uint64
    castling: np.uint64  # the rooks that may still castle
    en_passant: np.uint64  # the square that a pawn has just skipped, as a set: square 0 is a1
    no_progress: np.uint64  # turns since the last capture or pawn move
    max_turns: np.uint64  # the rule set's limits; 0 is none
    max_no_progress: np.uint64
    max_repetitions: np.uint64
    material: np.uint64  # what a pawn ... a king counts, a byte each; 0: a draw stays a draw


# Moves ------------------------------------------------------------------------------------------


@kernel
def castling_goal(pos, occupied, danger):
    """Return the square that the king may castle to, as a set."""
    if pos.second:
        if pos.castling & D5 and not (occupied & (B5 | C5) or danger & (A5 | B5 | C5)):
            return C5
    elif pos.castling & A1 and not (occupied & (B1 | C1) or danger & (B1 | C1 | D1)):
        return B1
    return ZERO


@kernel
def takes_en_passant(pos, pawn, king, occupied):
    """Return whether a pawn may take en passant without exposing the king (a set): tried out."""
    goal = pos.en_passant
    taken = goal << EIGHT if pos.second else goal >> EIGHT
    if not (pawn_attacks(pawn, pos.second) & goal & ~occupied and taken & pos.theirs & pos.pawns):
        return False
    if king == ZERO:
        return True
    after = occupied ^ pawn ^ taken ^ goal
    return attackers(pos, lowest(king), after) & ~taken == ZERO


@kernel
def pawn_targets(pos, pawn, occupied):
    """Return where a pawn may step or take, en passant left aside."""
    takes = pawn_attacks(pawn, pos.second) & pos.theirs
    step = (pawn >> EIGHT if pos.second else pawn << EIGHT) & ~occupied
    double = step & RANK_3
    return takes | step | (double >> EIGHT if pos.second else double << EIGHT) & ~occupied


@kernel(allocates=False)
def add(square, targets, writing, out, n):
    """Add the moves from a square to the n there are."""
    if not writing:
        return n + np.int64(popcount(targets))
    while targets:
        out[n] = square | lowest(targets) << SIX
        targets = below(targets)
        n += 1
    return n


@kernel(allocates=False)
def add_promotions(square, targets, writing, out, n):
    """Add the moves of a pawn that reaches the last rank: four a target."""
    if not writing:
        return n + 4 * np.int64(popcount(targets))
    while targets:
        move = square | lowest(targets) << SIX
        targets = below(targets)
        out[n] = move | TO_KNIGHT
        out[n + 1] = move | TO_BISHOP
        out[n + 2] = move | TO_ROOK
        out[n + 3] = move | TO_QUEEN
        n += 4
    return n


@kernel(allocates=False)
def find_moves(pos, lawful, writing, out):
    """Find all moves, or only the lawful ones, which never expose the king; write or count them.

    Nothing is played and taken back: ``allowed`` is where a piece may go to answer a check, and a
    pinned piece stays on its line.
    """
    occupied = pos.mine | pos.theirs
    king = my_king(pos)
    danger = attacked(pos, occupied ^ king)  # no hiding from a slider behind oneself
    castling = castling_goal(pos, occupied, danger) if pos.castling else ZERO
    allowed = BOARD & ~pos.mine
    stuck = ZERO
    home = ZERO
    if lawful and king:
        home = lowest(king)
        stuck = pinned(pos, home, occupied)
        if danger & king:
            checkers = attackers(pos, home, occupied)
            if below(checkers):
                allowed = ZERO  # two at once: the king must move
            else:
                allowed &= checkers | BETWEEN[home, lowest(checkers)]
    else:
        danger = ZERO
    n = 0

    pieces = pos.mine & pos.pawns
    while pieces:
        square = lowest(pieces)
        pieces = below(pieces)
        targets = pawn_targets(pos, bit(square), occupied) & allowed
        if bit(square) & stuck:
            targets &= LINE[home, square]
        if targets & (RANK_1 | RANK_5):
            n = add_promotions(square, targets, writing, out, n)
        else:
            if pos.en_passant and takes_en_passant(
                pos, bit(square), king if lawful else ZERO, occupied
            ):
                targets |= pos.en_passant
            n = add(square, targets, writing, out, n)

    pieces = pos.mine & pos.knights & ~stuck
    while pieces:
        square = lowest(pieces)
        pieces = below(pieces)
        n = add(square, KNIGHT[square] & allowed, writing, out, n)

    pieces = pos.mine & (pos.bishops | pos.queens)
    while pieces:
        square = lowest(pieces)
        pieces = below(pieces)
        targets = bishop_view(square, occupied) & allowed
        if bit(square) & stuck:
            targets &= LINE[home, square]
        n = add(square, targets, writing, out, n)

    pieces = pos.mine & (pos.rooks | pos.queens)
    while pieces:
        square = lowest(pieces)
        pieces = below(pieces)
        targets = rook_view(square, occupied) & allowed
        if bit(square) & stuck:
            targets &= LINE[home, square]
        n = add(square, targets, writing, out, n)

    if king:
        square = lowest(king)
        n = add(square, (KING[square] & ~pos.mine & ~danger) | castling, writing, out, n)
    return n


@kernel(allocates=False)
def legal_moves(pos, path, out):
    """Write the legal moves to ``out``, piece by piece."""
    return find_moves(pos, True, True, out)


@kernel(allocates=False)
def count_moves(pos, path, out):
    """Return how many legal moves there are; ``out`` stays as it is."""
    return find_moves(pos, True, False, out)


@kernel
def moved(pieces, source, target, left):
    """Return a set of pieces after a move: gone from ``left``, and the mover on ``target``."""
    return (pieces & ~left) | (pieces >> source & ONE) << target


@kernel
def play(pos, move):
    """Return the position after a move, which must be legal: nothing is checked here."""
    word = np.uint64(move)
    source, target, promotion = word & SQUARE, word >> SIX & SQUARE, word >> TWELVE << TWELVE
    start, goal = bit(source), bit(target)
    left = start | goal
    en_passant, no_progress = ZERO, pos.no_progress + ONE
    if goal & pos.theirs:
        no_progress = ZERO
    if start & pos.pawns:
        no_progress = ZERO
        if source ^ target == SIXTEEN:
            en_passant = bit((source + target) >> ONE)
        elif goal & pos.en_passant:
            left |= goal << EIGHT if pos.second else goal >> EIGHT
    pawns = moved(pos.pawns, source, target, left)
    knights = moved(pos.knights, source, target, left)
    bishops = moved(pos.bishops, source, target, left)
    rooks = moved(pos.rooks, source, target, left)
    queens = moved(pos.queens, source, target, left)
    kings = moved(pos.kings, source, target, left)
    mine = moved(pos.mine, source, target, left)
    if promotion:
        pawns &= ~goal
        if promotion == TO_QUEEN:
            queens |= goal
        elif promotion == TO_ROOK:
            rooks |= goal
        elif promotion == TO_BISHOP:
            bishops |= goal
        else:
            knights |= goal
    castling = pos.castling & ~left
    right = pos.castling & (D5 if pos.second else A1)
    if right and start & pos.kings:
        if source ^ target == TWO:  # two files at once
            hop = right | (B5 if pos.second else C1)
            rooks ^= hop
            mine ^= hop
        castling &= ~right
    return Position(
        pos.ply + ONE,
        pos.second ^ ONE,
        pawns,
        knights,
        bishops,
        rooks,
        queens,
        kings,
        pos.theirs & ~left,
        mine,
        castling,
        en_passant,
        no_progress,
        pos.max_turns,
        pos.max_no_progress,
        pos.max_repetitions,
        pos.material,
    )


# How a game ends --------------------------------------------------------------------------------


@kernel
def cannot_win(pos, own, other):
    """Return whether a side's pieces can never give mate, as python-chess defines it."""
    if own & (pos.pawns | pos.rooks | pos.queens):
        return False
    if own & pos.knights:  # enough beside another piece, or when the other side can block itself in
        return popcount(own) <= TWO and not other & ~pos.kings & ~pos.queens
    if own & pos.bishops:
        one_colour = not pos.bishops & DARK or not pos.bishops & ~DARK
        return one_colour and not (pos.pawns | pos.knights)
    return True


@kernel(allocates=False)
def is_repeated(pos, path):
    """Return whether the position has occurred as often as the rule set allows.

    Only positions since the last capture or pawn move can be equal, and coming back takes four
    turns at least.
    """
    window = min(pos.no_progress, pos.ply)
    missing = pos.max_repetitions - ONE
    if window < FOUR * missing:
        return False
    now = key(pos)
    back = FOUR
    while back <= window and missing:
        if path[pos.ply - back] == now:
            missing -= ONE
        back += TWO
    return missing == ZERO


@kernel(allocates=False)
def ending(pos, path, n_moves):
    """Return 0 while the game runs, else an index into ENDINGS."""
    if n_moves == 0:
        return CHECKMATE if in_check(pos) else STALEMATE
    if cannot_win(pos, pos.mine, pos.theirs) and cannot_win(pos, pos.theirs, pos.mine):
        return INSUFFICIENT_MATERIAL
    if pos.max_no_progress and pos.no_progress >= pos.max_no_progress:
        return NO_PROGRESS
    if pos.max_repetitions and is_repeated(pos, path):
        return REPETITION
    if pos.max_turns and pos.ply >= pos.max_turns:
        return MAX_TURNS
    return 0


@kernel
def worth(pos, pieces, table):
    """Return the material value of pieces, by a table of a byte for each kind from the pawn up."""
    return np.int64(
        popcount(pieces & pos.pawns) * (table & BYTE)
        + popcount(pieces & pos.knights) * (table >> EIGHT & BYTE)
        + popcount(pieces & pos.bishops) * (table >> np.uint64(16) & BYTE)
        + popcount(pieces & pos.rooks) * (table >> np.uint64(24) & BYTE)
        + popcount(pieces & pos.queens) * (table >> np.uint64(32) & BYTE)
        + popcount(pieces & pos.kings) * (table >> np.uint64(40) & BYTE)
    )


@kernel
def score_first(pos, ending):
    """Return +1, 0, -1 for White: mate wins; other endings are adjudicated by material."""
    mine = worth(pos, pos.mine, pos.material)
    theirs = worth(pos, pos.theirs, pos.material)
    if ending == CHECKMATE or mine < theirs:
        return 1 if pos.second else -1
    if mine > theirs:
        return -1 if pos.second else 1
    return 0


@kernel
def key(pos):
    """Return a hash of pieces, side to move, castling, and en passant if it can be taken.

    Each square holds one of seven things: three sets tell them apart, a fourth whose they are. A
    set fills half of each byte, so two sets share a word.
    """
    odd = pos.pawns | pos.bishops | pos.queens  # the bits of python-chess's numbers of the pieces
    high = pos.rooks | pos.queens | pos.kings
    middle = pos.knights | pos.bishops | pos.kings
    rest = pos.second | (pos.castling & A1) << ONE | pos.castling >> np.uint64(33) & FOUR
    if pos.en_passant:
        occupied, king = pos.mine | pos.theirs, my_king(pos)
        pieces = pos.mine & pos.pawns
        while pieces:
            pawn = pieces ^ below(pieces)
            pieces ^= pawn
            if takes_en_passant(pos, pawn, king, occupied):
                rest |= pos.en_passant >> EIGHT
    return mix(mix(ZERO, odd | middle << FOUR | rest << np.uint64(40)), high | pos.mine << FOUR)
