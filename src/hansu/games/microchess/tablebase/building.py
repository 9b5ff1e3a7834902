"""Build tables, class by class: two at a time, each after those that its moves lead to.

A table that is there and sound is not built again: so a stopped build is resumed.
"""

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hansu.errors import HansuError
from hansu.games.microchess.tablebase import retrograde
from hansu.games.microchess.tablebase.classes import (
    FEWEST,
    MOST,
    MaterialClass,
    material_classes,
)
from hansu.games.microchess.tablebase.entries import DRAW, MATE, NEVER, WIN
from hansu.games.microchess.tablebase.files import SUFFIX, Planes, TableFile, write_table
from hansu.games.microchess.tablebase.indexing import Tables
from hansu.games.microchess.tablebase.predecessors import RUNNING, Room, make_room
from hansu.games.microchess.tablebase.retrograde import Goal
from hansu.games.microchess.tablebase.verdict import Judge

CHUNK = 1 << 20  # places between two looks at whether to stop
WORKING_BYTES = 3 + 6 + 3  # a place: of Room, of the ranks, of the result
THREADS = min(2, os.cpu_count() or 1)

Report = Callable[[int, int, str], None]


class Stopped(HansuError):
    """The build was stopped."""

    def __init__(self) -> None:
        super().__init__("the build was stopped")


@dataclass(frozen=True)
class Built:
    """What a build has left in a folder."""

    pieces: int
    folder: Path
    classes: int
    new: int  # of them, those that were not there before
    entries: int
    size: int  # bytes

    def __str__(self) -> str:
        return (
            f"the tables of all endings with up to {self.pieces} pieces ({self.classes} classes, "
            f"{self.new} of them new; {self.entries:,} entries, {self.size / 1e6:.1f} MB) "
            f"are in {self.folder}"
        )


def table_file(folder: Path, which: MaterialClass) -> Path:
    """Return where a class's table lies."""
    return folder / f"{which}{SUFFIX}"


def is_there(folder: Path, which: MaterialClass, rules_text: str) -> bool:
    """Return whether a class has a sound table."""
    try:
        TableFile(table_file(folder, which), which, rules_text).close()
    except HansuError:
        return False
    return True


