"""Analyse a position with any agent."""

import time

from hansu.agents.agent import Agent
from hansu.agents.asking import ask
from hansu.agents.search_agent import SearchAgent
from hansu.errors import HansuError
from hansu.games.state import RESIGN, State
from hansu.search.info import Line, SearchInfo
from hansu.search.limits import Limits, SearchHandle


def analyse(
    agent: Agent, state: State, limits: Limits, handle: SearchHandle | None = None
) -> SearchInfo:
    """Return what an agent finds within limits; evaluate the move of one that only moves."""
    if isinstance(agent, SearchAgent):
        return agent.search(state.copy(), limits, handle)
    begin = time.perf_counter()
    answer = ask(agent, state.copy(), limits, handle)
    if answer.info is not None:
        return answer.info
    if answer.move is RESIGN:
        raise HansuError(f"{agent.name} resigns in this position")
    value = state.game.evaluator.eval(state.forward(answer.move), state.turn)
    line = Line(answer.move, state.move_text(answer.move), value)
    return SearchInfo((line,), 1, time.perf_counter() - begin)
