"""``RayCluster``: an executor whose workers are on the machines of a Ray cluster.

Only this process writes results, so whatever happens to a worker or its machine costs time and
nothing else. A result is believed when the judge can replay it; otherwise the game is played again
on another machine. The two games of a pair are played on one machine while it is there.
"""

import hashlib
import time
import uuid
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Self

from hansu.arena.cluster.assignment import Assignment, Nonsense, Side, Terms, read_reply
from hansu.arena.cluster.bundle import pack
from hansu.arena.cluster.live import Spectators
from hansu.arena.cluster.machines import Machine, Machines, Pair, Worker, connected_machines
from hansu.arena.cluster.result_check import read_result
from hansu.arena.executor import DEATHS, InProcess, Job, Stop, accusation, never, pair_of
from hansu.arena.isolation.limits import SandboxLimits
from hansu.arena.isolation.process import BOOT
from hansu.arena.tournament.schedule import ScheduledGame
from hansu.errors import HansuError
from hansu.ray_connection import load_ray
from hansu.records.record import GameRecord, TimeControl

POLL = 0.2  # seconds between two looks at machines and deadlines
SLACK = 60.0  # seconds beyond all clocks, after which a game hangs
DOUBT = 10.0  # seconds until a machine whose worker died is known to be alive


@dataclass
class InProgress:
    """A game that somebody plays."""

    asked: Assignment
    worker: Worker
    deadline: float


