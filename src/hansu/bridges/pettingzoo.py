"""Our games as PettingZoo environments (AEC: the players take turns).

    from hansu.bridges import pettingzoo
    env = pettingzoo.env("connect4")                # rules as keywords: env("go", size=9, komi=7)

The agents are ``first`` and ``second``. An observation holds what ``game.features`` gives, seen by
the side to move: ``observation`` (planes, height, width), ``action_mask`` (1 where an action is a
legal move, all 0 for whoever is not to move) and ``vector`` where the game has one. Rewards come at
the end: 1 for the winner, -1 for the loser, 0 in a draw; an illegal action loses at once.

In microchess an action is a square left and a square reached, and a pawn always becomes a queen.
"""

from typing import Any

import numpy as np

from hansu.games.game import Game, game
from hansu.games.state import State

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    told = "PettingZoo is not installed: pip install 'hansu[bridges]'"
    raise ImportError(told, name="pettingzoo") from None

FIRST, SECOND = "first", "second"


def env(which: str | Game, render_mode: str | None = None, **rules: Any) -> AECEnv:
    """Return a game as an environment, with PettingZoo's usual wrappers.

    >>> made = env("tictactoe")
    >>> made.reset()
    >>> observation, reward, termination, truncation, info = made.last()
    >>> made.agent_selection, observation["action_mask"].sum()
    ('first', np.int64(9))
    """
    made = wrappers.TerminateIllegalWrapper(raw_env(which, render_mode, **rules), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


class raw_env(AECEnv):  # type: ignore[misc]
    """The environment itself; ``env`` adds the guards."""

    def __init__(self, which: str | Game, render_mode: str | None = None, **rules: Any) -> None:
        super().__init__()
        self.game = game(which, **rules)
        self.render_mode = render_mode
        self.metadata = {
            "render_modes": ["human", "ansi"],
            "name": f"hansu_{self.game.name}_v0",
            "is_parallelizable": False,
        }
        self.possible_agents = [FIRST, SECOND]
        features = self.game.features
        parts: dict[str, spaces.Space] = {
            "observation": spaces.Box(-100, 100, features.shape, np.float32),
            "action_mask": spaces.Box(0, 1, (features.actions,), np.int8),
        }
        if features.vector_size:
            parts["vector"] = spaces.Box(0, 1, (features.vector_size,), np.float32)
        self.observation_spaces = {agent: spaces.Dict(parts) for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(features.actions) for agent in self.possible_agents
        }
        self.state_now: State = self.game.start()

    def observation_space(self, agent: str) -> spaces.Space:
        """Return what an agent sees, as a space."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """Return what an agent may answer, as a space."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. Nothing is left to chance, so the seed changes nothing."""
        self.state_now = self.game.start()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the position seen by the side to move; only that side has actions."""
        state, features = self.state_now, self.game.features
        mask = np.zeros(features.actions, np.int8)
        if agent == self._to_move() and not state.is_game_over():
            mask[[features.action(state, move) for move in state.legal_moves]] = 1
        seen: dict[str, Any] = {"observation": features.planes(state), "action_mask": mask}
        return seen | ({"vector": features.vector(state)} if features.vector_size else {})

    def step(self, action: int | None) -> None:
        """Make the move that an action stands for."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        assert action is not None
        self.state_now.push(self.game.features.move(self.state_now, int(action)))
        outcome = self.state_now.outcome()
        if outcome is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            for side in self.agents:
                won = outcome.winner == self._color(side)
                self.rewards[side] = 0.0 if outcome.winner is None else 1.0 if won else -1.0
                self.infos[side] = {"reason": outcome.reason}
        self.agent_selection = SECOND if agent == FIRST else FIRST
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the board as text with ``ansi``, print it with ``human``."""
        if self.render_mode == "ansi":
            return str(self.state_now)
        if self.render_mode == "human":
            print(f"{self.state_now}\n")
        return None

    def close(self) -> None:
        """Nothing is held."""

    def _to_move(self) -> str:
        return FIRST if self.state_now.turn == self.game.first_color else SECOND

    def _color(self, agent: str) -> bool:
        return self.game.first_color == (agent == FIRST)
