"""Positions of many games, counted: how often each was seen, and the results.

A hash table in flat arrays that grows as needed. A position is two sets of discs. In the historic
form they are Black's and White's, whichever side is to move; with ``by_mover`` they are mine and
theirs for the side to move, and wins and leads are mine.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansu.games.othello.rules import ZERO, play
from hansu.games.state import State
from hansu.kernel import kernel, mix, popcount
from hansu.learning.experts.games import ExpertGames
from hansu.learning.experts.replaying import NO_MOVE, UNKNOWN, passed, unpack

CHUNK = 5_000  # games at a time: the table grows in time for all their positions
MAX_LOAD = 0.6  # a fuller table is slow
FIRST_SIZE = 2**16


class Table(NamedTuple):
    """Counted positions, a row each."""

    one: NDArray[np.uint64]  # Black's discs, or mine
    other: NDArray[np.uint64]  # White's discs, or theirs
    n: NDArray[np.int32]  # how often it was seen
    wins: NDArray[np.int32]  # by Black, or by me
    lead: NDArray[np.int32]  # the sum of leads in discs


class Positions:
    """The positions of all games that were added.

    >>> import hansu
    >>> counted = Positions()
    >>> counted.find(hansu.game("othello").parse("f5"))
    (0, 0)
    """

    def __init__(self, draws: str = "drop", by_mover: bool = False) -> None:
        """Begin with no positions; ``draws`` drops drawn games, or counts them as not won."""
        self.draws, self.by_mover = draws, by_mover
        self.games = 0
        self._used = 0
        self._slots = _empty(FIRST_SIZE)

    def __len__(self) -> int:
        return self._used

    def add(self, games: ExpertGames) -> None:
        """Count the positions of some games."""
        if self.draws == "drop":
            games = games[games.lead != 0]
        for begin in range(0, len(games), CHUNK):
            part = games[begin : begin + CHUNK]
            self._make_room(self._used + part.moves.size + len(part))
            self._used += count_games(
                *(part.start, part.moves, part.lead, part.best_lead, part.best_empties),
                *(self.by_mover, self._slots),
            )
        self.games += len(games)

    def table(self) -> Table:
        """Return all positions; the order depends on nothing but what was added."""
        taken = self._slots.n > 0
        one, other, n, wins, lead = self._slots
        return Table(one[taken], other[taken], n[taken], wins[taken], lead[taken])

    def find(self, state: State) -> tuple[int, int]:
        """Return how often a position was seen, and how often Black (or the side to move) won."""
        second, mine, theirs = state.words[1:]
        pair = (theirs, mine) if second and not self.by_mover else (mine, theirs)
        at = find_slot(self._slots, *pair)
        return int(self._slots.n[at]), int(self._slots.wins[at])

    def _make_room(self, wanted: int) -> None:
        if wanted <= MAX_LOAD * len(self._slots.n):
            return
        old, size = self.table(), len(self._slots.n)
        while wanted > MAX_LOAD * size:
            size *= 2
        self._slots = _empty(size)
        insert(self._slots, old)


def _empty(size: int) -> Table:
    one, other = np.zeros((2, size), np.uint64)
    n, wins, lead = np.zeros((3, size), np.int32)
    return Table(one, other, n, wins, lead)


@kernel
def find_slot(slots, one, other):
    """Return where a position is, or the free place where it belongs."""
    last = np.uint64(len(slots.n) - 1)  # the size is a power of two
    at = mix(mix(ZERO, one), other) & last
    while slots.n[at] and (slots.one[at] != one or slots.other[at] != other):
        at = (at + np.uint64(1)) & last
    return at


@kernel
def insert(slots, rows):
    """Put counted positions into an empty table."""
    for row in range(len(rows.n)):
        at = find_slot(slots, rows.one[row], rows.other[row])
        slots.one[at], slots.other[at] = rows.one[row], rows.other[row]
        slots.n[at], slots.wins[at], slots.lead[at] = rows.n[row], rows.wins[row], rows.lead[row]


@kernel
def count_games(start, moves, lead, best_lead, best_empties, by_mover, slots):
    """Count the positions of games, which keep the rules; returns how many are new."""
    new = 0
    for game in range(len(moves)):
        pos = passed(unpack(start[game]))
        for at in range(moves.shape[1] + 1):
            empty = 64 - np.int64(popcount(pos.mine | pos.theirs))
            target = lead[game]
            if by_mover and best_lead[game] != UNKNOWN and empty >= best_empties[game]:
                target = best_lead[game]  # what the position was worth: better than how it ended
            new += count(slots, pos, lead[game], target, by_mover)
            if at == moves.shape[1] or moves[game, at] == NO_MOVE:
                break
            pos = passed(play(pos, moves[game, at]))
    return new


@kernel
def count(slots, pos, lead, target, by_mover):
    """Count one position; 1 if it is new."""
    one, other, sign = pos.mine, pos.theirs, 1
    if pos.second and by_mover:
        sign = -1
    elif pos.second:
        one, other = pos.theirs, pos.mine
    at = find_slot(slots, one, other)
    new = int(slots.n[at] == 0)
    slots.one[at], slots.other[at] = one, other
    slots.n[at] += 1
    slots.wins[at] += int(sign * lead > 0)
    slots.lead[at] += sign * target
    return new
