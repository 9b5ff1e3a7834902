"""The memory of simulated games: one file, shared by any number of processes.

    header    what the file is, how many entries it holds, the state of the journal
    games     the games it knows, by their text, such as ``connect4`` or ``go:size=5``
    sources   which memories its results come from: its own number, and those merged into it
    table     from move sequences to results (``search/prefix_table.py``)
    journal   the change in progress

The file has its full size from the start and never grows: a table that is half full forgets the
least visited sequences. A change is written to the journal, marked valid, and copied to the table,
all under a lock; a process that finds a valid journal copies it again. So a killed process loses
at most the change it had not marked yet.
"""

import mmap
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from hansu.agents.file_lock import locked
from hansu.errors import HansuError
from hansu.games.state import State
from hansu.search.prefix_playouts import sequence_keys
from hansu.search.prefix_table import (
    ENTRY,
    ZERO,
    Entries,
    Pending,
    apply,
    journal_pending,
    most_visited,
    prefix_key,
    recall,
)
from hansu.statistics.stats import Tally

CAPACITY = 1 << 20  # slots; at most half of them are used
MAGIC = b"hansu memory 2\n"
SQLITE = b"SQLite format 3\0"  # what memories were before
HEADER = np.dtype(
    [
        ("magic", "S16"),
        ("capacity", "<u8"),
        ("entries", "<u8"),
        ("games", "<u8"),
        ("sources", "<u8"),
        ("journal", "<u8"),  # entries of a valid journal; 0: none
        ("journal_replaces", "<u8"),  # 1 when the journal is the whole table
        ("journal_sources", "<u8"),  # what ``sources`` is to be
    ]
)
MOST_GAMES, MOST_SOURCES = 256, 512
GAME, SOURCE = np.dtype("S256"), np.dtype("<u8")
CHUNK = bytes(1 << 20)


