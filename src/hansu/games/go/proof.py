"""Proofs by search on small go boards: is a position worth more than a score, or is it not?

The answer is yes, no or unknown. It holds under the full rules, superko and the turn limit counted:
every move is tried as the rules allow it on this very path. A finished game decides it, and so do
stones that are unconditionally alive, whatever comes.
"""

from typing import Any

import numpy as np

from hansu.games.array_position import Position
from hansu.games.go import rules
from hansu.games.go.benson import mark_alive
from hansu.games.go.board import (
    KOMI,
    KOMI_ZERO,
    MAX_POINTS,
    ONE,
    PASSES,
    PLY,
    POINT_COUNT,
    SECOND,
    lead_halves,
)
from hansu.kernel import kernel

NO, UNKNOWN, YES = -1, 0, 1


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
    return known_bounds(words, rules.ending(_position(words), path, 1))


@kernel
def _position(words):
    return Position(words[PLY], words[SECOND], words)


@kernel
def compare(stack, at, depth, than, path, moves, order, work):
    """Return whether the position ``stack[at]`` is worth more than a score to the side to move.

    ``order[point]`` is how promising a point is by its place. Passes come first where they end the
    game, else last.
    """
    work[0] += 1
    words = stack[at]
    pos = _position(words)
    over = rules.ending(pos, path, 1)
    lower, upper = known_bounds(words, over)
    if lower > than:
        return YES
    if upper <= than:
        return NO
    if depth == 0:
        return UNKNOWN
    path[np.int64(pos.ply)] = rules.key(pos)
    n = rules.legal_moves(pos, path, moves[at])
    sort_moves(moves[at], n, order, words[PASSES] == ONE)
    answer = NO
    for i in range(n):
        if work[0] >= work[1]:
            return UNKNOWN
        stack[at + 1] = words
        rules.play(_position(stack[at + 1]), moves[at, i])
        found = compare(stack, at + 1, depth - 1, -than - 1, path, moves, order, work)
        if found == NO:
            return YES
        if found == UNKNOWN:
            answer = UNKNOWN
    return answer


@kernel
def sort_moves(moves, n, order, passes_first):
    """Sort moves by promise; the pass is the last of them."""
    if passes_first:
        moves[0], moves[n - 1] = moves[n - 1], moves[0]
    first, end = (1, n) if passes_first else (0, n - 1)
    for i in range(first + 1, end):
        move, j = moves[i], i
        while j > first and order[moves[j - 1]] < order[move]:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = move


@kernel
def compare_words(
    words: Any, stack: Any, depth: Any, than: Any, path: Any, moves: Any, order: Any, work: Any
) -> Any:
    """Do the same for a position as words."""
    stack[0] = words
    return compare(stack, 0, depth, than, path, moves, order, work)
