"""The place of a position in its class's table, and back.

A square is ``4 * rank + file``, 0 to 19. The squares of a class's pieces are listed in this order:
White's king, Black's king, White's queens, rooks, bishops, knights, pawns, then Black's. They are
the digits of the place, after the side to move. Boards that mirror each other share a place:
White's king stands on files a-b, and without pawns on ranks 1-3. Pieces of one kind are listed in
ascending order. Where a side may castle nothing is mirrored, the king's square is no digit, and the
position lies in another section of the table.
"""

from typing import NamedTuple

import numpy as np

from hansu.games.microchess.attacks import ZERO
from hansu.games.microchess.rules import A1, D5, Position
from hansu.games.microchess.tablebase.classes import (
    KING_SQUARES,
    PAWN_SQUARES,
    PAWNLESS_KING_SQUARES,
    SQUARES,
)
from hansu.kernel import below, bit, kernel, lowest, popcount

WHITE_ROOKS, WHITE_PAWNS, BLACK_ROOKS, BLACK_PAWNS, GROUPS = 1, 4, 6, 9, 10
WHITE_KING_HOME, WHITE_ROOK_HOME, BLACK_KING_HOME, BLACK_ROOK_HOME = 3, 0, 16, 19
LAST = SQUARES - 1
ILLEGAL = -1
LISTED = 8  # squares at most


class Tables(NamedTuple):
    """The tables of several classes, as compiled code reads them."""

    keys: np.ndarray  # the material keys of both colourings of every class, ascending
    classes: np.ndarray  # twice the class's number, plus 1 where the colours are swapped
    counts: np.ndarray  # [classes, GROUPS] pieces of each kind
    starts: np.ndarray  # [classes, 4] where a section begins in the three arrays below
    mate: np.ndarray  # one byte a position: see entries.py
    own: np.ndarray
    other: np.ndarray


@kernel(allocates=False)
def material_key(pos):
    """Return which pieces are on the board as one number, three bits a kind."""
    white, black = (pos.theirs, pos.mine) if pos.second else (pos.mine, pos.theirs)
    found = 0
    for side in (black, white):
        for pieces in (pos.pawns, pos.knights, pos.bishops, pos.rooks, pos.queens):
            found = found << 3 | np.int64(popcount(side & pieces))
    return found


@kernel(allocates=False)
def find_class(tables, pos):
    """Return an entry of ``tables.classes``, or ILLEGAL if there is no table."""
    key = material_key(pos)
    at = np.searchsorted(tables.keys, key)
    if at < len(tables.keys) and tables.keys[at] == key:
        return tables.classes[at]
    return ILLEGAL


@kernel(allocates=False)
def rights_of(pos):
    """Return 1 if White may castle, plus 2 if Black may."""
    return (1 if pos.castling & A1 else 0) + (2 if pos.castling & D5 else 0)


@kernel(allocates=False)
def add_squares(pieces, squares, n):
    """Add the squares of a set to a list of n."""
    while pieces:
        square = np.int64(lowest(pieces))
        squares[n] = square - (square >> 3 << 2)
        pieces = below(pieces)
        n += 1
    return n


@kernel(allocates=False)
def list_squares(pos, swap, squares):
    """List where the pieces stand, with ``swap`` for the other colour; return how many."""
    own, other = (pos.theirs, pos.mine) if (pos.second != ZERO) != swap else (pos.mine, pos.theirs)
    n = add_squares(own & pos.kings, squares, 0)
    n = add_squares(other & pos.kings, squares, n)
    for side in (own, other):
        for pieces in (pos.queens, pos.rooks, pos.bishops, pos.knights, pos.pawns):
            n = add_squares(side & pieces, squares, n)
    if swap:  # the board turned around is the same to both sides, castling too
        for i in range(n):
            squares[i] = LAST - squares[i]
    return n


@kernel(allocates=False)
def turn_over(squares):
    """Mirror the board: rank 1 becomes rank 5."""
    for i in range(len(squares)):
        squares[i] = 16 - (squares[i] >> 2 << 2) + (squares[i] & 3)


