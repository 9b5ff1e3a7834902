"""``random``: the first rung of the ladder."""

from typing import Any

from hansu.agents.agent import Agent
from hansu.games.state import State
from hansu.search.playout import random_move


class RandomAgent(Agent):
    """A uniformly random legal move; in go it never fills its own eye."""

    def prepare(self, start: State) -> None:
        """Compile the drawing of moves."""
        random_move(start, 0)

    def act(self, state: State) -> Any:
        """Draw a move."""
        return random_move(state, self.rng.getrandbits(64))
