"""The life of an agent: check, prepare, then reset and close for each game, release."""

import contextlib
from typing import Self

from hansu.agents.agent import Agent
from hansu.games.state import State


class AgentLife:
    """Call an agent's methods in the order and as often as documented.

    >>> import hansu
    >>> state = hansu.game("tictactoe").start()
    >>> with AgentLife(hansu.agent(state.game, "random")) as life:
    ...     life.begin_game(state, seed=1)
    ...     move = life.agent.act(state.copy())
    >>> move in state.legal_moves
    True
    """

    def __init__(self, agent: Agent) -> None:
        """Check the agent; raises HansuError if it cannot play the game that it was made for."""
        if agent.game is not None:
            agent.check(agent.game)
        self.agent = agent
        self.is_playing = False
        self._prepared = False

    def begin_game(self, start: State, color: bool | None = None, seed: int | None = None) -> None:
        """End the previous game and reset the agent for one from a state, off the clock.

        The agent gets the colour of the side to move unless another is given.
        """
        self.end_game()
        self.agent.color = start.turn if color is None else color
        self.agent.game = start.game
        if not self._prepared:
            self.agent.prepare(start.copy())
            self._prepared = True
        if seed is not None:
            self.agent.rng.seed(seed)
        self.is_playing = True
        self.agent.reset()

    def end_game(self) -> None:
        """Close the game in progress, if there is one."""
        if self.is_playing:
            self.is_playing = False
            self.agent.close()

    def release(self) -> None:
        """End the game in progress and release the agent; ignore its errors."""
        self._prepared = False
        for last in (self.end_game, self.agent.release):
            with contextlib.suppress(Exception):
                last()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
