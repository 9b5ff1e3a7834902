"""``random``: the weakest agent that plays by the rules."""

from typing import Any

from hansu.agents.agent import Agent
from hansu.games.state import State, check_state
from hansu.search.playout import random_move


class RandomAgent(Agent):
    """Play a uniformly random legal move; in go never fill an own eye."""

    plays_at_once = True

    def prepare(self, start: State) -> None:
        """Compile the choice of moves."""
        random_move(start, 0)

    def act(self, state: State) -> Any:
        """Return a random move."""
        check_state(state)
        return random_move(state, self.rng.getrandbits(64))
