"""What the referee asks of a player, wherever it runs.

The referee never sees an agent. It sees a ``Player``: in this process (``LocalPlayer``), or in an
isolated process of its own. Everything that goes wrong comes back as a ``Fault``.
"""

import contextlib
import traceback
from typing import Any, Literal, Protocol

from hansu.agents.agent import Agent, Answer
from hansu.agents.agent_life import AgentLife
from hansu.agents.asking import ask
from hansu.arena.precompile import precompile_rules
from hansu.games.state import State
from hansu.records.record import Turn
from hansu.search.info import SearchInfo
from hansu.search.limits import UNLIMITED, SearchHandle

Level = Literal["isolated", "process", "trusted"]
"""How a player runs: in a sandbox, as a plain process with our rights, or as code we trust."""

MOST_NODES = 2**53  # that a record holds: every reader of JSON knows such numbers exactly


class Fault(Exception):
    """What loses a game at once: a reason and the evidence for it."""

    def __init__(self, reason: str, evidence: str) -> None:
        super().__init__(f"{reason}: {evidence}")
        self.reason = reason
        self.evidence = evidence


class Player(Protocol):
    """One side of a game, for as many games as a match has."""

    name: str

    @property
    def isolation(self) -> Level:
        """How it runs."""

    @property
    def turn_cpu(self) -> float | None:
        """Seconds of CPU time of its last turn, where known."""

    def reset(self, color: bool, start: State, seed: int) -> None:
        """Get ready for a game, off the clock; the start tells its limits. Raises Fault."""

    def act(
        self, state: State, seconds: float | None, handle: SearchHandle | None = None
    ) -> Answer:
        """Return a move or RESIGN and what was found; the state tells the limits of the move.

        The state is the caller's and stays unchanged. Past ``seconds`` (None: no limit) an isolated
        player is killed. After ``handle.stop()`` the answer is dropped: call ``reset`` before the
        next move, as after a take-back.
        """

    def end_game(self) -> None:
        """End the game; raises Fault."""

    def close(self) -> None:
        """Free everything after the match. Never raises."""


class LocalPlayer:
    """An agent in this process: fast and trusted. A late answer loses but is not cut short."""

    isolation: Level = "trusted"
    turn_cpu: float | None = None  # its threads share our process

    def __init__(self, agent: Agent, name: str = "") -> None:
        self.agent = agent
        self.name = name or agent.name
        self._life = AgentLife(agent)

    def reset(self, color: bool, start: State, seed: int) -> None:
        """Give the agent its colour and seed, and call its ``reset``."""
        precompile_rules(start.game)
        self._call(self._life.begin_game, start, color, seed)

    def act(
        self, state: State, seconds: float | None, handle: SearchHandle | None = None
    ) -> Answer:
        """Ask for a move on a copy of the state. A search that is stopped ends soon."""
        answer: Answer = self._call(ask, self.agent, state.copy(), UNLIMITED, handle)
        return answer

    def end_game(self) -> None:
        """Call the agent's ``close``."""
        self._call(self._life.end_game)

    def close(self) -> None:
        """Call the agent's ``release``; ignore its errors."""
        self._life.release()

    def _call(self, method: Any, *arguments: Any) -> Any:
        try:
            return method(*arguments)
        except Exception as error:
            raise Fault("crash", crash_evidence(error)) from error


def turn_of(text: str, seconds: float, info: SearchInfo | None, cpu: float | None = None) -> Turn:
    """Return a turn as recorded; drop findings that make no sense."""
    cpu = None if cpu is None else round(cpu, 6)
    if info is None:
        return Turn(text, seconds, cpu=cpu)
    value = depth = nodes = None
    with contextlib.suppress(Exception):
        value = round(float(info.value), 4) if 0.0 <= float(info.value) <= 1.0 else None
        nodes = int(info.nodes) if 0 <= info.nodes <= MOST_NODES else None
        depth = int(info.depth) if info.depth is not None and 0 <= info.depth <= 10**6 else None
    return Turn(text, seconds, value, depth, nodes, cpu)


def crash_evidence(error: BaseException, code: str = "") -> str:
    """Return the error and its line of code in one line; prefer a line below ``code``."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(code)] or frames
    where = f" at {own[-1].filename}:{own[-1].lineno}" if own else ""
    return f"{type(error).__name__}: {error}{where}"
