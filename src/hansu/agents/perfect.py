"""``perfect``: plays a move that keeps what the position is worth, where that can be proved.

It solves the position, by search and with tables, and chooses at random among the best moves. If
half of its time proves none, it plays like ``engine`` with the rest: what is proved counts, and a
search ranks the other moves. Where only endings are solved it does so until then, and says that
nothing is proved.
"""

import time
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from hansu.agents.agent import Options
from hansu.agents.engine import PROOF, Engine, is_out_of_reach, line_seconds, rest_of
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.games.game import Game
from hansu.games.solver import Solver
from hansu.games.state import State
from hansu.options import Range, Threads
from hansu.search.info import SearchInfo
from hansu.search.limits import Budget, Limits, SearchHandle
from hansu.search.solve import (
    MEMORY,
    THREADS,
    make_solver,
    prepare_solver,
    proved_line,
    solve,
)

Megabytes = Annotated[int, Range(1, 2**20, "megabytes")]


@dataclass(frozen=True)
class PerfectOptions(SearchOptions):
    """What the solver may use."""

    memory: Megabytes = MEMORY  # for its table, and as much where it plays like ``engine``
    threads: Threads = THREADS


class Perfect(SearchAgent):
    """Exact play where the game, or this part of it, is solved."""

    Options: ClassVar[type[Options]] = PerfectOptions
    _solver: Solver | None = None
    _engine: Engine | None = None  # for what is out of reach

    def check(self, game: Game) -> None:
        """Raise HansuError if the game has no exact solver."""
        make_solver(game, 1)

    def prepare(self, start: State) -> None:
        """Load the compiled search, however long that takes."""
        prepare_solver(self._open(start.game), start)
        self._open_engine().prepare(start)

    def reset(self) -> None:
        """Begin a new game."""
        if self._engine is not None:
            self._engine.reset()

    def release(self) -> None:
        """Free the transposition tables."""
        self._solver = None
        if self._engine is not None:
            self._engine.release()
            self._engine = None

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Solve the position; among moves with the same score the order is random."""
        threads, solver = self.options.threads, self._open(state.game)
        if is_out_of_reach(state, solver, budget, threads):
            return self._open_engine().value_moves(state, budget, handle)
        end = time.perf_counter() + budget.seconds
        nodes = None if budget.nodes is None else max(1, int(PROOF * budget.nodes))
        limits = Limits(PROOF * budget.seconds, nodes=nodes, exact=budget.exact)
        truth = solve(state, limits, handle, threads=threads, solver=solver)
        rest = rest_of(budget, end, truth.nodes)
        if not truth.solved:
            return self._open_engine().look_further(state, truth, rest, handle)
        chance = [self.rng.random() if move.bounds.exact else 0.0 for move in truth.moves]
        ranked = sorted(
            zip(truth.moves, chance, strict=True),
            key=lambda pair: (pair[0].bounds, pair[1]),
            reverse=True,
        )
        truth = replace(truth, moves=tuple(move for move, _ in ranked))
        line = proved_line(state, truth, solver, handle, line_seconds(rest), rest.nodes)
        return truth.info(line)

    def _open_engine(self) -> Engine:
        if self._engine is None:
            memory = max(2, self.options.memory)
            self._engine = Engine(self.name, memory=memory, threads=self.options.threads)
            self._engine.rng = self.rng
        return self._engine

    def _open(self, game: Game) -> Solver:
        """Return the solver, which keeps what it has found."""
        if self._solver is None:
            self._solver = make_solver(game, self.options.memory, ready=True)
        return self._solver
