"""hansu (한 수, "one move"): a platform for board-game AI.

>>> import hansu
>>> state = hansu.game("tictactoe").start()
>>> state = state.forward(state.parse_move("b2"))
>>> print(state)
  a b c
1 . . .
2 . X .
3 . . .
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hansu.agents.agent import Agent as Agent
    from hansu.agents.agent import Answer as Answer
    from hansu.agents.budget import move_seconds as move_seconds
    from hansu.agents.registry import agent as agent
    from hansu.arena.environment import Environment as Environment
    from hansu.arena.match import match as match
    from hansu.arena.play_game import play_game as play_game
    from hansu.arena.tournament.tournament import tournament as tournament
    from hansu.errors import HansuError as HansuError
    from hansu.games.game import BLACK as BLACK
    from hansu.games.game import WHITE as WHITE
    from hansu.games.game import Game as Game
    from hansu.games.game import game as game
    from hansu.games.laws import check_game as check_game
    from hansu.games.state import RESIGN as RESIGN
    from hansu.games.state import Outcome as Outcome
    from hansu.games.state import State as State
    from hansu.learning.curves import training_log as training_log
    from hansu.learning.vector import VectorGames as VectorGames
    from hansu.learning.vector import vector as vector
    from hansu.records.record import TimeControl as TimeControl
    from hansu.search.info import SearchInfo as SearchInfo
    from hansu.search.limits import Limits as Limits
    from hansu.search.limits import SearchHandle as SearchHandle
    from hansu.search.playout import playouts as playouts
    from hansu.search.playout import win_rate_map as win_rate_map
    from hansu.search.solve import solve as solve
    from hansu.search.truth import Truth as Truth
    from hansu.search.view import SearchView as SearchView
    from hansu.statistics.sprt import Sprt as Sprt

__version__ = "0.1.0"

_HOMES = {
    "BLACK": "hansu.games.game",
    "WHITE": "hansu.games.game",
    "Game": "hansu.games.game",
    "game": "hansu.games.game",
    "RESIGN": "hansu.games.state",
    "Outcome": "hansu.games.state",
    "State": "hansu.games.state",
    "check_game": "hansu.games.laws",
    "VectorGames": "hansu.learning.vector",
    "vector": "hansu.learning.vector",
    "Agent": "hansu.agents.agent",
    "Answer": "hansu.agents.agent",
    "agent": "hansu.agents.registry",
    "move_seconds": "hansu.agents.budget",
    "Environment": "hansu.arena.environment",
    "match": "hansu.arena.match",
    "Sprt": "hansu.statistics.sprt",
    "TimeControl": "hansu.records.record",
    "play_game": "hansu.arena.play_game",
    "tournament": "hansu.arena.tournament.tournament",
    "Limits": "hansu.search.limits",
    "SearchHandle": "hansu.search.limits",
    "SearchInfo": "hansu.search.info",
    "SearchView": "hansu.search.view",
    "Truth": "hansu.search.truth",
    "playouts": "hansu.search.playout",
    "solve": "hansu.search.solve",
    "win_rate_map": "hansu.search.playout",
    "training_log": "hansu.learning.curves",
    "HansuError": "hansu.errors",
}
"""Where each public name lives. Names are loaded when first used, so that the import is quick."""

__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hansu' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
