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
    GROUPS,
    find_place,
    list_squares,
    place_of,
    position_at,
    rights_of,
    squares_at,
)
from hansu.games.microchess.tablebase.predecessors import (
    MATED,
    NOT_A_POSITION,
    OVER,
    RUNNING,
    has_rook,
    mark_before,
)
from hansu.kernel import bit, kernel, popcount

NO_PATH = np.zeros(1, np.uint64)


class Goal(NamedTuple):
    """What is searched for."""

    side: int  # 1: Black's goal
    goal: int
    is_met: bool  # whether a game that is stopped in this class meets it


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
