"""What an agent makes of a position, whichever agent it is."""

import time

from hansu.agents.agent import Agent
from hansu.agents.search_agent import SearchAgent
from hansu.errors import HansuError
from hansu.games.state import RESIGN, State
from hansu.search.info import Line, SearchInfo


def look(thinker: Agent, state: State, seconds: float) -> SearchInfo:
    """What an agent finds out when it has these seconds for one move."""
    if not isinstance(thinker, SearchAgent):
        begin = time.perf_counter()
        move = thinker.act(state.copy())
        if move is RESIGN:
            raise HansuError(f"{thinker.name} resigns in this position")
        value = state.game.evaluator.eval(state.forward(move), state.turn)
        line = Line(move, state.move_text(move), value)
        return SearchInfo((line,), 1, time.perf_counter() - begin)
    thinker.seconds, thinker.exact = seconds, True
    return thinker.search(state)
