"""A hash table from move sequences to results, as compiled code fills and reads it.

    table    open addressing with linear probing, at most half full; the key 0 marks a free slot
    key      64 bits: a hash of the game and its start position, mixed with each move in turn

``Pending`` collects new results in memory; ``journal_pending`` adds the counts of the table and
writes the sums to a journal; ``apply`` copies the journal into the table. A journal holds absolute
values, so applying it is idempotent: the next writer applies a killed writer's journal again.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.kernel import kernel, mix

ENTRY = np.dtype(
    [
        ("key", "<u8"),
        ("wins", "<u4"),  # of the player who began
        ("draws", "<u4"),
        ("losses", "<u4"),
        ("ply", "<u2"),  # the length of the sequence
        ("game", "<u2"),  # index into the table's list of games
    ]
)
Entries = NDArray[np.void]

ZERO, ONE = np.uint64(0), np.uint64(1)
DEEPEST = 65535  # what ply can hold
MANY = 65535


def root_key(identity: str) -> np.uint64:
    """Return the key of the empty sequence of a game that begins in a certain position."""
    digest = hashlib.blake2b(identity.encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))


@kernel(allocates=False)
def prefix_key(key: Any, move: Any) -> Any:
    """Return the key of a sequence that is longer by a move."""
    longer = mix(key, np.uint64(move))
    return longer if longer != ZERO else ONE


@kernel(allocates=False)
def slot_of(table, key):
    """Return the slot of a key, or the free slot where it belongs."""
    last = len(table) - 1
    slot = np.int64(key & np.uint64(last))
    for _ in range(len(table)):
        found = table[slot]["key"]
        if found == key or found == ZERO:  # noqa: SIM109 - no tuple to build
            break
        slot = (slot + 1) & last
    return slot


@kernel(allocates=False)
def credit(pending, used, key, ply, game, score):
    """Count a result: +1, 0 or -1 for the first player. ``used[0]`` counts the slots it lists."""
    slot = slot_of(pending, key)
    entry = pending[slot]
    if entry["key"] == ZERO:
        entry["key"] = key
        entry["ply"] = min(ply, DEEPEST)
        entry["game"] = game
        used[0] += 1
        used[used[0]] = slot
    if score > 0:
        entry["wins"] += 1
    elif score == 0:
        entry["draws"] += 1
    else:
        entry["losses"] += 1


@kernel
def journal_pending(pending: Any, used: Any, table: Any, journal: Any) -> int:
    """Write the sums of pending and stored results to the journal; empty the pending ones."""
    n: int = used[0]
    for i in range(n):
        new = pending[used[i + 1]]
        old = table[slot_of(table, new["key"])]
        entry = journal[i]
        entry["key"] = new["key"]
        entry["wins"] = old["wins"] + new["wins"]
        entry["draws"] = old["draws"] + new["draws"]
        entry["losses"] = old["losses"] + new["losses"]
        entry["ply"] = new["ply"]
        entry["game"] = new["game"]
        new["key"] = ZERO
        new["wins"] = 0
        new["draws"] = 0
        new["losses"] = 0
    used[0] = 0
    return n


@kernel
def apply(journal: Any, table: Any) -> int:
    """Copy the journal into the table; return how many sequences are new to it."""
    added = 0
    for i in range(len(journal)):
        new = journal[i]
        entry = table[slot_of(table, new["key"])]
        if entry["key"] == ZERO:
            added += 1
        entry["wins"] = new["wins"]
        entry["draws"] = new["draws"]
        entry["losses"] = new["losses"]
        entry["ply"] = new["ply"]
        entry["game"] = new["game"]
        entry["key"] = new["key"]
    return added


@kernel(allocates=False)
def visits_of(entry):
    """Return how many games were credited to a sequence."""
    return np.int64(entry["wins"]) + np.int64(entry["draws"]) + np.int64(entry["losses"])


@kernel
def most_visited(entries: Any, keep: int, out: Any) -> int:
    """Copy the most visited entries; of equals the shorter sequences, so that every prefix stays.

    Visits beyond ``MANY`` count as equal. Returns how many were copied: ``keep``, or all.
    """
    by_visits = np.zeros(MANY + 1, np.int64)
    by_ply = np.zeros(DEEPEST + 1, np.int64)
    for i in range(len(entries)):
        by_visits[min(visits_of(entries[i]), MANY)] += entries[i]["key"] != ZERO
    least, room = _last_class(by_visits, keep, -1)
    for i in range(len(entries)):
        if min(visits_of(entries[i]), MANY) == least:
            by_ply[entries[i]["ply"]] += entries[i]["key"] != ZERO
    longest, room = _last_class(by_ply, room, +1)
    n = 0
    for i in range(len(entries)):
        visits, ply = min(visits_of(entries[i]), MANY), np.int64(entries[i]["ply"])
        if entries[i]["key"] == ZERO or visits < least or (visits == least and ply > longest):
            continue
        if visits == least and ply == longest:
            if room == 0:
                continue
            room -= 1
        out[n] = entries[i]
        n += 1
    return n


@kernel
def _last_class(counts, room, step):
    """Return the first class that does not fit, or the last, and the room left for it."""
    last = len(counts) - 1 if step > 0 else 0
    at = 0 if step > 0 else len(counts) - 1
    while at != last and counts[at] <= room:
        room -= counts[at]
        at += step
    return at, room


@kernel
def recall(table: Any, keys: Any, out: Any) -> None:
    """Copy the wins, draws and losses of each key into the rows of ``out``."""
    for i in range(len(keys)):
        entry = table[slot_of(table, keys[i])]
        out[i, 0] = entry["wins"]
        out[i, 1] = entry["draws"]
        out[i, 2] = entry["losses"]


@dataclass
class Pending:
    """Results that are not in the table yet, of at most so many sequences."""

    limit: int
    slots: Entries = field(init=False)
    used: NDArray[np.int64] = field(init=False)  # [0]: how many slots, then which

    def __post_init__(self) -> None:
        self.slots = np.zeros(1 << (2 * self.limit - 1).bit_length(), ENTRY)
        self.used = np.zeros(self.limit + 1, np.int64)

    def credit(self, key: Any, ply: int, game: int, score: int) -> None:
        """Count one result for one sequence."""
        credit(self.slots, self.used, key, ply, game, score)

    def clear(self) -> None:
        """Forget what is pending."""
        self.slots[self.used[1 : self.used[0] + 1]] = np.zeros(1, ENTRY)
        self.used[0] = 0
