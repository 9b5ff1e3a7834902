"""``malfunction``: fails now and then, to test the arena."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from hansu.agents.agent import Agent, Options
from hansu.games.state import State, check_running
from hansu.options import Range


@dataclass(frozen=True)
class MalfunctionOptions(Options):
    """How often it fails."""

    p: Annotated[float, Range(0, 1)] = 0.5


class Malfunction(Agent):
    """Raise with probability ``p`` on each move, else play at random. It must lose."""

    Options: ClassVar[type[Options]] = MalfunctionOptions

    def act(self, state: State) -> Any:
        """Fail, or return a random move."""
        check_running(state)
        if self.rng.random() < self.options.p:
            raise RuntimeError("malfunction, as intended")
        return self.rng.choice(list(state.legal_moves))
