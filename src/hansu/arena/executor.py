"""Executors play the games of a plan: in this process, or in processes of this machine.

Entering an executor checks the players, so that a mistake is reported before the first game. It
plays games, each exactly once, in any order; leaving it ends all that it has started. Only the
process that entered it writes results, so a worker may be killed at any moment.
"""

import multiprocessing
import os
import signal
import threading
import warnings
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any, Protocol, Self

from hansu.arena.isolation.confine import die_with_parent
from hansu.arena.isolation.limits import SandboxLimits
from hansu.arena.openings import Openings
from hansu.arena.player import Player
from hansu.arena.referee import play
from hansu.arena.seat import Contestant, check_player, is_submission, seat
from hansu.arena.tournament.live import begun_record, show_live, watched
from hansu.arena.tournament.plan import Plan
from hansu.arena.tournament.schedule import ScheduledGame
from hansu.arena.withdrawal import AbsentPlayer
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.records.provenance import Provenance
from hansu.records.record import GameRecord

DEATHS = 3  # of workers in the same game, after which it is no accident
SEATED = 8  # players that a process keeps, so that engines need not start for each game
MOST_PROCESSES = 1024
PATIENCE = 3.0  # seconds for a worker to close its players before it is killed

Stop = Callable[[], bool]
"""Called before each game: True finishes the games in progress and starts no other."""


def never() -> bool:
    """Play all games."""
    return False


@dataclass(frozen=True)
class Job:
    """Everything needed to play any game of a plan."""

    game: Game
    contestants: tuple[Contestant, ...]
    openings: Openings
    plan: Plan
    live: Path | None = None  # the folder that shows games while they are played
    forgiving: bool = False  # whether a file that is no agent only loses its own games
    limits: SandboxLimits = field(default_factory=SandboxLimits)

    def name(self, place: int) -> str:
        """Return the name that the plan gave to a player."""
        return self.plan.agents[place]

    def contestant(self, place: int) -> Contestant:
        """Return what takes a place."""
        return self.contestants[place]

    def provenance(self, game: ScheduledGame) -> Provenance | None:
        """Return where a game that was just played here comes from; None where nobody asks."""
        return None

    def seat(self, place: int) -> Player:
        """Return a player under its name."""
        who, plan = self.contestant(place), self.plan
        player = seat(who, self.game, plan.untrusted, plan.isolation, self.limits)
        player.name = self.name(place)
        return player


Cores = tuple[int, ...]
"""Numbers of cores; none means any."""


def shares(count: int) -> list[Cores]:
    """Return equal shares of this process's cores for games at the same time.

    None where there are more games than cores. What is left over is for everything else.
    """
    own = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    each = len(own) // count
    return [tuple(own[i * each : (i + 1) * each]) for i in range(count)] if each else []


class SubmissionWarning(UserWarning):
    """An agent of a file cannot play; the others do."""


class Executor(Protocol):
    """Plays scheduled games, here or elsewhere."""

    def __enter__(self) -> Self:
        """Check all players; raises HansuError."""

    def play(
        self, games: Iterable[ScheduledGame], stop: Stop = never
    ) -> Iterator[tuple[ScheduledGame, GameRecord]]:
        """Play games, each exactly once, and yield them as they finish.

        An iterator that has no game for now may have one later: it is asked again when a game
        has finished, and the games end when there is none and none is in progress.
        """

    def __exit__(self, *_: object) -> None:
        """Drop the games in progress and end what was started."""


