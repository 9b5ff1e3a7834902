"""``LocalProcesses``: an executor whose workers are processes of this machine."""

import multiprocessing
import os
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any, Self

from hansu.arena.executor import DEATHS, InProcess, Job, Seats, Stop, accusation, never, pair_of
from hansu.arena.isolation.confine import die_with_parent
from hansu.arena.tournament.schedule import ScheduledGame
from hansu.errors import HansuError
from hansu.records.record import GameRecord

PATIENCE = 3.0  # seconds for a worker to close its players before it is killed
QUICK = 0.5  # seconds of a game: shorter ones are sent ahead, so that no worker waits for the next

Cores = tuple[int, ...]
"""Numbers of cores; none means any."""


def shares(count: int) -> list[Cores]:
    """Return equal shares of this process's cores for games at the same time.

    None where there are more games than cores. What is left over is for everything else.
    """
    own = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    each = len(own) // count
    return [tuple(own[i * each : (i + 1) * each]) for i in range(count)] if each else []


class LocalProcesses:
    """Play in worker processes, which are replaced when they die: their game is played again.

    It may be left at any moment, by Ctrl+C between any two steps: a worker is on the list before
    it is started, and every worker on the list is ended.
    """

    def __init__(self, job: Job, count: int) -> None:
        self.job = job
        self.count = count
        self.workers: list[_Worker] = []
        self.cores = shares(count)

    def __enter__(self) -> Self:
        with InProcess(self.job):  # tells of mistakes
            return self

    def play(
        self, games: Iterable[ScheduledGame], stop: Stop = never
    ) -> Iterator[tuple[ScheduledGame, GameRecord]]:
        """Play games, both of a pair by the same worker where that makes no game wait."""
        source, waiting = iter(games), deque[ScheduledGame]()
        deaths: Counter[int] = Counter()

        def hand_out() -> None:
            while not stop() and (worker := self._free()) is not None:
                waiting.extend(islice(source, max(0, 2 * self.count - len(waiting))))
                if not waiting:
                    return
                worker.begin(self._choose(worker, waiting))

        hand_out()
        while busy := {each.line: each for each in self.workers if each.games}:
            for line in wait(list(busy)):
                worker = busy[line]
                record = worker.answer()
                if record is not None:
                    game = worker.games.popleft()
                    hand_out()  # the next game runs while this one is written down
                    yield game, record
                    continue
                self.workers.remove(worker)
                played = worker.games[0]
                deaths[played.number] += 1
                if deaths[played.number] == DEATHS:
                    raise HansuError(accusation(self.job, played))
                waiting.extendleft(reversed(worker.games))
                hand_out()

    def _free(self) -> "_Worker | None":
        """Return a worker that can take a game, hired if need be."""
        for worker in self.workers:
            if not worker.games:
                return worker
        if len(self.workers) < self.count:
            return self._hire()
        ahead = (each for each in self.workers if each.is_quick and len(each.games) == 1)
        return next(ahead, None)

    def _choose(self, worker: "_Worker", waiting: deque[ScheduledGame]) -> ScheduledGame:
        """Take the other game of its pair, else a new pair, else what comes next."""
        taken = {pair_of(game) for each in self.workers for game in each.games}
        game = min(waiting, key=lambda game: (pair_of(game) != worker.pair, pair_of(game) in taken))
        waiting.remove(game)
        return game

    def _hire(self) -> "_Worker":
        taken = {each.cores for each in self.workers}
        worker = _Worker(self.job, next((each for each in self.cores if each not in taken), ()))
        self.workers.append(worker)
        worker.start()
        return worker

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.dismiss()
        for worker in self.workers:
            worker.join()


class _Worker:
    """The parent's end of one worker process."""

    def __init__(self, job: Job, cores: Cores = ()) -> None:
        self.cores = cores
        methods = multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
        self.line, self._theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(job, self._theirs, cores))
        self.games = deque[ScheduledGame]()  # the one it plays, and one sent ahead
        self.pair: tuple[int, int, int] | None = None  # of the last one
        self.is_quick = False  # whether its last game was
        self._begun = 0.0

    def start(self) -> None:
        """Start the process."""
        with _signals_held():
            self.process.start()
        self._theirs.close()  # so that the worker's death is the end of the line

    def begin(self, game: ScheduledGame) -> None:
        """Send a game; a dead worker shows in the answer."""
        self.pair = pair_of(game)
        if not self.games:
            self._begun = time.monotonic()
        self.games.append(game)
        with suppress(OSError):
            self.line.send(game)

    def answer(self) -> GameRecord | None:
        """Return the finished game; None if the worker has died."""
        try:
            answer = self.line.recv()
        except (EOFError, OSError):
            self.join()
            return None
        if isinstance(answer, HansuError):
            raise answer
        now = time.monotonic()
        self._begun, self.is_quick = now, now - self._begun < QUICK
        return GameRecord.from_json(answer)

    def dismiss(self) -> None:
        """Ask the worker to close its players and exit."""
        if self.process.pid is not None:
            self.process.terminate()

    def join(self) -> None:
        """Wait until the process has ended; kill it if that takes long."""
        if self.process.pid is not None:
            self.process.join(PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.line.close()


HANGUP = getattr(signal, "SIGHUP", signal.SIGTERM)  # Windows has none
STOPPING = {signal.SIGINT, signal.SIGTERM, HANGUP}


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold signals back until a new process has its own handlers."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(job: Job, line: Connection, cores: Cores) -> None:
    """Run a worker. Players only ever lose, so an error in a game is the machine's."""
    for number in (signal.SIGINT, HANGUP):  # a terminal tells everybody: the parent decides
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    die_with_parent()
    if cores:
        with suppress(OSError):  # some of them have gone meanwhile
            os.sched_setaffinity(0, cores)
    threading.Thread(target=_follow_parent, daemon=True).start()
    seats = Seats(job)
    try:
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
        while True:
            game = line.recv()
            try:
                line.send(seats.play(game).as_json())
            except HansuError as error:
                line.send(HansuError(str(error)))  # subclasses may not survive the way
    except (EOFError, KeyboardInterrupt):
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        seats.close()


def _leave(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt(number)  # which ends no game


def _follow_parent() -> None:
    """End a worker whose parent was killed; on Linux the kernel does so."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
