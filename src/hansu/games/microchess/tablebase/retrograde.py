"""Retrograde analysis of one class: for one side and one goal, the rank of every position.

First the positions where the side is *safe*: stopped at any moment, it has its goal. Then layer by
layer those from which it can force a safe one, by the true rules: a position is looked at again
when one that a move leads to has got a rank. Which those are, moves backwards tell, generously.
"""

from typing import Any, NamedTuple

import numpy as np

from hansu.games.microchess import rules
from hansu.games.microchess.attacks import ZERO, in_check
from hansu.games.microchess.rules import SIX, SQUARE, Position
from hansu.games.microchess.tablebase.entries import (
    NEVER,
    mate_byte,
    rank_in,
    result_bytes,
)
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
    find_place,
    list_squares,
    place_of,
    position_at,
    rights_of,
    squares_at,
    turn_over,
)
from hansu.games.microchess.tables import KING, KNIGHT, bishop_view, rook_view
from hansu.kernel import below, bit, kernel, lowest, popcount

NOT_A_POSITION, RUNNING, MATED, OVER = range(4)  # kinds of places
NO_PATH = np.zeros(1, np.uint64)
LONGEST = 250  # layers


class Room(NamedTuple):
    """The arrays of one class, and what its search writes to."""

    counts: np.ndarray
    starts: np.ndarray  # [5] where the four sections begin, and the end
    kinds: np.ndarray
    now: np.ndarray  # places to look at in this round
    later: np.ndarray  # and in the next one
    moves: np.ndarray  # [2, MAX_MOVES]
    squares: np.ndarray  # [3, LISTED]


class Goal(NamedTuple):
    """What is searched for."""

    side: int  # 1: Black's goal
    goal: int
    is_met: bool  # whether a game that is stopped in this class meets it


def make_room(counts: tuple[int, ...], starts: tuple[int, ...]) -> Room:
    """Return the working memory for a class."""
    kinds, now, later = np.zeros((3, starts[-1]), np.uint8)
    moves, squares = np.zeros((2, rules.MAX_MOVES), np.int64), np.zeros((3, LISTED), np.int64)
    return Room(np.array(counts), np.array(starts), kinds, now, later, moves, squares)


@kernel(allocates=False)
def is_position(counts, squares, second, rights):
    """Return whether pieces stand apart, castling is possible, and nobody could take a king."""
    taken, n = 0, 2
    for group in range(GROUPS):
        for i in range(1, counts[group]):
            if squares[n + i - 1] > squares[n + i]:
                return False
        n += counts[group]
    for i in range(n):
        if taken >> squares[i] & 1:
            return False
        taken |= 1 << squares[i]
    pos = position_at(counts, squares, second, rights)
    if pos.castling & ~pos.rooks:
        return False
    if rights & 1 and not has_rook(counts, squares, 0):
        return False
    if rights & 2 and not has_rook(counts, squares, 1):
        return False
    return not in_check(turned(pos))


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
def turned(pos):
    """Return the position with the other side to move."""
    return Position(
        *(pos.ply, pos.second ^ np.uint64(1), pos.pawns, pos.knights, pos.bishops, pos.rooks),
        *(pos.queens, pos.kings, pos.theirs, pos.mine, pos.castling, ZERO, ZERO, ZERO, ZERO),
        *(ZERO, ZERO),
    )


@kernel(allocates=False)
def without_en_passant(pos):
    """Return the position without the right to take en passant."""
    return Position(
        *(pos.ply, pos.second, pos.pawns, pos.knights, pos.bishops, pos.rooks, pos.queens),
        *(pos.kings, pos.mine, pos.theirs, pos.castling, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO),
    )


@kernel
def classify(room: Any, rights: Any, first: Any, end: Any) -> Any:
    """Write what kind of place each one of a section is."""
    squares, moves = room.squares[0], room.moves[0]
    for place in range(first, end):
        second = squares_at(room.counts, place, rights, squares)
        kind = NOT_A_POSITION
        if is_position(room.counts, squares, second, rights):
            pos = position_at(room.counts, squares, second, rights)
            over = rules.ending(pos, NO_PATH, rules.legal_moves(pos, NO_PATH, moves))
            kind = MATED if over == rules.CHECKMATE else OVER if over else RUNNING
        room.kinds[room.starts[rights] + place] = kind


# Looking forward ----------------------------------------------------------------------------------


@kernel(allocates=False)
def known_rank(tables, room, ranks, pos, changed, goal):
    """Return the rank of a position without en passant, which may be of another class."""
    squares = room.squares[1]
    if not changed:
        list_squares(pos, False, squares)
        rights = rights_of(pos)
        place = place_of(room.counts, squares, np.int64(pos.second), rights)
        return np.int64(ranks[room.starts[rights] + place])
    return rank_of(tables, pos, goal.side, goal.goal, squares)


@kernel(allocates=False)
def rank_of(tables, pos, side, goal, squares):
    """Return the rank of a position without en passant in finished tables."""
    which, rights, place = find_place(tables, pos, squares)
    at = place + tables.starts[which, rights]
    is_mover = np.int64(pos.second) == side
    return rank_in(tables.mate[at], tables.own[at], tables.other[at], is_mover, goal)


@kernel(allocates=False)
def changes_class(pos, after, move):
    """Return whether a move takes a piece or promotes a pawn."""
    return np.int64(move) >> 12 != 0 or popcount(after.mine) != popcount(pos.theirs)


