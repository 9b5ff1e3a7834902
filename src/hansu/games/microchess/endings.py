"""Leaf evaluation with tablebases: what is proved, else material.

A search hands its leaf evaluator from call to call, so the tables are one array of words: four
numbers, the keys and classes, the counts and starts of the classes, and the entries as bytes.
"""

import numpy as np
from numpy.typing import NDArray

from hansu.games.microchess.evaluate import evaluate
from hansu.games.microchess.tablebase.indexing import GROUPS, ILLEGAL, LISTED, Tables
from hansu.games.microchess.tablebase.opened import Tablebase
from hansu.games.microchess.tablebase.verdict import entry_bounds, free_turns, place_in
from hansu.kernel import borrowed, kernel, popcount

HEADER = 4  # the most pieces, how many keys, classes and entries there are
SECTIONS = 4


def pack_tables(tablebase: Tablebase) -> NDArray[np.int64]:
    """Return the tables that are in memory as one array."""
    tables = tablebase.loaded
    pieces = int(tables.counts.sum(axis=1).max(initial=-2)) + 2
    entries = np.concatenate([tables.mate, tables.own, tables.other])
    padded = np.concatenate([entries, np.zeros(-len(entries) % 8, np.uint8)])
    header = [pieces, len(tables.keys), len(tables.counts), len(tables.mate)]
    parts = (header, tables.keys, tables.classes, tables.counts.ravel(), tables.starts.ravel())
    return np.concatenate([*(np.asarray(part, np.int64) for part in parts), padded.view(np.int64)])


@kernel
def unpack_tables(packed):
    """Return the tables in an array of words."""
    keys, classes, entries = packed[1], packed[2], packed[3]
    counts = HEADER + 2 * keys
    starts = counts + GROUPS * classes
    end = starts + SECTIONS * classes
    content = packed[end:].view(np.uint8)
    return Tables(
        packed[HEADER : HEADER + keys],
        packed[HEADER + keys : counts],
        packed[counts:starts].reshape((classes, GROUPS)),
        packed[starts:end].reshape((classes, SECTIONS)),
        content[:entries],
        content[entries : 2 * entries],
        content[2 * entries : 3 * entries],
    )


@kernel
def evaluate_ending(pos, packed):
    """Return White's share: 1, a half or 0 where that is proved, repetitions left aside."""
    if np.int64(popcount(pos.mine | pos.theirs)) > packed[0]:
        return evaluate(pos)
    return proved_share(pos, packed)


@kernel
def proved_share(pos, packed):
    """Do the same for a position with few pieces."""
    tables = unpack_tables(borrowed(packed))
    which, rights, place = place_in(tables, pos, np.empty(LISTED, np.int64))
    if which == ILLEGAL:
        return evaluate(pos)
    at = tables.starts[which, rights] + place
    mate, own, other = tables.mate[at], tables.own[at], tables.other[at]
    lower, upper = entry_bounds(pos, free_turns(pos), mate, own, other)
    if lower > 0 or upper < 0:
        return 1.0 if (lower > 0) == (pos.second == 0) else 0.0
    return 0.5 if lower == upper else evaluate(pos)
