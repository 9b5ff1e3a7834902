"""Moves backwards: from which positions of a class a move that is no capture leads to one of it.

They may name too many: those that are marked are only looked at again. Most of the care is for
castling: a place stands for mirrored boards too, and only one of those may come after castling.
"""

from typing import NamedTuple

import numpy as np

from hansu.games.microchess import rules
from hansu.games.microchess.attacks import ZERO
from hansu.games.microchess.tablebase.indexing import (
    BLACK_KING_HOME,
    BLACK_PAWNS,
    BLACK_ROOK_HOME,
    BLACK_ROOKS,
    GROUPS,
    LISTED,
    WHITE_KING_HOME,
    WHITE_PAWNS,
    WHITE_ROOK_HOME,
    WHITE_ROOKS,
    place_of,
    turn_over,
)
from hansu.games.microchess.tables import KING, KNIGHT, bishop_view, rook_view
from hansu.kernel import below, bit, kernel, lowest

NOT_A_POSITION, RUNNING, MATED, OVER = range(4)  # kinds of places


class Room(NamedTuple):
    """The arrays of one class, and what its search writes to."""

    counts: np.ndarray
    starts: np.ndarray  # [5] where the four sections begin, and the end
    kinds: np.ndarray
    now: np.ndarray  # places to look at in this round
    later: np.ndarray  # and in the next one
    moves: np.ndarray  # [2, MAX_MOVES]
    squares: np.ndarray  # [3, LISTED]


def make_room(counts: tuple[int, ...], starts: tuple[int, ...]) -> Room:
    """Return the working memory for a class."""
    kinds, now, later = np.zeros((3, starts[-1]), np.uint8)
    moves, squares = np.zeros((2, rules.MAX_MOVES), np.int64), np.zeros((3, LISTED), np.int64)
    return Room(np.array(counts), np.array(starts), kinds, now, later, moves, squares)


@kernel(allocates=False)
def has_rook(counts, squares, black):
    """Return whether a rook of one colour stands where it castles."""
    first = 2 + counts[0]
    home, count = WHITE_ROOK_HOME, counts[WHITE_ROOKS]
    if black:
        home, count = BLACK_ROOK_HOME, counts[BLACK_ROOKS]
        for group in range(1, BLACK_ROOKS):
            first += counts[group]
    for i in range(first, first + count):  # noqa: SIM110 - Numba knows no any()
        if squares[i] == home:
            return True
    return False


@kernel(allocates=False)
def mark(room, second):
    """Look again at the position of ``squares[1]`` in the next round, with all castling rights."""
    counts, squares = room.counts, room.squares[1]
    if counts[WHITE_ROOKS] or counts[BLACK_ROOKS]:
        count = images(counts)
        for image in range(count):
            mark_with_rights(room, second)
            next_image(squares, image, count)
    at = room.starts[0] + place_of(counts, squares, second, 0)
    room.later[at] = room.kinds[at] == RUNNING
    if squares[0] >> 2 == 2 and not counts[WHITE_PAWNS] + counts[BLACK_PAWNS]:
        turn_over(squares)  # with the king on the middle rank, both boards have a place
        at = room.starts[0] + place_of(counts, squares, second, 0)
        room.later[at] = room.kinds[at] == RUNNING


@kernel(allocates=False)
def mark_with_rights(room, second):
    """Mark it with every right to castle that its kings and rooks allow."""
    counts, squares = room.counts, room.squares[1]
    white = squares[0] == WHITE_KING_HOME and has_rook(counts, squares, 0)
    black = squares[1] == BLACK_KING_HOME and has_rook(counts, squares, 1)
    for rights in range(1, 4):
        if (white or not rights & 1) and (black or not rights & 2):
            at = room.starts[rights] + place_of(counts, squares, second, rights)
            room.later[at] = room.kinds[at] == RUNNING


