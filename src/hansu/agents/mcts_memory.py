"""``mcts_memory``: keeps every game it has simulated, on disk.

Before a move it simulates games that begin with each candidate and credits their results to every
prefix of their moves, so that later turns and later games find what earlier ones saw.
``docs/design/memory.md`` describes the file.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from platformdirs import user_data_path

from hansu.agents.agent import Options
from hansu.agents.memory import Memory
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.games.game import Game
from hansu.games.state import State
from hansu.options import Count
from hansu.search.info import Line, SearchInfo
from hansu.search.known_tree import known_values
from hansu.search.limits import Budget, SearchHandle
from hansu.search.prefix_playouts import Simulator
from hansu.search.prefix_table import Pending

GAME_SIMULATIONS = 250  # per turn, when nothing is kept between games
SLICE = 64  # simulated games between two checks of the clock, at most
FIRST_SLICE = 1  # until it is known how long they take
PENDING = 1 << 15  # sequences; then they are written, also in mid-slice


@dataclass(frozen=True)
class MctsMemoryOptions(SearchOptions):
    """Where to remember, and how much to know about each move."""

    memory: str = ""  # a file; without one it is kept among the user's data
    min_visits: Count = 30
    scope: Literal["always", "game"] = "always"  # "game" forgets between games
    n_simulations: Count | None = None  # per turn, shared equally, instead of topping up


class MctsMemory(SearchAgent):
    """Top every move up to 30 simulated games, or add one; play the best known move."""

    Options: ClassVar[type[Options]] = MctsMemoryOptions
    _memory: Memory | None = None
    _pending: Pending | None = None

    def check(self, game: Game) -> None:
        """Raise HansuError if its file cannot be used."""
        self._new_memory(game).close()

    def prepare(self, start: State) -> None:
        """Compile the simulation and how a full memory forgets, without remembering any."""
        self._memory = Memory()
        super().prepare(start)
        self._memory.prune(keep=0)
        self.release()

    def reset(self) -> None:
        """Open the memory, off the clock; forget the last game with ``scope=game``."""
        if self._memory is not None and self.options.scope == "game":
            self._memory.prune(keep=0)
        if self.game is not None:
            self._open(self.game)

    def release(self) -> None:
        """Close the memory: what it holds is already safe on disk."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Remember, simulate, remember more; value every move by what is then known."""
        begin = time.perf_counter()
        memory = self._open(state.game)
        simulator = Simulator(state, self.rng.getrandbits(63))
        pending, game = self._room(simulator), memory.game_number(str(state.game))
        before = memory.recall(simulator.keys)
        wanted = [self._wanted(tally.games, len(before)) for tally in before]
        at_most, now = FIRST_SLICE, time.perf_counter()
        last = begin + budget.seconds - (now - begin)  # what follows takes as long as what came
        while (simulator.done < wanted).any():
            simulator.run(pending, game, wanted, at_most)
            memory.commit(pending)  # on a slow disk this takes longer than the games
            before_slice, now = now, time.perf_counter()
            left, spent = last - now, now - before_slice
            if handle.stopped or left < spent:
                break
            at_most = max(1, int(min(SLICE, 2 * at_most, at_most * left / (2 * spent))))
        values = known_values(state, simulator.keys, memory.table, self.options.min_visits)
        is_first = state.turn == state.game.first_color
        lines = []
        for move, known, value in zip(
            simulator.moves, memory.recall(simulator.keys), values, strict=True
        ):
            tally = known if is_first else -known
            lines.append(Line(move, state.move_text(move), value, tally.games, tally=tally))
        self.rng.shuffle(lines)
        lines.sort(key=lambda line: line.value, reverse=True)
        return SearchInfo(tuple(lines), int(simulator.done.sum()), time.perf_counter() - begin)

    def _wanted(self, known: int, n_moves: int) -> int:
        """Return how many games to simulate for a move this turn."""
        chosen: MctsMemoryOptions = self.options
        simulations = chosen.n_simulations
        if simulations is None and chosen.scope == "game":
            simulations = GAME_SIMULATIONS
        if simulations is not None:
            return max(1, simulations // n_moves)
        return max(1, chosen.min_visits - known)

    def _room(self, simulator: Simulator) -> Pending:
        """Return an empty buffer for new results, with room for some games at least."""
        if self._pending is None or self._pending.limit < 2 * simulator.longest:
            self._pending = Pending(max(PENDING, 2 * simulator.longest))
        self._pending.clear()  # an interrupted search may have left some
        return self._pending

    def _open(self, game: Game) -> Memory:
        if self._memory is None:
            self._memory = self._new_memory(game)
        return self._memory

    def _new_memory(self, game: Game) -> Memory:
        if self.options.scope == "game":
            return Memory()
        return Memory(self.options.memory or _default_file(game))


def _default_file(game: Game) -> Path:
    return user_data_path("hansu") / "memory" / f"{game.name}.memory"
