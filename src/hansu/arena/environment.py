"""``hansu.Environment``: the classic reset and step loop."""

from typing import Any

from hansu.agents.agent import Answer
from hansu.arena.judge import judge
from hansu.arena.referee import with_turn_limit
from hansu.errors import HansuError
from hansu.games.game import Game, game
from hansu.games.state import Outcome, State


class Environment:
    """A game to ``reset``, then ``step`` until done.

    >>> import hansu
    >>> env = hansu.Environment("tictactoe")
    >>> state = env.reset()
    >>> state, reward, done, info = env.step(state.parse_move("b2"))
    >>> (reward, done)
    (0.5, False)
    """

    def __init__(self, which: str | Game) -> None:
        self.game = game(which)
        self.state: State | None = None
        self._outcome: Outcome | None = None

    def reset(self, position: str | None = None, max_turns: int | None = None) -> State:
        """Start a game, from a position if one is given; ``max_turns`` where the game has it."""
        chosen = self.game if max_turns is None else with_turn_limit(self.game, max_turns)
        self.state = chosen.start_from(position)
        self._outcome = self.state.outcome()
        return self.state.copy()

    def step(self, move: Any) -> tuple[State, float, bool, dict[str, Any]]:
        """Make a move; return the next state, the mover's reward, whether it is over, and info.

        The reward is 1 for a win, -1 for a loss and 0.5 otherwise. An illegal move loses.
        """
        if self.state is None or self._outcome is not None:
            raise HansuError("the game is over or has not begun: call reset() first")
        mover = self.state.turn
        outcome = judge(self.state, Answer(move)).outcome
        if outcome is None:
            self.state.push(move)
            outcome = self.state.outcome()
        self._outcome = outcome
        info: dict[str, Any] = {"outcome": outcome, "reason": outcome.reason if outcome else None}
        reward = 0.5
        if outcome is not None and outcome.winner is not None:
            reward = 1.0 if outcome.winner == mover else -1.0
        return self.state.copy(), reward, outcome is not None, info

    def render(self) -> None:
        """Print the board."""
        print(self.state)

    def close(self) -> None:
        """End the game."""
        self.state = None
