"""Worker processes that play games, and are replaced when they die.

A game whose worker died is played again. Nobody but the parent process writes results, so a worker
may be killed at any moment.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from hansu.arena.openings import Openings
from hansu.arena.player import Player
from hansu.arena.referee import play
from hansu.arena.seat import Contestant, seat
from hansu.arena.tournament.live import shown_live
from hansu.arena.tournament.plan import Plan
from hansu.arena.tournament.schedule import ScheduledGame
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.records.record import GameRecord

DEATHS = 3  # of workers by the same game, after which it is no accident
SEATED = 8  # players that a worker keeps: an engine need not be started for each game
PATIENCE = 3.0  # seconds for a worker to close its players before it is killed


@dataclass(frozen=True)
class Job:
    """Everything that a worker needs to play any game of the tournament."""

    game: Game
    contestants: tuple[Contestant, ...]
    openings: Openings
    plan: Plan
    live: Path | None = None  # the folder that shows games while they are played

    def seat(self, place: int) -> Player:
        """A player under the name that the tournament gave it."""
        player = seat(self.contestants[place], self.game, self.plan.untrusted)
        player.name = self.plan.agents[place]
        return player


class Crew:
    """Some workers, as a context: on leaving it they are gone.

    It may be left at any moment, by Ctrl-C between any two steps: a worker is on the list before
    it is started, and whoever is on the list is ended.
    """

    def __init__(self, job: Job, count: int) -> None:
        self.job = job
        self.count = count
        self.workers: list[_Worker] = []
        self.idle: list[_Worker] = []
        self.busy: dict[Any, tuple[_Worker, ScheduledGame]] = {}

    def play(self, games: Iterable[ScheduledGame]) -> Iterator[tuple[ScheduledGame, GameRecord]]:
        """Play games, each exactly once, and yield them as they finish."""
        waiting = deque(games)
        deaths: dict[int, int] = {}
        self._hand_out(waiting)
        while self.busy:
            for line in wait(list(self.busy)):
                worker, game = self.busy.pop(line)
                record = worker.answer()
                if record is not None:
                    self.idle.append(worker)
                    self._hand_out(waiting)  # the next game runs while this one is written down
                    yield game, record
                    continue
                self.workers.remove(worker)
                deaths[game.number] = deaths.get(game.number, 0) + 1
                if deaths[game.number] == DEATHS:
                    raise HansuError(self._accusation(game))
                waiting.appendleft(game)
                self._hand_out(waiting)

    def _hand_out(self, waiting: deque[ScheduledGame]) -> None:
        while waiting and len(self.busy) < self.count:
            worker, game = self.idle.pop() if self.idle else self._hire(), waiting.popleft()
            worker.begin(game)
            self.busy[worker.line] = (worker, game)

    def _hire(self) -> "_Worker":
        worker = _Worker(self.job)
        self.workers.append(worker)
        worker.start()
        return worker

    def _accusation(self, game: ScheduledGame) -> str:
        first, second = (self.job.plan.agents[i] for i in (game.first, game.second))
        return (
            f"game {game.number + 1} ({first} – {second}) has ended its process {DEATHS} times: "
            "one of both kills the process it runs in; from a file it would run isolated"
        )

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.dismiss()
        for worker in self.workers:
            worker.join()


class _Worker:
    """The parent's end of one worker process."""

    def __init__(self, job: Job) -> None:
        methods = multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
        self.line, self._theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(job, self._theirs))

    def start(self) -> None:
        """Start the process."""
        self.process.start()
        self._theirs.close()  # so that the worker's death is the end of the line

    def begin(self, game: ScheduledGame) -> None:
        """Hand over a game; that the worker is dead shows in the answer."""
        with suppress(OSError):
            self.line.send(game)

    def answer(self) -> GameRecord | None:
        """The finished game; None if the worker has died."""
        try:
            answer = self.line.recv()
        except (EOFError, OSError):
            self.join()
            return None
        if isinstance(answer, HansuError):
            raise answer
        return GameRecord.from_json(answer)

    def dismiss(self) -> None:
        """Ask the worker to close its players and go."""
        if self.process.pid is not None:
            self.process.terminate()

    def join(self) -> None:
        """Wait until it is gone, but not for ever."""
        if self.process.pid is not None:
            self.process.join(PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.line.close()


def _work(job: Job, line: Connection) -> None:
    """A worker's life."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches everybody: the parent decides
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    threading.Thread(target=_follow_parent, daemon=True).start()
    seated: OrderedDict[int, Player] = OrderedDict()
    try:
        while True:
            line.send(_played(job, seated, line.recv()))
    except EOFError:
        pass
    finally:
        for player in seated.values():
            player.close()


def _played(job: Job, seated: "OrderedDict[int, Player]", game: ScheduledGame) -> str | HansuError:
    """The record of a game; an error is the machine's, since players only ever lose."""
    try:
        first, second = (_take(job, seated, place) for place in (game.first, game.second))
        start, control = job.openings[game.round], job.plan.control
        watch = None
        if job.live is not None:
            names, color = (first.name, second.name), start.game.first_color
            begun = GameRecord(job.plan.game, *names, start.text(), color, game.seed)
            watch = shown_live(job.live, game.number, replace(begun, control=control))
        return play(start, first, second, control, game.seed, watch).as_json()
    except HansuError as error:
        return HansuError(str(error))  # subclasses may not survive the way


def _take(job: Job, seated: "OrderedDict[int, Player]", place: int) -> Player:
    """A player of this worker; who has not played for longest makes room."""
    if place not in seated:
        if len(seated) == SEATED:
            seated.popitem(last=False)[1].close()
        seated[place] = job.seat(place)
    seated.move_to_end(place)
    return seated[place]


def _follow_parent() -> None:
    """A worker whose parent was killed has nobody to play for."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
