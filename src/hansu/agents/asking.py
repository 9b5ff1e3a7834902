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
    limited = isinstance(agent, Analyst) and getattr(agent.act, "__func__", None) is Analyst.act
    if limits.seconds is not None:  # instead of the clocks
        state.white_remain_sec = state.black_remain_sec = math.inf
        state.timing = Timing(move_seconds=math.inf if limited else limits.seconds)
    if isinstance(agent, Analyst) and limited:
        return agent.choose(state, limits, handle or SearchHandle())
    before = getattr(agent, "info", None)
    move = agent.act(state)
    info = getattr(agent, "info", None)
    is_new = isinstance(info, SearchInfo) and info is not before
    return Answer(move, info if is_new else None)