class Memory:
    """The table, in a file or (without one) only as long as this object lives.

    >>> import hansu
    >>> memory, state = Memory(), hansu.game("connect4").start()
    >>> memory.moves(state)[3]
    (4, Tally(wins=0, draws=0, losses=0))
    """

    def __init__(
        self, file: str | Path | None = None, capacity: int = CAPACITY, read_only: bool = False
    ) -> None:
        self.file = None if file is None else Path(file)
        self._read_only = read_only
        self._header: Any
        self._stream: IO[Any] | None = None
        self._process = os.getpid()
        if self.file is None:
            self._lay_out(bytearray(_size(capacity)), capacity)
            self._header[0] = _first_header(capacity)
            return
        try:
            self._open(self.file, capacity)
        except OSError as error:
            self.close()
            reason = error.strerror or error
            raise HansuError(f"cannot use {file} as a memory: {reason}") from None
        except HansuError:
            self.close()
            raise

    def close(self) -> None:
        """Close the file: what was committed is in it."""
        self.table = self._journal = np.zeros(2, ENTRY)  # lets go of the mapped file
        self._header = np.zeros(1, HEADER)
        self._games, self._sources = np.zeros(1, GAME), np.zeros(1, SOURCE)
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    # What it knows -----------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return the number of sequences."""
        return int(self._header["entries"][0])

    @property
    def limit(self) -> int:
        """How many sequences it can know."""
        return len(self.table) // 2

    @property
    def games(self) -> list[str]:
        """The games it knows, in the order in which it met them."""
        return [text.decode() for text in self._games[: int(self._header["games"][0])]]

    def recall(self, keys: Sequence[Any] | NDArray[np.uint64]) -> list[Tally]:
        """Return the tally of each sequence, for the player who moved first."""
        out = np.empty((len(keys), 3), np.int64)
        with self._locked():
            recall(self.table, np.asarray(keys, np.uint64), out)
        return [Tally(*counts) for counts in out.tolist()]

    def moves(self, state: State) -> list[tuple[Any, Tally]]:
        """Return every legal move with its tally, for the side to move."""
        moves = list(state.legal_moves)
        key = sequence_keys(state)[-1]
        known = self.recall([prefix_key(key, state.move_id(move)) for move in moves])
        is_first = state.turn == state.game.first_color
        return [(m, tally if is_first else -tally) for m, tally in zip(moves, known, strict=True)]

    def entries(self) -> Entries:
        """Return all entries, unordered; raises HansuError if the table is damaged."""
        with self._locked():
            used = self._used()
            if len(used) != len(self) or (used["game"] >= max(1, len(self.games))).any():
                raise HansuError(f"{self.file} is damaged: its entries do not match its header")
            return used

    # How it learns and forgets -----------------------------------------------------------------

    def game_number(self, game: str) -> int:
        """Return the number of a game in the entries; add the game if it is new."""
        with self._locked():
            return self._note_game(game.encode()[: GAME.itemsize])

    def commit(self, pending: Pending) -> None:
        """Add results, all of them or none; ``pending`` is empty afterwards."""
        with self._locked():
            if len(self) + int(pending.used[0]) > self.limit:
                self._replace(self.table, self.limit // 2)
            n = journal_pending(pending.slots, pending.used, self.table, self._journal)
            self._header["journal_sources"] = self._header["sources"]
            self._header["journal_replaces"] = 0
            self._header["journal"] = n  # from here on it counts
            self._redo()

    def prune(self, keep: int | None = None, min_visits: int = 0) -> int:
        """Keep the most visited sequences, or those with enough games; return how many are gone."""
        with self._locked():
            before, used = len(self), self._used()
            kept = used[_visits(used) >= min_visits]
            self._replace(kept, self.limit if keep is None else keep)
            return before - len(self)

    def merge(self, others: Sequence["Memory"]) -> int:
        """Add other memories, all or nothing; return how many sequences found no room.

        Raises HansuError where two of them share results, which would count twice.
        """
        theirs = [(other, other.entries()) for other in others]
        with self._locked():
            sources = [int(number) for number in self._known_sources()]
            for other in others:
                more = [int(number) for number in other._known_sources()]
                if set(more) & set(sources):
                    raise HansuError(
                        f"{other.file} shares results with what it is merged with: they would "
                        "count twice"
                    )
                sources += more
            if len(sources) > MOST_SOURCES:
                raise HansuError(f"a memory can be merged from {MOST_SOURCES} others, not more")
            parts = [self._used(), *(self._renumbered(other, part) for other, part in theirs)]
            whole = _sums(np.concatenate(parts))
            self._sources[: len(sources)] = sources
            self._replace(whole, self.limit, len(sources))
            return len(whole) - len(self)

    # Inside ------------------------------------------------------------------------------------

    def _open(self, file: Path, capacity: int) -> None:
        if not self._read_only:
            file.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDONLY if self._read_only else os.O_RDWR | os.O_CREAT
        descriptor = os.open(file, flags | getattr(os, "O_BINARY", 0), 0o644)
        mode = "rb" if self._read_only else "r+b"
        self._stream = stream = open(descriptor, mode, buffering=0)  # noqa: SIM115 - stays open
        with locked(descriptor, self._read_only):
            begin = os.read(descriptor, HEADER.itemsize)
            if not begin.strip(b"\0") and not self._read_only:  # new, or its maker was killed
                _write_new(stream, capacity)
                stream.seek(0)
                begin = os.read(descriptor, HEADER.itemsize)
            capacity = _checked(file, begin, os.fstat(descriptor).st_size)
            access = mmap.ACCESS_COPY if self._read_only else mmap.ACCESS_WRITE
            pages = mmap.mmap(descriptor, _size(capacity), access=access)
            self._lay_out(pages, capacity)
            if not self._read_only:
                first_bytes = np.frombuffer(pages, np.uint8)[:: mmap.PAGESIZE]
                first_bytes |= np.uint8(0)  # the first write to a page takes long: not in mid-game

    def _lay_out(self, buffer: Any, capacity: int) -> None:
        """Lay the parts of the file over its bytes."""
        at = 0
        parts: list[Any] = []
        for kind, count in _layout(capacity):
            parts.append(np.frombuffer(buffer, kind, count, at))
            at += kind.itemsize * count
        self._header, self._games, self._sources, self.table, self._journal = parts

    @contextmanager
    def _locked(self) -> Iterator[None]:
        if self._stream is None or self.file is None:
            yield
            return
        if self._process != os.getpid():  # a lock is shared with the process that this one left
            mode = "rb" if self._read_only else "r+b"
            self._stream = open(self.file, mode, buffering=0)  # noqa: SIM115 - stays open
            self._process = os.getpid()
        with locked(self._stream.fileno(), self._read_only):
            if self._header["journal"][0]:  # of a process that was killed
                self._redo()
                self._header["entries"] = len(self._used())
            yield

    def _redo(self) -> None:
        """Copy the valid journal to the table; doing it again changes nothing."""
        header = self._header
        if header["journal_replaces"][0]:
            self.table.view(np.uint8).fill(0)  # entry by entry it takes twenty times as long
            header["entries"] = 0
        header["entries"] += np.uint64(
            apply(self._journal[: int(header["journal"][0])], self.table)
        )
        header["sources"] = header["journal_sources"]
        header["journal"] = 0

    def _replace(self, entries: Entries, keep: int, sources: int | None = None) -> None:
        """Make the most visited of these the whole table."""
        header = self._header
        kept = most_visited(entries, min(keep, self.limit), self._journal)
        header["journal_sources"] = header["sources"] if sources is None else sources
        header["journal_replaces"] = 1
        header["journal"] = kept
        self._redo()

    def _used(self) -> Entries:
        used: Entries = self.table[self.table["key"] != ZERO]
        return used

    def _known_sources(self) -> NDArray[np.uint64]:
        return self._sources[: int(self._header["sources"][0])]

    def _note_game(self, text: bytes) -> int:
        known: list[bytes] = self._games[: int(self._header["games"][0])].tolist()
        if text not in known:
            if len(known) == MOST_GAMES:
                raise HansuError(f"a memory can know {MOST_GAMES} games, not more")
            self._games[len(known)] = text
            self._header["games"] += np.uint64(1)
            known.append(text)
        return known.index(text)

    def _renumbered(self, other: "Memory", entries: Entries) -> Entries:
        """Entries of another memory, with the numbers that games have here."""
        numbers = np.array([self._note_game(game.encode()) for game in other.games], np.uint16)
        changed = entries.copy()
        if len(numbers):
            changed["game"] = numbers[entries["game"]]
        return changed


def _layout(capacity: int) -> list[tuple[np.dtype[Any], int]]:
    return [
        (HEADER, 1),
        (GAME, MOST_GAMES),
        (SOURCE, MOST_SOURCES),
        (ENTRY, capacity),
        (ENTRY, capacity // 2),
    ]


def _size(capacity: int) -> int:
    return sum(kind.itemsize * count for kind, count in _layout(capacity))


def _first_header(capacity: int) -> Any:
    header = np.zeros(1, HEADER)
    header["magic"], header["capacity"], header["sources"] = MAGIC, capacity, 1
    return header[0]


def _write_new(stream: IO[Any], capacity: int) -> None:
    """Write every byte, since a full disk can be reported here but not in a mapped page."""
    size = _size(capacity)
    stream.truncate(0)
    stream.seek(0)
    for at in range(0, size, len(CHUNK)):
        _write(stream, CHUNK[: size - at])
    stream.seek(HEADER.itemsize + GAME.itemsize * MOST_GAMES)
    _write(stream, os.urandom(SOURCE.itemsize))
    stream.seek(0)  # the header comes last: a file without one is begun anew
    _write(stream, _first_header(capacity).tobytes())


def _write(stream: IO[Any], data: bytes) -> None:
    while data:  # a disk that is nearly full takes a part, and says why not at the next attempt
        data = data[stream.write(data) :]


def _checked(file: Path, begin: bytes, size: int) -> int:
    """Return the capacity of a file; raises HansuError if it is no memory, or a damaged one."""
    if begin.startswith(SQLITE):
        raise HansuError(
            f"{file} is a memory of an earlier version, which cannot be read: choose a new file"
        )
    if not begin.startswith(MAGIC) or len(begin) < HEADER.itemsize:
        raise HansuError(f"cannot use {file} as a memory: it is not one; choose a new file")
    header = np.frombuffer(begin, HEADER)[0]
    capacity = int(header["capacity"])
    fits = 2 <= capacity <= 1 << 40 and capacity & (capacity - 1) == 0 and size == _size(capacity)
    counts = (header["entries"], header["journal"])
    if not fits or max(counts) > capacity // 2 or header["games"] > MOST_GAMES:
        raise HansuError(f"cannot use {file} as a memory: it is damaged; choose a new file")
    return capacity


def _visits(entries: Entries) -> NDArray[np.int64]:
    counts = [entries[name].astype(np.int64) for name in ("wins", "draws", "losses")]
    total: NDArray[np.int64] = counts[0] + counts[1] + counts[2]
    return total


def _sums(entries: Entries) -> Entries:
    """Merge the entries of each key into one, adding their counts."""
    keys, first, place = np.unique(entries["key"], return_index=True, return_inverse=True)
    whole = entries[first]
    for name in ("wins", "draws", "losses"):
        whole[name] = np.bincount(place, entries[name], len(keys)).astype(np.uint32)
    return whole
