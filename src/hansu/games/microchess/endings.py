"""Leaf evaluation with tablebases: what is proved, else material."""

from typing import NamedTuple

import numpy as np

from hansu.games.microchess.evaluate import evaluate
from hansu.games.microchess.tablebase.indexing import ILLEGAL, LISTED, Tables
from hansu.games.microchess.tablebase.opened import Tablebase
from hansu.games.microchess.tablebase.verdict import entry_bounds, free_turns, place_in
from hansu.kernel import kernel, popcount


class Endings(NamedTuple):
    """The tables for one search."""

    pieces: np.uint64  # the most of a position in the tables
    squares: np.ndarray  # working memory
    tables: Tables


def make_endings(tablebase: Tablebase) -> Endings:
    """Return the tables that are in memory."""
    most = tablebase.loaded.counts.sum(axis=1).max(initial=-2) + 2
    return Endings(np.uint64(most), np.zeros(LISTED, np.int64), tablebase.loaded)


@kernel
def evaluate_ending(pos, endings):
    """Return White's share: 1, a half or 0 where that is proved, repetitions left aside."""
    if popcount(pos.mine | pos.theirs) > endings.pieces:
        return evaluate(pos)
    which, rights, place = place_in(endings.tables, pos, endings.squares)
    if which == ILLEGAL:
        return evaluate(pos)
    tables, at = endings.tables, endings.tables.starts[which, rights] + place
    mate, own, other = tables.mate[at], tables.own[at], tables.other[at]
    lower, upper = entry_bounds(pos, free_turns(pos), mate, own, other)
    if lower > 0 or upper < 0:
        return 1.0 if (lower > 0) == (pos.second == 0) else 0.0
    return 0.5 if lower == upper else evaluate(pos)
