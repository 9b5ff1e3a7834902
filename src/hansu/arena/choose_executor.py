"""Choose where games are played: on this machine, or on a cluster."""

from typing import Literal, get_args

from hansu.arena.executor import MOST_PROCESSES, Executor, Job
from hansu.arena.local_processes import LocalProcesses
from hansu.errors import OptionError
from hansu.options import whole_number

Place = Literal["here", "ray"]
"""On this machine, or on the machines of a Ray cluster."""


def check_place(on: object, concurrency: int | None) -> None:
    """Raise OptionError for what is no place to play, or no number of games at the same time."""
    if on not in get_args(Place):
        raise OptionError(f"on {on!r} is not one of {', '.join(get_args(Place))}")
    if concurrency is not None:
        whole_number(concurrency, "concurrency", 1, MOST_PROCESSES)


def choose_executor(job: Job, on: Place, concurrency: int | None) -> Executor:
    """Return an executor; by default it plays one game at a time here, one per core elsewhere."""
    if on == "here":
        return LocalProcesses(job, concurrency or 1)
    from hansu.arena.cluster.executor import RayCluster  # here, because others need no cluster

    return RayCluster(job, concurrency)
