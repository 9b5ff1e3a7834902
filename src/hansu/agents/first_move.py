"""``first_move``: for testing."""

from typing import Any, ClassVar

from hansu.agents.agent import Agent
from hansu.games.state import State


class FirstMove(Agent):
    """The first legal move."""

    deterministic: ClassVar[bool] = True

    def act(self, state: State) -> Any:
        """Take what comes first."""
        return next(iter(state.legal_moves))
