"""What an agent is."""

import random
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from hansu.games.game import WHITE, Game
from hansu.games.state import State
from hansu.options import make_options
from hansu.search.info import SearchInfo


@dataclass(frozen=True)
class Options:
    """The options of an agent; each agent lists its own with their defaults."""


class Answer(NamedTuple):
    """A player's answer: a move or RESIGN, and what its search found, if it reports that."""

    move: Any
    info: SearchInfo | None = None


class Agent:
    """An agent. Write ``act``; override ``reset`` and ``close`` if you need them.

    >>> import hansu
    >>> class MyAgent(hansu.Agent):
    ...     def act(self, state):
    ...         return self.rng.choice(list(state.legal_moves))
    >>> MyAgent("me", hansu.WHITE).act(hansu.game("tictactoe").start()) in range(9)
    True
    """

    Options: ClassVar[type[Options]] = Options
    game: Game | None = None  # the game it was made for
    deterministic: ClassVar[bool] = False  # whether it always plays the same game
    options_set: frozenset[str] = frozenset()  # those whose values were given, by their names

    def __init__(self, name: str = "", color: bool = WHITE, **options: Any) -> None:
        self.name = name or type(self).__name__
        self.color = color
        self.rng = random.Random()
        self.options: Any = make_options(self.Options, self.name, options)
        self.options_set = frozenset(options)

    @property
    def turn(self) -> bool:
        """Another name of ``color``."""
        return self.color

    @property
    def opponent_color(self) -> bool:
        """The other player's colour."""
        return not self.color

    @property
    def plays_at_once(self) -> bool:
        """Whether it thinks so little that nobody has to wait, even before it is compiled."""
        return False

    def check(self, game: Game) -> None:
        """Raise HansuError if the agent cannot play a game, or not on this machine."""

    def prepare(self, start: State) -> None:
        """Called once before the first game, off the clock: compile or load what takes long."""

    def reset(self) -> None:
        """Called before each game."""

    def act(self, state: State) -> Any:
        """Return a move of ``state.legal_moves``, or ``hansu.RESIGN``.

        ``hansu.move_seconds(state)`` tells how long it may take.
        """
        raise NotImplementedError(f"{type(self).__name__} has no act(state) yet")

    def close(self) -> None:
        """Called after each game."""

    def release(self) -> None:
        """Called once after the last game: end what outlives a game, such as a program."""
