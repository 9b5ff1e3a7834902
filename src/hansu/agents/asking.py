"""Ask any agent for a move, whether it accepts limits or not."""

import math

from hansu.agents.agent import Agent, Answer
from hansu.agents.search_agent import Analyst
from hansu.games.state import State, Timing
from hansu.search.info import SearchInfo
from hansu.search.limits import UNLIMITED, Limits, SearchHandle


def ask(
    agent: Agent,
    state: State,
    limits: Limits = UNLIMITED,
    handle: SearchHandle | None = None,
) -> Answer:
    """Return an agent's move in a state, which it may change, and what it found.

    Without limits the state's clocks hold. An agent that only has ``act`` reads the caller's
    seconds from its state; nothing else can limit or stop it.
    """
    if isinstance(agent, Analyst) and getattr(agent.act, "__func__", None) is Analyst.act:
        if limits.seconds is not None:
            _replace_clocks(state, math.inf)  # it hears of the seconds from the limits
        return agent.choose(state, limits, handle or SearchHandle())
    if limits.seconds is not None:
        _replace_clocks(state, limits.seconds)
    before = getattr(agent, "info", None)
    move = agent.act(state)
    info = getattr(agent, "info", None)
    if info is before or not isinstance(info, SearchInfo):
        return Answer(move)
    return Answer(move, info)


def _replace_clocks(state: State, seconds: float) -> None:
    state.white_remain_sec = state.black_remain_sec = math.inf
    state.timing = Timing(move_seconds=seconds)
