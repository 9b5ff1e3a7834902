"""The machines of a cluster and their workers, one for each core that Ray offers.

Machines come and go: whoever asks for a worker gets one of a machine that is there now. A machine
that answers nonsense, or goes silent again and again, is named and not used any more.
"""

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from hansu.arena.cluster.worker import GameWorker, program
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.ray_connection import connect, load_ray

LOOK = 1.0  # seconds between two looks at who is there
STRIKES = 3  # after which a machine is not used any more
LONELY = 30.0  # seconds without any worker, after which we say so

Pair = tuple[int, int, int]


class ClusterWarning(UserWarning):
    """A machine of the cluster is not used, or none is there."""


@dataclass
class Machine:
    """One node of the cluster."""

    node: str
    cores: int
    name: str = ""  # known once a worker has introduced itself
    workers: list["Worker"] = field(default_factory=list)
    nonsense: int = 0  # answers that could not be true
    silent: int = 0  # games in a row without an answer
    refused: str = ""  # why it is not used any more

    def __str__(self) -> str:
        return f"{self.name or 'a machine'} (node {self.node[:8]})"


@dataclass(eq=False)
class Worker:
    """Our end of an actor."""

    machine: Machine
    actor: Any
    introduction: Any  # a reference; None once it is ready
    pair: Pair | None = None  # of its last game


class Machines:
    """The cluster that this process is connected to."""

    def __init__(self, game: Game) -> None:
        self._game, self._ray = game, load_ray()
        self._machines: dict[str, Machine] = {}
        self._idle: list[Worker] = []
        self._next = self._lonely_at = 0.0
        self._actor = self._ray.remote(num_cpus=1, max_restarts=0)(GameWorker)

    def look(self, most: int) -> None:
        """See who is there, from time to time; have as many workers as are wanted."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + LOOK
            self._meet()
            self._hire(most)
        self._welcome()

    def idle(self) -> list[Worker]:
        """Return the workers that wait for a game."""
        return self._idle

    def starting(self) -> list[Any]:
        """Return references to what will be ready."""
        return [worker.introduction for worker in self._workers() if worker.introduction]

    def is_there(self, machine: Machine) -> bool:
        """Return whether a machine is still there."""
        return machine.node in self._machines

    def is_used(self, machine: Machine) -> bool:
        """Return whether a machine is there and gets games."""
        return self.is_there(machine) and not machine.refused

    def others(self, nodes: set[str]) -> bool:
        """Return whether a machine is used that is none of some."""
        able = (each for each in self._machines.values() if each.cores and not each.refused)
        return any(each.node not in nodes for each in able)

    def free(self, worker: Worker) -> None:
        """Take a worker back after its game."""
        if self.is_used(worker.machine):
            self._idle.append(worker)
        else:
            self.end(worker)

    def end(self, worker: Worker) -> None:
        """End a worker, or what is left of it."""
        self._ray.kill(worker.actor)
        if worker in worker.machine.workers:
            worker.machine.workers.remove(worker)

    def blame(self, machine: Machine, what: str) -> None:
        """Note that a machine has failed; raises HansuError when the last one is refused."""
        times = max(machine.nonsense, machine.silent)
        if times < STRIKES and not machine.refused:
            warnings.warn(f"{machine}: {what}; the game is played again", ClusterWarning, 2)
            return
        machine.refused = machine.refused or what
        words = f"{machine} is not used any more: {machine.refused}"
        warnings.warn(words, ClusterWarning, stacklevel=2)
        for worker in [worker for worker in self._idle if worker.machine is machine]:
            self._idle.remove(worker)
            self.end(worker)
        able = [each for each in self._machines.values() if each.cores]
        if all(each.refused for each in able):
            raise HansuError(f"no machine of the cluster can be used; the last one, {words}")

    def close(self) -> None:
        """End all workers."""
        for worker in list(self._workers()):
            self.end(worker)
        self._idle.clear()

    def _workers(self) -> Iterator[Worker]:
        return (each for machine in self._machines.values() for each in list(machine.workers))

    def _meet(self) -> None:
        """Note which machines have come and gone."""
        there = {each["NodeID"]: each for each in self._ray.nodes() if each["Alive"]}
        for node in self._machines.keys() - there.keys():
            gone = self._machines.pop(node)
            self._idle = [worker for worker in self._idle if worker.machine is not gone]
        for node in there.keys() - self._machines.keys():
            cores = int(there[node]["Resources"].get("CPU", 0))
            self._machines[node] = Machine(node, cores)

    def _hire(self, most: int) -> None:
        """Start workers, on each machine in turn."""
        able = [each for each in self._machines.values() if not each.refused]
        count = sum(len(machine.workers) for machine in able)
        while count < most:
            free = [machine for machine in able if len(machine.workers) < machine.cores]
            if not free:
                break
            self._start(min(free, key=lambda machine: len(machine.workers)))
            count += 1
        self._tell_if_lonely(count)

    def _start(self, machine: Machine) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        there = NodeAffinitySchedulingStrategy(machine.node, soft=False)
        actor = self._actor.options(scheduling_strategy=there).remote(self._game)
        machine.workers.append(Worker(machine, actor, actor.introduce.remote()))

    def _welcome(self) -> None:
        """Take workers that have become ready."""
        starting = {each.introduction: each for each in self._workers() if each.introduction}
        if not starting:
            return
        ready, _ = self._ray.wait(list(starting), num_returns=len(starting), timeout=0)
        for reference in ready:
            worker = starting[reference]
            worker.introduction = None
            machine = worker.machine
            try:
                machine.name, theirs = self._ray.get(reference)
            except self._ray.exceptions.RayError as error:
                machine.workers.remove(worker)
                self._meet()
                if self.is_there(machine):
                    machine.silent += 1
                    self.blame(machine, f"no worker starts there: {_first_line(error)}")
                continue
            if theirs != program():
                machine.refused = f"it has {theirs}, and this is {program()}"
                self.end(worker)
                self.blame(machine, machine.refused)
            elif machine.refused:
                self.end(worker)
            else:
                self._idle.append(worker)

    def _tell_if_lonely(self, workers: int) -> None:
        if workers:
            self._lonely_at = time.monotonic() + LONELY
        elif self._lonely_at and time.monotonic() > self._lonely_at:
            self._lonely_at = float("inf")
            warnings.warn("the cluster has no core to play on; waiting for one", ClusterWarning, 2)
        else:
            self._lonely_at = self._lonely_at or time.monotonic() + LONELY


_shared: list[tuple[Machines, int]] = []  # with the number of those who use it


@contextmanager
def connected_machines(game: Game) -> Iterator[Machines]:
    """Connect to the cluster; a second user in this process shares connection and workers."""
    if _shared:
        machines, users = _shared.pop()
    else:
        connect()
        machines, users = Machines(game), 0
    _shared.append((machines, users + 1))
    try:
        yield machines
    finally:
        machines, users = _shared.pop()
        if users > 1:
            _shared.append((machines, users - 1))
        else:
            machines.close()
            load_ray().shutdown()


def _first_line(error: BaseException) -> str:
    return next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
