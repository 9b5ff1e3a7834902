"""Proofs by search on small go boards: is a position worth more than a score, or is it not?

The answer is yes, no or unknown. It holds under the full rules, superko and the turn limit counted:
every move is tried as the rules allow it on this very path. A finished game decides it, and so do
stones that are unconditionally alive, whatever comes.
"""

from typing import Any, NamedTuple

import numpy as np

from hansu.games.array_position import unpack
from hansu.games.bounds_table import ODD_1, keep, lower_of, scattered, tag_of, upper_of
from hansu.games.go import rules
from hansu.games.go.benson import mark_alive
from hansu.games.go.board import (
    EMPTIES,
    EMPTY,
    KOMI,
    KOMI_ZERO,
    MAX_POINTS,
    ONE,
    PASSES,
    PLY,
    POINT_COUNT,
    SECOND,
    cell_of,
    cells_of,
    lead_halves,
)
from hansu.kernel import kernel

NO, UNKNOWN, YES = -1, 0, 1
ANY = 1 << 30  # stones: no play below
TAG = np.uint64(16)  # bits of a table's number that are its bounds


@kernel
def score_of(halves: Any, second: Any) -> Any:
    """Return a lead of Black as a score for a player: points, with half points rounded up."""
    if second:
        halves = -halves
    return (halves + 1) // 2 if halves > 0 else -((1 - halves) // 2)


@kernel
def known_bounds(words: Any, over: Any) -> Any:
    """Return the bounds of the score for the side to move: by the result, or by living stones."""
    second = words[SECOND]
    if over:
        score = score_of(lead_halves(words), second)
        return score, score
    alive = np.empty(MAX_POINTS, np.uint8)
    points, komi = np.int64(words[POINT_COUNT]), np.int64(words[KOMI]) - KOMI_ZERO
    lowest = 2 * (2 * mark_alive(words, 0, alive) - points) - komi
    highest = 2 * (points - 2 * mark_alive(words, 1, alive)) - komi
    if second:
        return score_of(highest, second), score_of(lowest, second)
    return score_of(lowest, second), score_of(highest, second)


@kernel
def bounds_of_words(words: Any, path: Any) -> Any:
    """Return the bounds of a position without search."""
    return known_bounds(words, rules.ending(unpack(words), path, 1))


@kernel
def stones_of(words):
    """Return how many stones are on the board."""
    return np.int64(words[POINT_COUNT] - words[EMPTIES])


class Room(NamedTuple):
    """What a search writes to."""

    stack: np.ndarray  # [depth, words] the positions from the root on
    path: np.ndarray  # the keys of all positions before
    moves: np.ndarray  # [depth, MAX_MOVES]
    order: np.ndarray  # how promising a point is by its place
    fewest: np.ndarray  # [depth] the fewest stones of a board that a play below led to
    hints: np.ndarray  # by a position's key: the move that decided it
    table: np.ndarray  # bounds: see bounds_table.py
    work: np.ndarray  # [2] positions seen, positions allowed


@kernel
def find_moves(words, path, out):
    """Write the legal moves, the pass last; return how many, and whether superko forbids any."""
    cells, n, is_banned = cells_of(words), 0, False
    for point in range(np.int64(words[POINT_COUNT])):
        at = cell_of(words, point)
        if cells[at] == EMPTY:
            lives, key = rules.look_ahead(words, cells, at)
            if lives and rules.is_repetition(words, path, key):
                is_banned = True
            elif lives:
                out[n] = point
                n += 1
    out[n] = np.int64(words[POINT_COUNT])
    return n + 1, is_banned


@kernel
def sort_moves(moves, n, order, first_move):
    """Sort moves by promise, one of them first; the pass is the last."""
    for i in range(1, n - 1):
        move, j = moves[i], i
        while j > 0 and order[moves[j - 1]] < order[move]:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = move
    for i in range(1, n):
        if moves[i] == first_move:
            for j in range(i, 0, -1):
                moves[j] = moves[j - 1]
            moves[0] = first_move


@kernel
def compare(room, at, depth, than, most):
    """Return whether the position ``stack[at]`` is worth more than a score to the side to move.

    ``most`` is the greatest number of stones on a board before. What is proved does not depend on
    the boards before if none of them can come back below: if all have fewer stones than every board
    that a play below led to, and superko forbade nothing there. Only that goes into the table.
    """
    work, fewest = room.work, room.fewest
    work[0] += 1
    fewest[at] = ANY
    words = room.stack[at]
    pos = unpack(words)
    lower, upper = known_bounds(words, rules.ending(pos, room.path, 1))
    if lower > than:
        return YES
    if upper <= than:
        return NO
    stones, key = stones_of(words), rules.key(pos)
    number = scattered(key ^ words[PLY] * ODD_1)
    slot, tag = number & np.uint64(len(room.table) - 1), number >> TAG
    if most <= stones:
        entry = room.table[slot]
        if entry and tag_of(entry) == tag:
            lower, upper = max(lower, lower_of(entry)), min(upper, upper_of(entry))
            if lower > than or upper <= than:
                fewest[at] = stones + 1
                return YES if lower > than else NO
    if depth == 0:
        return UNKNOWN
    room.path[np.int64(pos.ply)] = key
    answer = try_moves(room, at, depth, than, max(most, stones), key)
    if answer != UNKNOWN and most <= stones < fewest[at]:
        keep(room.table, slot, tag, lower, upper, than + (answer == YES), than)
    return answer


@kernel(inline=True)  # two functions that call each other cannot be kept on disk
def try_moves(room, at, depth, than, most, key):
    """Compare the positions after all moves."""
    words, moves, fewest = room.stack[at], room.moves[at], room.fewest
    n, is_banned = find_moves(words, room.path, moves)
    if is_banned:
        fewest[at] = 0
    hint = key & np.uint64(len(room.hints) - 1)
    ends = np.int64(words[POINT_COUNT])
    sort_moves(moves, n, room.order, ends if words[PASSES] == ONE else room.hints[hint])
    answer = NO
    for i in range(n):
        if room.work[0] >= room.work[1]:
            return UNKNOWN
        room.stack[at + 1] = words
        rules.play(unpack(room.stack[at + 1]), moves[i])
        found = compare(room, at + 1, depth - 1, -than - 1, most)
        fewest[at] = min(fewest[at], fewest[at + 1])
        if moves[i] != ends:
            fewest[at] = min(fewest[at], stones_of(room.stack[at + 1]))
        if found == NO:
            room.hints[hint] = moves[i]
            return YES
        if found == UNKNOWN:
            answer = UNKNOWN
    return answer


@kernel
def compare_words(words: Any, room: Any, depth: Any, than: Any, most: Any) -> Any:
    """Do the same for a position as words."""
    room.stack[0] = words
    # With a literal 0 there were two forms, and forms that call each other cannot be kept on disk.
    return compare(room, np.int64(0), depth, than, most)