@kernel(allocates=False)
def images(counts):
    """Return how many mirrored boards share a place: only one of them may be before castling."""
    return 2 if counts[WHITE_PAWNS] + counts[BLACK_PAWNS] else 4


@kernel(allocates=False)
def next_image(squares, image, count):
    """Turn a board into the next of its images; the last one into the first."""
    if image & 1 and count == 4:
        turn_over(squares)
    else:
        for i in range(len(squares)):
            squares[i] ^= 3


@kernel(allocates=False)
def mark_moved(room, n, piece, square, second):
    """Mark the position of ``squares[0]`` with one piece on another square."""
    for i in range(n):
        room.squares[1, i] = room.squares[0, i]
    room.squares[1, piece] = square
    mark(room, second)


@kernel(allocates=False)
def mark_before(room, second):
    """Mark the positions from which a move that is no capture leads to that of ``squares[0]``."""
    counts, squares = room.counts, room.squares[0]
    mover, occupied, n = 1 - second, ZERO, 2
    for group in range(GROUPS):
        n += counts[group]
    for i in range(n):
        occupied |= bit(wide(squares[i]))
    leave(room, n, mover, 1 - second, KING[wide(squares[mover])] & ~occupied)
    piece = 2
    for group in range(GROUPS):
        for _ in range(counts[group]):
            if (group >= 5) == (mover == 1):
                targets = came_from(group, wide(squares[piece]), occupied) & ~occupied
                leave(room, n, piece, mover, targets)
            piece += 1
    if counts[BLACK_ROOKS if mover else WHITE_ROOKS]:
        for i in range(n):
            room.squares[2, i] = squares[i]
        count = images(counts)
        for image in range(count):
            mark_castled(room, n, mover)
            next_image(room.squares[2], image, count)


@kernel(allocates=False)
def leave(room, n, piece, mover, targets):
    """Mark the positions with a piece on each square of a set instead."""
    while targets:
        square = np.int64(lowest(targets))
        targets = below(targets)
        mark_moved(room, n, piece, square - (square >> 3 << 2), mover)


@kernel(allocates=False)
def wide(square):
    """Return a square's number on the 8x8 board."""
    return np.uint64(square + (square >> 2 << 2))


@kernel(allocates=False)
def came_from(group, square, occupied):
    """Return the squares that a piece may have come from, without a capture."""
    kind = group % 5
    if kind == 0:
        return bishop_view(square, occupied) | rook_view(square, occupied)
    if kind == 1:
        return rook_view(square, occupied)
    if kind == 2:
        return bishop_view(square, occupied)
    if kind == 3:
        return KNIGHT[square]
    rank, found = square >> np.uint64(3), ZERO
    if group == WHITE_PAWNS:
        if rank >= 2:
            found = bit(square - np.uint64(8))
        if rank == 3 and not found & occupied:
            found |= bit(square - np.uint64(16))
        return found
    if rank <= 2:
        found = bit(square + np.uint64(8))
    if rank == 1 and not found & occupied:
        found |= bit(square + np.uint64(16))
    return found


@kernel(allocates=False)
def mark_castled(room, n, mover):
    """Mark the position before castling, if that may have led to the one of ``squares[2]``."""
    counts, squares = room.counts, room.squares[2]
    king, rook = WHITE_KING_HOME, WHITE_ROOK_HOME
    king_now, rook_now, first = 1, 2, 2 + counts[0]
    if mover:
        king, rook, king_now, rook_now = BLACK_KING_HOME, BLACK_ROOK_HOME, 18, 17
        for group in range(1, BLACK_ROOKS):
            first += counts[group]
    if squares[mover] != king_now:
        return
    for i in range(n):
        if squares[i] in (king, rook):
            return
    for i in range(first, first + counts[BLACK_ROOKS if mover else WHITE_ROOKS]):
        if squares[i] == rook_now:
            for j in range(n):
                room.squares[1, j] = squares[j]
            room.squares[1, mover], room.squares[1, i] = king, rook
            mark(room, mover)
