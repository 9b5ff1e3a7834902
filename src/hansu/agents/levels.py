"""The levels of ``engine``: nine weaker players that make plausible mistakes, then full strength.

A weak level looks less far ahead and then chooses among the moves by a temperature, so that it also
plays moves that look nearly as good. Settings and measured ratings are in ``levels.json``, which
``python -m benchmarks.levels`` keeps.
"""

import functools
import json
import random
from dataclasses import dataclass
from importlib import resources
from typing import Annotated, Any

from hansu.games.game import Game
from hansu.options import Range
from hansu.search.info import Line, SearchInfo

LEVELS = resources.files("hansu.agents") / "levels.json"
FULL = 10
FULL_STRENGTH = "engine:search_time=1"
BY_PLAYOUTS = "mcts"  # settings for all boards that no network knows, measured on hex 11x11
SUREST = 0.999  # no move is thought to be better than this, or worse than its opposite

LevelNumber = Annotated[int, Range(1, FULL)]


@dataclass(frozen=True)
class Level:
    """How far a level looks, and how much it cares for the best move."""

    temperature: float  # 0: always the best move; the greater, the more it varies
    nodes: int | None = None
    depth: int | None = None

    def choose(self, info: SearchInfo, rng: random.Random) -> Any:
        """Return a move, better ones with a greater chance.

        >>> lines = [Line("a", "a", 0.9), Line("b", "b", 0.5), Line("c", "c", 0.1)]
        >>> found = SearchInfo(tuple(lines), nodes=3, seconds=0.0)
        >>> rng = random.Random(1)
        >>> moves = [Level(1.0).choose(found, rng) for _ in range(1000)]
        >>> [moves.count(move) for move in "abc"]
        [883, 109, 8]
        """
        weights = [_promise(line) for line in info.lines]
        most = max(weights)
        shares = [(weight / most) ** (1.0 / self.temperature) for weight in weights]
        return rng.choices([line.move for line in info.lines], shares)[0]


def _promise(line: Line) -> float:
    """Return how good a move looks: by its visits and prior where there are some, else its odds."""
    if line.visits or line.prior is not None:
        return line.visits + (line.prior or 0.0)
    value = min(max(line.value, 1.0 - SUREST), SUREST)
    return value / (1.0 - value)


def level(family: str, number: int) -> Level:
    """Return a level below full strength; ``family`` is the game whose settings hold."""
    row = _table()[family]["levels"][number - 1]
    return Level(row["temperature"], row.get("nodes"), row.get("depth"))


def levels(game: Game) -> list[dict[str, Any]]:
    """Return the levels of a game, weakest first: what they are called, and how strong they are.

    Only differences of ratings mean something: the ten of a game average 1300. They were measured
    on the usual board, and are None on others.

    >>> import hansu
    >>> [row["agent"] for row in levels(hansu.game("othello"))][::9]
    ['engine:level=1', 'engine:search_time=1']
    """
    measured = _table()[game.name]["levels"] if str(game) in _table() else [{}] * FULL
    return [
        {
            "level": number,
            "name": f"level.{number}",  # in the words of every language
            "rating": row.get("rating"),
            "error": row.get("error"),  # half of the 95 % interval
            "agent": FULL_STRENGTH if number == FULL else f"engine:level={number}",
        }
        for number, row in enumerate(measured, 1)
    ]


@functools.cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(LEVELS.read_text(encoding="utf-8"))
    return table