class RayCluster:
    """Play on all cores of a cluster, or at most on as many as are wanted."""

    def __init__(self, job: Job, most: int | None = None, slack: float = SLACK) -> None:
        self.job, self.most, self.slack = job, most or 1 << 20, slack
        plan = replace(job.plan, seed=0, agents=())
        self._terms = Terms(uuid.uuid4().hex, job.game, plan, job.limits)
        self._sides: dict[int, Side] = {}
        self._archives: dict[str, Any] = {}  # references to what was sent, by key
        self._busy: dict[Any, InProgress] = {}
        self._waiting: deque[ScheduledGame] = deque()
        self._homes: dict[Pair, Machine] = {}  # where a pair has begun
        self._avoided: dict[int, set[str]] = {}  # nodes that answered nonsense, by game
        self._deaths: Counter[int] = Counter()
        self._doubts: list[tuple[float, ScheduledGame, Machine]] = []
        self._spectators: Spectators | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        for who in self.job.contestants:
            if not isinstance(who, str):
                raise HansuError(
                    f"{who!r} exists in this program only: name an agent by file to send it to a "
                    "cluster"
                )
        with InProcess(self.job):  # tells of mistakes
            pass
        self._machines: Machines = self._stack.enter_context(connected_machines(self.job.game))
        self._ray = load_ray()
        if self.job.live is not None:
            self._spectators = Spectators(self.job.live)
            self._stack.callback(self._spectators.close)
        return self

    def __exit__(self, *_: object) -> None:
        for playing in self._busy.values():
            self._machines.end(playing.worker)
        self._busy.clear()
        self._archives.clear()
        self._stack.close()

    def play(
        self, games: Iterable[ScheduledGame], stop: Stop = never
    ) -> Iterator[tuple[ScheduledGame, GameRecord]]:
        """Play games wherever there is a core, both of a pair on the same machine."""
        source = iter(games)
        self._waiting.clear()
        self._hand_out(source, stop)
        while self._busy or (self._waiting and not stop()):
            references = [*self._busy, *self._machines.starting()]
            ready = self._wait(references)
            for reference in ready:
                if (playing := self._busy.pop(reference, None)) is None:
                    continue
                record = self._answer(reference, playing)
                self._hand_out(source, stop)  # the next game runs while this one is written down
                if record is not None:
                    yield playing.asked.game, record
            self._give_up_the_lost()
            self._settle_doubts()
            self._hand_out(source, stop)
            self._show()

    def _show(self) -> None:
        """Show spectators how far the games in progress have got."""
        if self._spectators is not None:
            asked = (playing.asked for playing in self._busy.values())
            self._spectators.update({each.key: each for each in asked})

    def _wait(self, references: list[Any]) -> list[Any]:
        if not references:
            time.sleep(POLL)
            return []
        ready: list[Any] = self._ray.wait(references, num_returns=1, timeout=POLL)[0]
        return ready

    # Handing out

    def _hand_out(self, source: Iterator[ScheduledGame], stop: Stop) -> None:
        """Give every idle worker a game that it may play."""
        self._machines.look(self.most)
        idle = self._machines.idle()
        while idle and len(self._busy) < self.most and not stop():
            wanted = 2 * (len(idle) + len(self._busy)) + 2
            self._waiting.extend(islice(source, max(0, wanted - len(self._waiting))))
            if not any(self._begin(worker) for worker in list(idle)):
                return
        if not self._waiting and not self._busy and not stop():
            self._waiting.extend(islice(source, 2))  # no worker yet, but there is work

    def _begin(self, worker: Worker) -> bool:
        """Let a worker play the other game of its pair, else a new pair, else what comes next."""
        machine = worker.machine
        allowed = [game for game in self._waiting if self._may_play(machine, game)]
        if not allowed or len(self._busy) >= self.most:
            return False
        taken = {pair_of(playing.asked.game) for playing in self._busy.values()}
        game = min(allowed, key=lambda game: (pair_of(game) != worker.pair, pair_of(game) in taken))
        self._waiting.remove(game)
        self._machines.idle().remove(worker)
        worker.pair = pair_of(game)
        self._homes[pair_of(game)] = machine
        asked = self._assignment(game)
        keys = {side.bundle for side in (asked.first, asked.second) if side.bundle}
        archives = {key: self._archives[key] for key in keys}
        reference = worker.actor.play.remote(asked, archives)
        allowance = longest(asked.terms.plan.control, self.job.limits, self.job.game.max_turns)
        deadline = time.monotonic() + allowance + self.slack
        self._busy[reference] = InProgress(asked, worker, deadline)
        return True

    def _may_play(self, machine: Machine, game: ScheduledGame) -> bool:
        home, avoided = self._homes.get(pair_of(game)), self._avoided.get(game.number, set())
        if home is not None and home is not machine and self._machines.is_used(home):
            return False
        return machine.node not in avoided or not self._machines.others(avoided)

    def _assignment(self, game: ScheduledGame) -> Assignment:
        start = self.job.openings[game.round]
        if not {game.first, game.second} <= self._sides.keys():
            known = self.job.provenance(game)  # an event may name the bytes that play
            self._sides[game.first] = self._side(game.first, known.first if known else "")
            self._sides[game.second] = self._side(game.second, known.second if known else "")
        first, second = self._sides[game.first], self._sides[game.second]
        board = self._spectators and self._spectators.board
        return Assignment(self._terms, game, start, first, second, board)

    def _side(self, place: int, known: str) -> Side:
        """Return who takes a place, and send its bytes to the cluster."""
        name, who = self.job.name(place), self.job.contestant(place)
        assert isinstance(who, str)
        digest = known or hashlib.sha256(who.encode()).hexdigest()
        try:
            bundle = pack(who, self.job.game, self.job.limits)
        except HansuError as error:  # it loses, here as on any machine
            return Side(name, who, digest, absent=str(error))
        if bundle is None:
            return Side(name, who, digest)
        if bundle.key not in self._archives:
            self._archives[bundle.key] = self._ray.put(bundle.archive)
        return Side(name, bundle.options, known or bundle.digest, bundle.key, bundle.place)

    # Taking results

    def _answer(self, reference: Any, playing: InProgress) -> GameRecord | None:
        """Return a believed result; otherwise the game waits again."""
        asked, worker = playing.asked, playing.worker
        machine = worker.machine
        try:
            reply = read_reply(self._ray.get(reference), asked.key)
            if not reply.trouble:
                record = read_result(asked, reply.record)
                machine.silent = 0
                self._machines.free(worker)
                return record
            self._machines.free(worker)
            self._find_fault(asked, reply.player, reply.trouble, machine)
        except Nonsense as error:
            self._play_elsewhere(asked.game, machine)
            machine.nonsense += 1
            number = asked.game.number + 1
            self._machines.blame(machine, f"its result of game {number} is refused, {error}")
            self._machines.free(worker)
        except self._ray.exceptions.RayError:  # the worker, or its machine, is gone
            self._waiting.appendleft(asked.game)
            self._machines.end(worker)
            self._doubts.append((time.monotonic() + DOUBT, asked.game, machine))
        return None

    def _find_fault(self, asked: Assignment, place: int, why: str, machine: Machine) -> None:
        """A player that cannot be seated there: if not here either, it is the player's fault."""
        if place not in (asked.game.first, asked.game.second):
            place = asked.game.first
        try:
            self.job.seat(place).close()
        except HansuError as error:
            self._sides[place] = replace(self._sides[place], absent=str(error))
            self._waiting.appendleft(asked.game)
            return
        self._play_elsewhere(asked.game, machine)
        machine.silent += 1
        self._machines.blame(machine, f"{self.job.name(place)} cannot play there, {why}")

    def _play_elsewhere(self, game: ScheduledGame, machine: Machine) -> None:
        self._waiting.appendleft(game)
        self._avoided.setdefault(game.number, set()).add(machine.node)
        self._homes.pop(pair_of(game), None)

    def _settle_doubts(self) -> None:
        """A worker died: if its machine did not, it may have been the game."""
        now, doubts = time.monotonic(), self._doubts
        self._doubts = [doubt for doubt in doubts if doubt[0] > now]
        for due, game, machine in doubts:
            if due <= now and self._machines.is_used(machine):
                machine.silent += 1
                self._count_death(game)
                self._machines.blame(machine, f"the worker of game {game.number + 1} has died")

    def _give_up_the_lost(self) -> None:
        """Play again what a machine that is gone, or hangs, has begun."""
        now = time.monotonic()
        for reference, playing in list(self._busy.items()):
            game, machine = playing.asked.game, playing.worker.machine
            is_there = self._machines.is_there(machine)
            if is_there and now < playing.deadline:
                continue
            del self._busy[reference]
            self._machines.end(playing.worker)
            self._play_elsewhere(game, machine)
            if is_there:
                machine.silent += 1
                self._count_death(game)
                self._machines.blame(machine, f"game {game.number + 1} hangs there")

    def _count_death(self, game: ScheduledGame) -> None:
        self._deaths[game.number] += 1
        if self._deaths[game.number] == DEATHS:
            raise HansuError(accusation(self.job, game))


def longest(control: TimeControl, limits: SandboxLimits, turns: int) -> float:
    """Return the seconds that a game lasts at most, if nobody hangs.

    >>> longest(TimeControl(10.0, increment=1.0), SandboxLimits(start_seconds=0.0), 40) < 200
    True
    """
    around = 2 * (BOOT + limits.start_seconds + limits.close_seconds)
    clocks = [
        None if control.seconds is None else 2 * control.seconds + turns * control.increment,
        None if control.move_seconds is None else turns * control.move_seconds,
    ]
    known = [clock for clock in clocks if clock is not None]
    return around + min(known, default=float("inf"))
