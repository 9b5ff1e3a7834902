"""How much an agent is to think when another program asks it, whichever agent it is."""

from dataclasses import dataclass, fields, replace
from typing import Any

from hansu.agents.agent import Agent
from hansu.agents.budget import fair_share, share
from hansu.agents.search_agent import SearchAgent
from hansu.games.game import WHITE
from hansu.games.state import State

UNLIMITED = 10.0**9  # seconds: rather stop than wait so long
MANY = 2**40  # simulations, likewise


@dataclass(frozen=True)
class Budget:
    """What a program allows for one move; None says nothing about it."""

    seconds: float | None = None  # for this move, neither more nor less
    left: float | None = None  # on the clock
    increment: float = 0.0  # seconds that come back with each move
    moves_to_go: int | None = None  # until the clock is set anew
    depth: int | None = None
    nodes: int | None = None
    infinite: bool = False

    def move_seconds(self, state: State) -> float | None:
        """The seconds for this move; None leaves it to the agent's own options."""
        if self.seconds is not None:
            return self.seconds
        if self.left is not None:
            if self.moves_to_go:
                seconds = share(self.left, self.moves_to_go)
            else:
                seconds = fair_share(self.shown_on(state))
            return min(seconds + 0.8 * self.increment, 0.8 * self.left)
        limited = self.depth is not None or self.nodes is not None
        return UNLIMITED if self.infinite or limited else None

    def shown_on(self, state: State) -> State:
        """The state with the clock on it."""
        if self.left is not None:
            shown = state.copy()
            if state.turn == WHITE:
                shown.white_remain_sec = self.left
            else:
                shown.black_remain_sec = self.left
            return shown
        return state


def think(agent: Agent, state: State, budget: Budget) -> Any:
    """The agent's move, or RESIGN, within a budget.

    An agent that searches takes each limit that it has an option for. Others take their time.
    """
    if not isinstance(agent, SearchAgent):
        return agent.act(budget.shown_on(state))
    kept = agent.options
    seconds = budget.move_seconds(state)
    own = {field.name for field in fields(kept)}
    changed = {
        "depth": budget.depth,
        "n_simulations": budget.nodes or (MANY if budget.infinite else None),
        "playouts": budget.nodes or (MANY if budget.infinite else None),
        "search_time": seconds if budget.left is None else None,
    }
    agent.options = replace(kept, **{k: v for k, v in changed.items() if v and k in own})
    agent.seconds = seconds
    try:
        return agent.act(budget.shown_on(state))
    finally:
        agent.options, agent.seconds = kept, None
