"""Exact play of endings, for agents that search otherwise."""

import time
from dataclasses import replace

from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.games.solver import Solver
from hansu.games.state import State
from hansu.search.info import SearchInfo
from hansu.search.limits import Budget, Limits, SearchHandle
from hansu.search.solve import make_solver, prepare_solver, proved_line, solve

MEMORY = 16  # megabytes
NODES = 1_000_000  # a fraction of a second; in positions, so that it does not depend on the machine
SHARE = 0.5  # of the time, at most
LINE = 0.05  # seconds to find how perfect play goes on, in a game


class Endings:
    """Solves the endings of one game, where it has a solver for them."""

    def __init__(self, game: Game, threads: int) -> None:
        self.game, self._threads = game, threads
        self._solver: Solver | None
        try:
            self._solver = make_solver(game, MEMORY, ready=True)
        except HansuError:
            self._solver = None

    def prepare(self, start: State) -> None:
        """Compile the solver."""
        if self._solver is not None:
            prepare_solver(self._solver, start)

    def solve(
        self, state: State, budget: Budget, handle: SearchHandle
    ) -> tuple[SearchInfo | None, Budget]:
        """Return the solution of an ending, or None and what is left of the budget."""
        if self._solver is None or self._solver.expected_nodes(state) > NODES:
            return None, budget
        begin = time.perf_counter()
        limits = Limits(SHARE * budget.seconds, nodes=NODES, exact=budget.exact)
        truth = solve(
            *(state, limits, handle), threads=self._threads, solver=self._solver, all_best=False
        )
        rest = max(0.0, budget.seconds - (time.perf_counter() - begin))
        if truth.solved:
            line = proved_line(state, truth, self._solver, handle, min(rest, LINE), NODES)
            return truth.info(line), budget
        return None, replace(budget, seconds=rest)
