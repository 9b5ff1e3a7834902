"""Proofs by search: is a position worth more than a score, or is it not?

The answer is yes, no or unknown. A finished game decides it, and so do the tables; a search that
ends before does not. So every answer holds under the full rules of the game.
"""

from typing import Any

import numpy as np

from hansu.games.microchess import rules
from hansu.games.microchess.tablebase.indexing import ILLEGAL
from hansu.games.microchess.tablebase.verdict import (
    end_score,
    entry_bounds,
    free_turns,
    mate_score,
    may_repeat_too_often,
    place_in,
)
from hansu.games.rules_on_words import rules_on_words
from hansu.kernel import kernel

NO, UNKNOWN, YES = -1, 0, 1
MAX_DEPTH = 64

unpack = rules_on_words(rules).unpack


@kernel(allocates=False)
def known_bounds(pos, path, n_moves, tables, squares):
    """Return the bounds of a position's score, by its ending, by the tables, or by the limits."""
    over = rules.ending(pos, path, n_moves)
    if over:
        score = end_score(pos, over)
        return score, score
    which, rights, place = place_in(tables, pos, squares)
    if which == ILLEGAL:
        return -mate_score(pos, 2), mate_score(pos, 1)
    at = tables.starts[which, rights] + place
    free = 0 if may_repeat_too_often(pos, path) else free_turns(pos)
    return entry_bounds(pos, free, tables.mate[at], tables.own[at], tables.other[at])


@kernel(allocates=False)
def compare(pos, than, depth, path, moves, squares, tables, work):
    """Return whether a position is worth more than a score, as far as a search of a depth tells."""
    work[0] += 1
    n = rules.legal_moves(pos, path, moves[depth])
    lower, upper = known_bounds(pos, path, n, tables, squares)
    if lower > than:
        return YES
    if upper <= than:
        return NO
    if depth == 0:
        return UNKNOWN
    path[np.int64(pos.ply)] = rules.key(pos)
    answer = NO
    for i in range(n):
        if work[0] >= work[1]:
            return UNKNOWN
        after = rules.play(pos, moves[depth, i])
        found = compare(after, -than - 1, depth - 1, path, moves, squares, tables, work)
        if found == NO:
            return YES
        if found == UNKNOWN:
            answer = UNKNOWN
    return answer


@kernel
def compare_words(
    words: Any, than: Any, depth: Any, path: Any, moves: Any, squares: Any, tables: Any, work: Any
) -> Any:
    """Do the same for a position as words."""
    return compare(unpack(words), than, depth, path, moves, squares, tables, work)


@kernel
def bounds_of_words(words: Any, path: Any, moves: Any, squares: Any, tables: Any) -> Any:
    """Return the bounds of a position without search."""
    pos = unpack(words)
    n = rules.legal_moves(pos, path, moves[0])
    return known_bounds(pos, path, n, tables, squares)


@kernel
def place_of_words(words: Any, tables: Any, squares: Any) -> Any:
    """Return a position's class, section and place."""
    return place_in(tables, unpack(words), squares)


@kernel
def entry_bounds_of_words(words: Any, path: Any, mate: Any, own: Any, other: Any) -> Any:
    """Return the bounds that an entry proves."""
    pos = unpack(words)
    free = 0 if may_repeat_too_often(pos, path) else free_turns(pos)
    return entry_bounds(pos, free, mate, own, other)