class Seats:
    """The players of this process, made when first needed; the least recently used make room."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._seated: OrderedDict[int, Player] = OrderedDict()

    def check(self) -> None:
        """Make every player once; raises HansuError for a mistake in the set-up."""
        start, color = self.job.openings[0].copy(), self.job.game.first_color
        control = self.job.plan.control
        control.show_on(start, control.full())
        for place, contestant in enumerate(self.job.contestants):
            side = color if place == 0 else not color
            try:
                check_player(self.take(place), contestant, start, side)
            except Exception as error:
                seated = place in self._seated
                if not (self.job.forgiving and is_submission(contestant, error, seated)):
                    raise
                what = f"{self.job.name(place)} loses its games: {error}"
                warnings.warn(what, SubmissionWarning, stacklevel=2)

    def play(self, game: ScheduledGame) -> GameRecord:
        """Play one game."""
        job = self.job
        first, second = self._take_or_absent(game.first), self._take_or_absent(game.second)
        start, control, watch = job.openings[game.round], job.plan.control, None
        if (folder := job.live) is not None:
            begun = begun_record(start, first.name, second.name, game.seed, control)
            watch = watched(begun, lambda now: show_live(folder, game.number, now))
        record = play(start, first, second, control, game.seed, watch)
        record.provenance = job.provenance(game)
        return record

    def take(self, place: int) -> Player:
        """Return a player, seated if need be; raises HansuError where that fails."""
        if place not in self._seated:
            if len(self._seated) == SEATED:
                self._close(next(iter(self._seated)))
            self._seated[place] = self.job.seat(place)
        self._seated.move_to_end(place)
        return self._seated[place]

    def _take_or_absent(self, place: int) -> Player:
        """A player; one that cannot be seated any more, say because its file is gone, loses."""
        try:
            return self.take(place)
        except HansuError as error:
            return AbsentPlayer(self.job.name(place), str(error))

    def _close(self, place: int) -> None:
        with suppress(Exception, SystemExit):  # errors of an agent no longer matter
            self._seated.pop(place).close()

    def close(self) -> None:
        """End all players."""
        for place in list(self._seated):
            self._close(place)


class InProcess:
    """Play one game after the other in this process."""

    def __init__(self, job: Job) -> None:
        self._seats = Seats(job)

    def __enter__(self) -> Self:
        try:
            self._seats.check()
        except BaseException:
            self._seats.close()
            raise
        return self

    def play(
        self, games: Iterable[ScheduledGame], stop: Stop = never
    ) -> Iterator[tuple[ScheduledGame, GameRecord]]:
        """Play games in their order."""
        for game in games:
            if stop():
                return
            yield game, self._seats.play(game)

    def __exit__(self, *_: object) -> None:
        self._seats.close()


class LocalProcesses:
    """Play in worker processes, which are replaced when they die: their game is played again.

    It may be left at any moment, by Ctrl+C between any two steps: a worker is on the list before
    it is started, and every worker on the list is ended.
    """

    def __init__(self, job: Job, count: int) -> None:
        self.job = job
        self.count = count
        self.workers: list[_Worker] = []
        self.idle: list[_Worker] = []
        self.busy: dict[Any, tuple[_Worker, ScheduledGame]] = {}
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
            while len(self.busy) < self.count and not stop():
                waiting.extend(islice(source, max(0, 2 * self.count - len(waiting))))
                if not waiting:
                    return
                self._begin(waiting)

        hand_out()
        while self.busy:
            for line in wait(list(self.busy)):
                worker, game = self.busy.pop(line)
                record = worker.answer()
                if record is not None:
                    self.idle.append(worker)
                    hand_out()  # the next game runs while this one is written down
                    yield game, record
                    continue
                self.workers.remove(worker)
                deaths[game.number] += 1
                if deaths[game.number] == DEATHS:
                    raise HansuError(accusation(self.job, game))
                waiting.appendleft(game)
                hand_out()

    def _begin(self, waiting: deque[ScheduledGame]) -> None:
        """Let a worker play the other game of its pair, else a new pair, else what comes next."""
        worker = self.idle.pop() if self.idle else self._hire()
        taken = {pair_of(game) for _, game in self.busy.values()}
        game = min(waiting, key=lambda game: (pair_of(game) != worker.pair, pair_of(game) in taken))
        waiting.remove(game)
        worker.begin(game)
        self.busy[worker.line] = (worker, game)

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


def pair_of(game: ScheduledGame) -> tuple[int, int, int]:
    """Return what two games with the same opening and colours swapped have in common."""
    return game.round, min(game.first, game.second), max(game.first, game.second)


def accusation(job: Job, game: ScheduledGame) -> str:
    """Return what to say of a game that no worker survives."""
    first, second = job.name(game.first), job.name(game.second)
    return (
        f"game {game.number + 1} ({first} – {second}) has ended its process {DEATHS} times: "
        "one of the two kills its process; name it by file to run it isolated"
    )


class _Worker:
    """The parent's end of one worker process."""

    def __init__(self, job: Job, cores: Cores = ()) -> None:
        self.cores = cores
        methods = multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
        self.line, self._theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(job, self._theirs, cores))
        self.pair: tuple[int, int, int] | None = None

    def start(self) -> None:
        """Start the process."""
        with _signals_held():
            self.process.start()
        self._theirs.close()  # so that the worker's death is the end of the line

    def begin(self, game: ScheduledGame) -> None:
        """Send a game; a dead worker shows in the answer."""
        self.pair = pair_of(game)
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