@kernel(allocates=False)
def place_of(counts, squares, second, rights):
    """Return the place of listed squares in a section; the list is changed."""
    n = 2
    for group in range(GROUPS):
        n += counts[group]
    pawns = counts[WHITE_PAWNS] + counts[BLACK_PAWNS]
    place = second
    if rights == 0:
        if squares[0] & 3 > 1:
            for i in range(n):
                squares[i] ^= 3
        if not pawns and squares[0] >= 12:
            turn_over(squares)
        place = place * (KING_SQUARES if pawns else PAWNLESS_KING_SQUARES)
        place += (squares[0] >> 2) * 2 + (squares[0] & 1)
    elif not rights & 1:
        place = place * SQUARES + squares[0]
    if not rights & 2:
        place = place * SQUARES + squares[1]
    first = 2
    for group in range(GROUPS):
        end = first + counts[group]
        for i in range(first + 1, end):  # insertion sort
            square, j = squares[i], i
            while j > first and squares[j - 1] > square:
                squares[j] = squares[j - 1]
                j -= 1
            squares[j] = square
        for i in range(first, end):
            if group in (WHITE_PAWNS, BLACK_PAWNS):
                place = place * PAWN_SQUARES + squares[i] - 4
            else:
                place = place * SQUARES + squares[i]
        first = end
    return place


@kernel(allocates=False)
def squares_at(counts, place, rights, squares):
    """List the squares of a place; return the side to move."""
    n = 2
    for group in range(GROUPS):
        n += counts[group]
    for group in range(GROUPS - 1, -1, -1):
        for _ in range(counts[group]):
            n -= 1
            if group in (WHITE_PAWNS, BLACK_PAWNS):
                squares[n] = place % PAWN_SQUARES + 4
                place //= PAWN_SQUARES
            else:
                squares[n] = place % SQUARES
                place //= SQUARES
    if rights & 2:
        squares[1] = BLACK_KING_HOME
    else:
        squares[1] = place % SQUARES
        place //= SQUARES
    if rights & 1:
        squares[0] = WHITE_KING_HOME
        return place
    if rights:
        squares[0] = place % SQUARES
        return place // SQUARES
    kings = KING_SQUARES if counts[WHITE_PAWNS] + counts[BLACK_PAWNS] else PAWNLESS_KING_SQUARES
    king = place % kings
    squares[0] = (king >> 1) * 4 + (king & 1)
    return place // kings


@kernel(allocates=False)
def set_of(squares, first, count):
    """Return listed squares as a set."""
    found = ZERO
    for i in range(first, first + count):
        found |= bit(squares[i] + (squares[i] >> 2 << 2))
    return found


@kernel(allocates=False)
def position_at(counts, squares, second, rights):
    """Return the position of listed squares."""
    white, black = set_of(squares, 0, 1), set_of(squares, 1, 1)
    kings = white | black
    queens = rooks = bishops = knights = pawns = ZERO
    first = 2
    for group in range(GROUPS):
        pieces = set_of(squares, first, counts[group])
        first += counts[group]
        if group < 5:
            white |= pieces
        else:
            black |= pieces
        kind = group % 5
        if kind == 0:
            queens |= pieces
        elif kind == 1:
            rooks |= pieces
        elif kind == 2:
            bishops |= pieces
        elif kind == 3:
            knights |= pieces
        else:
            pawns |= pieces
    castling = (A1 if rights & 1 else ZERO) | (D5 if rights & 2 else ZERO)
    mine, theirs = (black, white) if second else (white, black)
    return Position(
        *(ZERO, np.uint64(second), pawns, knights, bishops, rooks, queens, kings, mine, theirs),
        *(castling, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO),
    )


@kernel(allocates=False)
def find_place(tables, pos, squares):
    """Return the class of a position, its section and its place there; ILLEGAL without a table."""
    found = find_class(tables, pos)
    if found == ILLEGAL:
        return ILLEGAL, 0, 0
    which, swap = found >> 1, found & 1
    list_squares(pos, swap == 1, squares)
    rights, second = rights_of(pos), np.int64(pos.second) ^ swap
    if swap:
        rights = rights >> 1 | (rights & 1) << 1
    return which, rights, place_of(tables.counts[which], squares, second, rights)
