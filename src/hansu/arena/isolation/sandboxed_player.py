"""What all seats at the board have in common whose player thinks in an isolated process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hansu.agents.agent import Answer
from hansu.arena.isolation.limits import SandboxLimits
from hansu.arena.isolation.process import SandboxProcess
from hansu.arena.isolation.view import View
from hansu.arena.player import Level
from hansu.games.state import State
from hansu.search.limits import SearchHandle


class SandboxedPlayer:
    """A player in a process of its own, which a fault kills: the next game gets a new one."""

    def __init__(self, name: str, view: View, limits: SandboxLimits, isolated: bool) -> None:
        self.name, self.view, self.limits = name, view, limits
        self.isolated = isolated
        self.isolation: Level = "isolated" if isolated else "process"
        self._process: SandboxProcess | None = None
        self._last: SandboxProcess | None = None  # also when it has been killed

    @property
    def process(self) -> SandboxProcess | None:
        """Its process, while there is one."""
        return self._process

    @process.setter
    def process(self, process: SandboxProcess | None) -> None:
        self._process, self._last = process, process or self._last

    @property
    def turn_cpu(self) -> float | None:
        """Seconds of CPU time of its last turn, where known."""
        return None if self._last is None else self._last.turn_cpu

    def load(self, color: bool) -> None:
        """Start it; raises HansuError where that fails, Fault where it breaks a rule."""
        raise NotImplementedError

    def reset(self, color: bool, start: State, seed: int) -> None:
        """Get ready for a game, off the clock; raises Fault."""
        raise NotImplementedError

    def act(
        self, state: State, seconds: float | None, handle: SearchHandle | None = None
    ) -> Answer:
        """Return its move; raises Fault."""
        raise NotImplementedError

    def end_game(self) -> None:
        """End the game; raises Fault."""
        raise NotImplementedError

    def interrupt(self) -> None:
        """End the process while another thread waits for its answer, which is then a Fault."""
        process = self.process
        if process is not None:
            process.interrupt()

    @contextmanager
    def _ended_by(self, handle: SearchHandle | None) -> Iterator[None]:
        """End the process when the handle is stopped, also if its answer comes first."""
        handle = handle or SearchHandle()
        try:
            with handle.on_stop(self.interrupt):
                yield
        finally:
            if handle.stopped:
                self.close()

    def close(self) -> None:
        """Kill the process; nothing is left of it."""
        if self.process is not None:
            self.process.kill()
            self.process = None

    def _inside(self, path: Path) -> str:
        """Where something of the agent's own is found by the agent."""
        return str(self.view.inside(path) if self.isolated else path)
