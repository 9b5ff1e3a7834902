"""What Ctrl+C, SIGTERM and a closed terminal do while games are played."""

import os
import signal
from types import FrameType
from typing import Annotated, Any, Self

import typer

from hansu.arena.local_processes import STOPPING

FinishOption = Annotated[
    bool, typer.Option("--finish", help="At Ctrl+C finish the games in progress; twice drops them.")
]


class Stopping:
    """Drop the games in progress (KeyboardInterrupt), or with ``finish`` let them finish first.

    ``status`` is then the exit status. Report results inside it, after ``settle``, so that
    another signal cannot lose them.
    """

    def __init__(self, finish: bool) -> None:
        self.finish = finish
        self.dropped = False
        self.status = 0
        self._before: dict[int, Any] = {}

    def __call__(self) -> bool:
        """Return whether a signal has come."""
        return self.status != 0

    def __enter__(self) -> Self:
        for number in STOPPING:
            if signal.getsignal(number) != signal.SIG_IGN:  # as nohup and shells in scripts set it
                self._before[number] = signal.signal(number, self._hear)
        return self

    def settle(self) -> None:
        """Ignore further signals: only the report of the results is left."""
        if self():
            for number in self._before:
                signal.signal(number, signal.SIG_IGN)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        is_first, self.status = not self.status, 128 + number
        if self.finish and is_first:
            # Nothing but this is safe here: the signal may have come in the middle of a print.
            os.write(2, b"\nfinishing the games in progress; Ctrl+C again drops them\n")
            return
        self.dropped = True
        raise KeyboardInterrupt(number)

    @property
    def words(self) -> str:
        """Say what became of the games in progress."""
        return f"the games in progress were {'dropped' if self.dropped else 'finished'}"
