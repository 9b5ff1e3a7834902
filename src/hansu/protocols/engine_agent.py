"""What engines share as agents: a program starts once and plays many games."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from hansu.agents.agent import Options
from hansu.agents.search_agent import Analyst
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.games.state import State
from hansu.options import Seconds
from hansu.protocols.pipe import EnginePipe, Pipe
from hansu.protocols.program import find_program

LONGEST = 600.0  # seconds for a move without any limit


@dataclass(frozen=True)
class EngineOptions(Options):
    """How long an engine may think."""

    move_time: Seconds | None = 1.0  # seconds per move, within the clock; none: the engine decides


class Engine(Protocol):
    """A running program."""

    @property
    def title(self) -> str:
        """What it calls itself."""

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""

    def close(self, politely: bool = True) -> None:
        """End it. Never raises."""


class EngineAgent(Analyst):
    """A program behind a pipe. One that dies loses its game and is restarted for the next."""

    Options: ClassVar[type[Options]] = EngineOptions
    games: ClassVar[tuple[str, ...]] = ()  # what it can play; empty: what the protocol knows
    engine: Any = None  # running, once there has been a ``reset``
    hears_clock = False  # whether it is told the clock where it decides itself how long to think
    run: Callable[[list[str]], Pipe] | None = None  # how a program is run, if not as we are

    def command(self) -> list[str]:
        """Return the program and its arguments."""
        raise NotImplementedError

    def open(self) -> Pipe:
        """Run the program."""
        return EnginePipe(self.command()) if self.run is None else self.run(self.command())

    def start(self) -> Engine:
        """Start the program and tell it its options."""
        raise NotImplementedError

    def begin(self) -> None:
        """Tell the running program that a game begins."""
        raise NotImplementedError

    def check(self, game: Game) -> None:
        """Raise HansuError unless the engine knows the game and is installed."""
        if self.games and game.name not in self.games:
            raise HansuError(f"{self.name} plays {' and '.join(self.games)}, not {game.name}")
        if self.run is None:
            find_program(self.command()[0])

    def reset(self) -> None:
        """Start the program unless it is running, and begin a game."""
        if self.game is not None:
            self.check(self.game)
        if self.engine is None or not self.engine.is_alive:
            self.engine = self.start()
        self.begin()

    def patience(self, state: State, seconds: float) -> float:
        """Seconds after which an engine counts as dead: when it should be ready, or has lost."""
        own = seconds if math.isfinite(seconds) else LONGEST
        return min(own, state.remain_sec + 0.5, state.max_move_sec + 0.5)

    def running(self) -> Any:
        """Return the program; start it if nobody has called ``reset``."""
        if self.engine is None:
            self.reset()
        return self.engine

    def release(self) -> None:
        """End the program."""
        if self.engine is not None:
            self.engine.close()
            self.engine = None

    def __getstate__(self) -> dict[str, Any]:
        """Another process gets the agent, not the program."""
        return {key: value for key, value in vars(self).items() if key != "engine"}