def build(
    judge: Judge,
    folder: Path,
    pieces: int,
    memory: int,
    threads: int = THREADS,
    report: Report = lambda done, total, text: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Built:
    """Build the tables of all classes with up to so many pieces.

    ``memory`` is in megabytes. ``report`` hears how many places are done, of how many, and what is
    being built. Raises Stopped, and HansuError where memory or the disk does not suffice.
    """
    if not FEWEST <= pieces <= MOST:
        raise HansuError(f"tables are built for {FEWEST} to {MOST} pieces, not {pieces}")
    wanted = [one for n in range(FEWEST, pieces + 1) for one in material_classes(n)]
    todo = [one for one in wanted if not is_there(folder, one, judge.text)]
    largest = max((needed_megabytes(one) for one in todo), default=0)
    if largest > memory:
        raise HansuError(
            f"tables of {pieces} pieces need {largest} megabytes, not {memory}: "
            f"allow more with --memory {largest}"
        )
    threads = max(1, min(threads, memory // max(1, largest)))
    _Build(judge, folder, todo, threads, report, stopped).run()
    files = [table_file(folder, one) for one in wanted]
    return Built(
        *(pieces, folder, len(wanted), len(todo), sum(one.entries for one in wanted)),
        sum(file.stat().st_size for file in files),
    )


def needed_megabytes(which: MaterialClass) -> int:
    """Return what the build of one class takes, with the tables that its moves lead to."""
    others = sum(one.entries for one in which.next_classes)
    return 1 + (which.entries * WORKING_BYTES + others * 6) // 2**20


class _Build:
    """Builds classes in threads."""

    def __init__(
        self,
        judge: Judge,
        folder: Path,
        todo: list[MaterialClass],
        threads: int,
        report: Report,
        stopped: Callable[[], bool],
    ) -> None:
        self._judge, self._folder, self._threads = judge, folder, threads
        self._todo, self._report, self._stopped = todo, report, stopped
        self._total = sum(one.entries for one in todo)
        self._done, self._cut = 0, threading.Event()

    def run(self) -> None:
        """Start each class when those before it are there; the first error ends all."""
        waiting, running = list(self._todo), dict[Future[None], MaterialClass]()
        with ThreadPoolExecutor(self._threads, "tablebase") as pool:
            try:
                while waiting or running:
                    missing = {*waiting, *running.values()}
                    for one in list(waiting):
                        if len(running) < self._threads and not one.next_classes & missing:
                            waiting.remove(one)
                            running[pool.submit(self._build, one)] = one
                    names = " and ".join(map(str, running.values()))
                    self._report(self._done, self._total, names)
                    finished, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
                    for future in finished:
                        self._done += running.pop(future).entries
                        future.result()
                    if self._stopped():
                        raise Stopped
            finally:
                self._cut.set()

    def _build(self, which: MaterialClass) -> None:
        try:
            known = load_tables(which.next_classes, self._folder, self._judge.text)
            planes = build_class(which, known, self._judge.sign(which), self._cut.is_set)
            write_table(table_file(self._folder, which), which, self._judge.text, planes)
        except OSError as error:
            raise HansuError(
                f"cannot write the table of {which} to {self._folder}: {error.strerror}"
            ) from None
        except MemoryError:
            raise HansuError(f"there is not enough memory to build {which}") from None


def load_tables(classes: Iterable[MaterialClass], folder: Path, rules_text: str) -> Tables:
    """Return tables that are there, for compiled code."""
    loaded = {one: TableFile(table_file(folder, one), one, rules_text).planes() for one in classes}
    return make_tables(loaded)


def make_tables(loaded: dict[MaterialClass, Planes]) -> Tables:
    """Put the tables of classes side by side."""
    which: dict[int, int] = {}
    starts, total = [], 0
    for i, one in enumerate(loaded):
        counts = one.counts
        which.setdefault(_key(counts[5:] + counts[:5]), 2 * i + 1)
        which[_key(counts)] = 2 * i
        starts.append([total + start for start in one.starts[:4]])
        total += one.entries
    empty: Planes = np.zeros((3, 0), np.uint8)
    return Tables(
        np.array(sorted(which), np.int64),
        np.array([which[key] for key in sorted(which)], np.int64),
        np.array([one.counts for one in loaded], np.int64).reshape(-1, 10),
        np.array(starts, np.int64).reshape(-1, 4),
        *np.concatenate([empty, *loaded.values()], axis=1),
    )


def _key(counts: tuple[int, ...]) -> int:
    return sum(count << 3 * i for i, count in enumerate(counts))


def build_class(
    which: MaterialClass,
    known: Tables,
    sign: int,
    stopped: Callable[[], bool] = lambda: False,
) -> Planes:
    """Return the table of a class; ``known`` has those that its moves lead to.

    ``sign`` is 1 if a game that is stopped is White's, -1 if Black's, 0 if it is drawn.
    """
    room = make_room(which.counts, which.starts)
    parts = _Parts(which, stopped)
    parts.each(lambda *part: retrograde.classify(room, *part))
    ranks = np.empty((3, 2, which.entries), np.uint8)
    for goal in (MATE, WIN, DRAW):
        for side, own_sign in enumerate((sign, -sign)):
            is_met = (False, own_sign > 0, own_sign >= 0)[goal]
            _rank(known, room, parts, Goal(side, goal, is_met), ranks[goal, side])
    planes: Planes = np.empty((3, which.entries), np.uint8)
    retrograde.combine(room, *ranks, *planes)
    return planes


def _rank(known: Tables, room: Room, parts: "_Parts", goal: Goal, ranks: Planes) -> None:
    """Write the rank of every position for one side's goal."""

    def next_round() -> None:
        room.now[:] = room.later
        room.later[:] = 0

    retrograde.begin(room, goal, ranks)
    if goal.is_met:
        while parts.each(lambda *part: retrograde.remove_unsafe(known, room, ranks, goal, *part)):
            next_round()
        room.now[:] = room.kinds == RUNNING
    for layer in range(NEVER):
        waiting = parts.each(
            lambda *part, at=layer: retrograde.add_layer(known, room, ranks, goal, at, *part)
        )
        if not waiting:
            return
        next_round()


class _Parts:
    """The places of a class, in parts that take a short time each."""

    def __init__(self, which: MaterialClass, stopped: Callable[[], bool]) -> None:
        sizes = [which.size(rights) for rights in range(4)]
        self._stopped = stopped
        self._parts = [
            (rights, first, min(first + CHUNK, size))
            for rights, size in enumerate(sizes)
            for first in range(0, size, CHUNK)
        ]

    def each(self, work: Callable[..., int | None]) -> int:
        """Do some work for every part; return the sum of what it returns. Raises Stopped."""
        total = 0
        for part in self._parts:
            if self._stopped():
                raise Stopped
            total += work(*part) or 0
        return total
