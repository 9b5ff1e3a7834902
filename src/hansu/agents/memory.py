"""A table from move sequences to results that only ever grows, shared by any number of processes.

SQLite does the hard part: every update is one transaction that adds to what is there, so a killed
process loses at most the update it was in, and two writers never overwrite each other.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hansu.errors import HansuError

WAIT_SECONDS = 60.0  # for another writer


@dataclass(frozen=True)
class Tally:
    """Games won, drawn and lost by the player who began. Tallies add up.

    >>> Tally(3, 1, 0) + Tally(0, 1, 1)
    Tally(wins=3, draws=2, losses=1)
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    @property
    def games(self) -> int:
        """How many there were."""
        return self.wins + self.draws + self.losses

    @property
    def rate(self) -> float:
        """The share won, a draw counting a half; a half when nothing is known."""
        return (self.wins + 0.5 * self.draws) / self.games if self.games else 0.5


class Memory:
    """The table in one file.

    >>> memory = Memory(":memory:")
    >>> memory.add({"4": Tally(2, 0, 1)})
    >>> memory.add({"4": Tally(1, 0, 0)})
    >>> memory.recall(["4", "5"])
    {'4': Tally(wins=3, draws=0, losses=1), '5': Tally(wins=0, draws=0, losses=0)}
    """

    def __init__(self, file: str | Path) -> None:
        try:
            if str(file) != ":memory:":
                Path(file).parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(file, timeout=WAIT_SECONDS, isolation_level=None)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS sequences (moves TEXT PRIMARY KEY, wins INTEGER,"
                " draws INTEGER, losses INTEGER) WITHOUT ROWID"
            )
        except (OSError, sqlite3.Error) as error:
            raise HansuError(f"cannot use {file} as a memory: {error}") from None

    def recall(self, sequences: Sequence[str]) -> dict[str, Tally]:
        """What is known about each sequence."""
        marks = ",".join("?" * len(sequences))
        rows = self._database.execute(
            f"SELECT moves, wins, draws, losses FROM sequences WHERE moves IN ({marks})", sequences
        )
        known = {moves: Tally(*counts) for moves, *counts in rows}
        return {moves: known.get(moves, Tally()) for moves in sequences}

    def add(self, news: Mapping[str, Tally]) -> None:
        """Add results, all of them or none."""
        rows = [(moves, t.wins, t.draws, t.losses) for moves, t in news.items()]
        try:
            with self._transaction():
                self._database.executemany(_ADD, rows)
        except sqlite3.Error as error:
            raise HansuError(f"the memory cannot be written: {error}") from None

    def items(self) -> Iterator[tuple[str, Tally]]:
        """Everything, in the order of the sequences."""
        rows = self._database.execute(
            "SELECT moves, wins, draws, losses FROM sequences ORDER BY moves"
        )
        for moves, *counts in rows:
            yield moves, Tally(*counts)

    def merge(self, other: "Memory") -> None:
        """Add all that another memory knows."""
        self.add(dict(other.items()))

    def prune(self, fewer_than: int) -> int:
        """Forget sequences with fewer games than this; how many were forgotten."""
        with self._transaction():
            return self._database.execute(
                "DELETE FROM sequences WHERE wins + draws + losses < ?", (fewer_than,)
            ).rowcount

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _transaction(self) -> "_Transaction":
        return _Transaction(self._database)


_ADD = (
    "INSERT INTO sequences VALUES (?, ?, ?, ?) ON CONFLICT(moves) DO UPDATE SET"
    " wins = wins + excluded.wins, draws = draws + excluded.draws,"
    " losses = losses + excluded.losses"
)


class _Transaction:
    """BEGIN IMMEDIATE ... COMMIT: waits for other writers before it reads, not after."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __enter__(self) -> None:
        self._database.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._database.execute("COMMIT")
        elif self._database.in_transaction:  # on a full disk SQLite has rolled back by itself
            self._database.execute("ROLLBACK")
