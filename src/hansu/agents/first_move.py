"""``first_move``: for testing."""

from typing import Any, ClassVar

from hansu.agents.agent import Agent
from hansu.games.state import State, check_running


class FirstMove(Agent):
    """Play the first legal move."""

    deterministic: ClassVar[bool] = True
    plays_at_once = True

    def act(self, state: State) -> Any:
        """Return the first legal move."""
        check_running(state)
        return next(iter(state.legal_moves))
