"""``mcts_memory``: remembers every random game it has ever played, on disk.

Before a move it plays some random games after each candidate and adds the results to what it
remembers of that sequence of moves from earlier games. The more it plays, the more it knows.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from platformdirs import user_data_path

from hansu.agents.agent import Options
from hansu.agents.memory import Memory, Tally
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.games.game import Game
from hansu.games.state import State
from hansu.options import Count
from hansu.search.info import Line, SearchInfo
from hansu.search.playout import playouts

GAME_SIMULATIONS = 250  # a turn, when nothing is kept between games


@dataclass(frozen=True)
class MctsMemoryOptions(SearchOptions):
    """Where to remember, and how much to know about each move."""

    memory: str = ""  # a file; without one it is kept among the user's data
    min_visits: Count = 30
    scope: Literal["always", "game"] = "always"  # "game" forgets between games


class MctsMemory(SearchAgent):
    """Tops every move up to 30 remembered games, or adds one; plays the best rate."""

    Options: ClassVar[type[Options]] = MctsMemoryOptions
    _memory: Memory | None = None

    def check(self, game: Game) -> None:
        """A file that was named must be usable."""
        if self.options.memory and self.options.scope == "always":
            Memory(self.options.memory).close()

    def prepare(self, start: State) -> None:
        """Compile the play-outs, without remembering any."""
        playouts(start, 1)

    def reset(self) -> None:
        """Open the memory when it is first needed; with ``scope=game`` a new, empty one."""
        self.close()

    def close(self) -> None:
        """Close the memory: what it holds is already safe on disk."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def search(self, state: State) -> SearchInfo:
        """Remember, simulate, remember more."""
        begin = time.perf_counter()
        memory = self._open(state)
        moves = list(state.legal_moves)
        keys = [_sequence(state, move) for move in moves]
        known = memory.recall(keys)
        new = [
            self._simulate(state.forward(move), self._games(known[key], len(moves)))
            for move, key in zip(moves, keys, strict=True)
        ]
        memory.add(dict(zip(keys, new, strict=True)))
        lines = []
        for move, key, more in zip(moves, keys, new, strict=True):
            tally = known[key] + more
            rate = tally.rate if state.turn == state.game.first_color else 1.0 - tally.rate
            lines.append(Line(move, state.move_text(move), rate, tally.games))
        self.rng.shuffle(lines)
        lines.sort(key=lambda line: line.value, reverse=True)
        games = sum(tally.games for tally in new)
        return SearchInfo(tuple(lines), games, time.perf_counter() - begin)

    def _games(self, known: Tally, n_moves: int) -> int:
        """How many games a move gets this turn."""
        if self.options.scope == "game":
            return max(1, GAME_SIMULATIONS // n_moves)
        return max(1, int(self.options.min_visits) - known.games)

    def _simulate(self, state: State, games: int) -> Tally:
        counted = playouts(state, games, self.rng.getrandbits(63))
        return Tally(counted.wins, counted.draws, counted.losses)

    def _open(self, state: State) -> Memory:
        if self._memory is None:
            if self.options.scope == "game":
                self._memory = Memory(":memory:")
            else:
                self._memory = Memory(self.options.memory or _default_file(state))
        return self._memory


def _default_file(state: State) -> Path:
    return user_data_path("hansu") / "memory" / f"{state.game.name}.sqlite"


def _sequence(state: State, move: Any) -> str:
    """The moves that lead to a candidate, as one text. Set-up positions remember apart."""
    codes = [str(state.code(played)) for played in state.move_stack]
    start = state.copy()
    for _ in codes:
        start.pop()
    return f"{state.game} {start.key:016x} " + ",".join([*codes, str(state.code(move))])