@kernel(allocates=False)
def rank_after(tables, room, ranks, pos, move, goal):
    """Return the rank of the position after a move."""
    after = rules.play(pos, move)
    if after.en_passant and after.mine & after.pawns:
        return rank_with_en_passant(tables, room, ranks, after, goal)
    return known_rank(tables, room, ranks, after, changes_class(pos, after, move), goal)


@kernel(allocates=False)
def rank_with_en_passant(tables, room, ranks, pos, goal):
    """Return the rank after a double step: with the moves that take en passant, if there are any.

    No table holds such a position. It is valued as one with all its other moves, if it has some,
    beside the captures.
    """
    moves = room.moves[1]
    n = rules.legal_moves(pos, NO_PATH, moves)
    is_own = np.int64(pos.second) == goal.side
    takes, least, most = 0, NEVER, 0
    for i in range(n):
        word = np.uint64(moves[i])
        source, target = bit(word & SQUARE), bit(word >> SIX & SQUARE)
        if source & pos.pawns and target == pos.en_passant:
            takes += 1
            rank = known_rank(tables, room, ranks, rules.play(pos, moves[i]), True, goal)
            least, most = min(least, rank), max(most, rank)
    plain = without_en_passant(pos)
    if takes == 0:
        return known_rank(tables, room, ranks, plain, False, goal)
    best = least if is_own else most
    safe = goal.is_met and best == 0
    step = 0 if safe else min(best + 1, NEVER)
    if takes == n:
        return step
    rest = known_rank(tables, room, ranks, plain, False, goal)
    return min(rest, step) if is_own else max(rest, step)


@kernel(allocates=False)
def foresee(tables, room, ranks, pos, goal, enough, refuted):
    """Return the least rank after a move of the goal's side, or the greatest after the other's.

    It stops where a rank is ``enough``, or ``refuted``.
    """
    moves = room.moves[0]
    n = rules.legal_moves(pos, NO_PATH, moves)
    if np.int64(pos.second) == goal.side:
        best = NEVER
        for i in range(n):
            best = min(best, rank_after(tables, room, ranks, pos, moves[i], goal))
            if best <= enough:
                break
        return best
    worst = 0
    for i in range(n):
        worst = max(worst, rank_after(tables, room, ranks, pos, moves[i], goal))
        if worst >= refuted:
            break
    return worst


@kernel
def begin(room: Any, goal: Any, ranks: Any) -> Any:
    """Give every place its rank before the search; return nothing."""
    for rights in range(4):
        start, end = room.starts[rights], room.starts[rights + 1]
        half = (end - start) // 2
        for at in range(start, end):
            kind = room.kinds[at]
            is_mover = (at - start >= half) == (goal.side == 1)
            if kind == MATED:
                ranks[at] = NEVER if is_mover else 0
            elif kind != NOT_A_POSITION and goal.is_met:
                ranks[at] = 0
            else:
                ranks[at] = NEVER
            room.now[at] = kind == RUNNING
            room.later[at] = 0


@kernel
def remove_unsafe(
    tables: Any, room: Any, ranks: Any, goal: Any, rights: Any, first: Any, end: Any
) -> Any:
    """Take positions out of the safe ones from which the goal can be lost; return how many."""
    squares, removed = room.squares[0], 0
    for place in range(first, end):
        at = room.starts[rights] + place
        if not room.now[at]:
            continue
        room.now[at] = 0
        if ranks[at]:
            continue
        second = squares_at(room.counts, place, rights, squares)
        pos = position_at(room.counts, squares, second, rights)
        if foresee(tables, room, ranks, pos, goal, 0, 1):
            ranks[at] = NEVER
            removed += 1
            mark_before(room, second)
    return removed


@kernel
def add_layer(
    tables: Any, room: Any, ranks: Any, goal: Any, layer: Any, rights: Any, first: Any, end: Any
) -> Any:
    """Give positions the rank after ``layer``; return how many are to be looked at again."""
    squares, waiting = room.squares[0], 0
    for place in range(first, end):
        at = room.starts[rights] + place
        if not room.now[at]:
            continue
        room.now[at] = 0
        if ranks[at] != NEVER:
            continue
        second = squares_at(room.counts, place, rights, squares)
        pos = position_at(room.counts, squares, second, rights)
        rank = foresee(tables, room, ranks, pos, goal, layer, NEVER) + 1
        if rank <= layer + 1:
            ranks[at] = rank
            mark_before(room, second)
            waiting += 1
        elif rank < NEVER:
            room.later[at] = 1
            waiting += 1
    return waiting


# Looking back -------------------------------------------------------------------------------------


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


@kernel
def combine(room: Any, mates: Any, wins: Any, draws: Any, mate: Any, own: Any, other: Any) -> Any:
    """Write the entries from the ranks of both sides ([2, entries] each).

    A place that is no position repeats the entry before: so the table is compressed best.
    """
    for rights in range(4):
        start, end = room.starts[rights], room.starts[rights + 1]
        half = (end - start) // 2
        for at in range(start, end):
            if room.kinds[at] == NOT_A_POSITION and at:
                mate[at], own[at], other[at] = mate[at - 1], own[at - 1], other[at - 1]
                continue
            me = 1 if at - start >= half else 0
            it = 1 - me
            mate[at] = mate_byte(mates[me, at], mates[it, at])
            own[at], other[at] = result_bytes(
                wins[me, at], draws[me, at], wins[it, at], draws[it, at]
            )
