"""``perfect``: plays a move that keeps what the position is worth, where that can be proved.

It solves the position, by search and with tables, and chooses at random among the best moves. When
time is up before, it plays the move with the best proved bounds, among equals the one that the
solver expects most of. Where only endings are solved it plays like ``engine`` until then, and says
that nothing is proved.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from hansu.agents.agent import Options
from hansu.agents.engine import Engine, is_out_of_reach
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.games.game import Game
from hansu.games.solver import Solver
from hansu.games.state import State
from hansu.options import Range, Threads
from hansu.search.info import SearchInfo
from hansu.search.limits import Budget, Limits, SearchHandle
from hansu.search.solve import MEMORY, THREADS, make_solver, prepare_solver, solve

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
        solver = self._open(start.game)
        prepare_solver(solver, start)
        if is_out_of_reach(start, solver, Budget(seconds=1.0), self.options.threads):
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
        limits = Limits(budget.seconds, nodes=budget.nodes, exact=budget.exact)
        threads, solver = self.options.threads, self._open(state.game)
        if is_out_of_reach(state, solver, budget, threads):
            return self._open_engine().value_moves(state, budget, handle)
        truth = solve(state, limits, handle, threads=threads, solver=solver)
        chance = [self.rng.random() if move.bounds.exact else 0.0 for move in truth.moves]
        ranked = sorted(
            zip(truth.moves, chance, strict=True),
            key=lambda pair: (pair[0].bounds, pair[1]),
            reverse=True,
        )
        return SearchInfo(tuple(move.line() for move, _ in ranked), truth.nodes, truth.seconds)

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
