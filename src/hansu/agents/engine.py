"""``engine``: on each game the strongest player that needs no GPU.

It searches with what the game has: a search of its own (othello, microchess), else the shipped
network, else ``mcts``. Where the game has an exact solver, what that proves in time counts: in
solved games almost always, in othello in the ending.
"""

import time
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from hansu.agents.agent import Answer, Options
from hansu.agents.endings import LINE
from hansu.agents.levels import BY_PLAYOUTS, FULL, Level, LevelNumber, level
from hansu.agents.mcts import MctsAgent
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.agents.self_learning import SelfLearning
from hansu.errors import HansuError
from hansu.games.depth_search import DepthSearch
from hansu.games.game import Game
from hansu.games.solver import NoRoom, Solver
from hansu.games.state import RESIGN, State
from hansu.learning.model import SHIPPED, model_path
from hansu.options import Count, Range, Seconds, Threads
from hansu.search.deepening import deepen
from hansu.search.info import Line, SearchInfo
from hansu.search.limits import Budget, Limits, SearchHandle
from hansu.search.solve import (
    MEMORY,
    THREADS,
    make_solver,
    prepare_solver,
    proved_line,
    solve,
)
from hansu.search.truth import KnownMove, Truth

MOST_NODES = 10**9  # of an ending that is tried without a limit: some minutes
PACE = 8e6  # positions a second and thread at most, to guess whether an ending can be solved
MUCH, FEW_NODES = 3, 200_000  # times what a short search has visited: less is always tried
FIRST_LOOK = 0.15  # of the time: a search before an ending is solved, for the order of moves
LONGEST_LOOK = 1.0  # seconds
PROOF = 0.5  # of the time, for the solver of a game that is solved from its start
FORCED = 0.01  # seconds for the only move, where time is kept for later
AT_ONCE = 1.0  # seconds: a level takes no longer, however large the board
PREPARED = 3  # plies that are searched before the first game

Megabytes = Annotated[int, Range(2, 2**20, "megabytes")]


@dataclass(frozen=True)
class EngineOptions(SearchOptions):
    """What the engine may use."""

    level: LevelNumber = FULL  # 1 to 9 are weaker, and play at once: see ``levels``
    search_time: Seconds = 10.0  # seconds; never more than the fair share of the clock
    nodes: Count | None = None  # the same work on every machine
    memory: Megabytes = MEMORY  # for its transposition tables, half of it for each
    threads: Threads = THREADS


class Engine(SearchAgent):
    """The strongest player of each game: its search and its exact solver together."""

    Options: ClassVar[type[Options]] = EngineOptions
    depth_search: DepthSearch | None = None  # the game's own search, or
    searcher: SearchAgent | None = None  # the agent that searches where it has none
    solver: Solver | None = None
    _opened: Game | None = None

    @property
    def plays_at_once(self) -> bool:
        """Whether it plays below full strength."""
        return bool(self.options.level < FULL)

    def reset(self) -> None:
        """Begin a new game."""
        if self.searcher is not None:
            self.searcher.reset()

    def prepare(self, start: State) -> None:
        """Load and compile all searches."""
        self._open(start.game)
        if self.searcher is not None:
            self.searcher.prepare(start)
        full = self.options.level == FULL
        if full and self.solver is not None:
            prepare_solver(self.solver, start)
        if self.depth_search is not None:  # to its end: what was found is shown by compiled code
            deepen(start, self.depth_search, Budget(depth=PREPARED), SearchHandle())
        super().prepare(start)
        self.reset()

    def release(self) -> None:
        """Free the memory."""
        if self.searcher is not None:
            self.searcher.release()
        self.depth_search = self.searcher = self.solver = self._opened = None

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Search, and solve where that can be done in time."""
        self._open(state.game)
        if self.options.level < FULL:
            return self._search_at_level(state, budget, handle)
        if budget.thrifty and len(list(state.legal_moves)) == 1:
            budget = replace(budget, seconds=min(budget.seconds, FORCED))
        if self.solver is None or is_out_of_reach(state, self.solver, budget, self.options.threads):
            return self._look(state, budget, handle)
        if not self.solver.endings_only:
            return self._prove_then_look(state, budget, handle)
        return self._look_then_prove(state, budget, handle, self.solver.expected_nodes(state))

    def choose(self, state: State, limits: Limits, handle: SearchHandle) -> Answer:
        """Search and play the best move; below full strength, one that looks good to the level."""
        answer = super().choose(state, limits, handle)
        if self.options.level == FULL or answer.move is RESIGN:
            return answer
        assert answer.info is not None
        return answer._replace(move=self._level(state.game).choose(answer.info, self.rng))

    def _level(self, game: Game) -> Level:
        family = BY_PLAYOUTS if isinstance(self.searcher, MctsAgent) else game.name
        return level(family, self.options.level)

    def _search_at_level(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Search no further than the level does, and remember nothing."""
        chosen = self._level(state.game)
        few = replace(
            budget,
            seconds=min(budget.seconds, AT_ONCE),
            nodes=_least(budget.nodes, chosen.nodes),
            depth=_least(budget.depth, chosen.depth),
            exact=True,
        )
        if self.depth_search is not None:
            return deepen(state, self.depth_search, few, handle)
        assert self.searcher is not None
        self.searcher.reset()
        return self._look(state, few, handle)

    def _look(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Search without proof."""
        if self.depth_search is not None:
            return deepen(state, self.depth_search, budget, handle, self.options.threads)
        assert self.searcher is not None
        self.searcher.rng = self.rng
        return self.searcher.value_moves(state, budget, handle)

    def _look_then_prove(
        self, state: State, budget: Budget, handle: SearchHandle, expected: float
    ) -> SearchInfo:
        """Solve an ending, with the moves in the order of a short search.

        That tells how fast this machine is now: if it is too slow to prove anything in time, the
        search goes on instead.
        """
        end = time.perf_counter() + budget.seconds
        seconds = min(FIRST_LOOK * budget.seconds, LONGEST_LOOK)
        nodes = None if budget.nodes is None else max(1, int(FIRST_LOOK * budget.nodes))
        guess = self._look(state, replace(budget, seconds=seconds, nodes=nodes), handle)
        rest = rest_of(budget, end, guess.nodes)
        too_slow = expected * guess.seconds > rest.seconds * guess.nodes
        if too_slow and expected > max(MUCH * guess.nodes, FEW_NODES):
            guess = self._look(state, rest, handle)
            rest = rest_of(rest, end, guess.nodes)
            if rest.seconds < seconds:
                return guess  # else the search has reached the end of the game
        truth = self._prove(state, rest, handle, guess)
        line = self._line(state, truth, rest_of(rest, end, truth.nodes), handle)
        return _together(truth, guess, line)

    def _prove_then_look(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Solve a position; if that takes too long, search with the rest of the time."""
        end = time.perf_counter() + budget.seconds
        nodes = None if budget.nodes is None else max(1, int(PROOF * budget.nodes))
        half = replace(budget, seconds=PROOF * budget.seconds, nodes=nodes)
        truth = self._prove(state, half, handle, None)
        rest = rest_of(budget, end, truth.nodes)
        if truth.solved:
            return truth.info(self._line(state, truth, rest, handle))
        return self.look_further(state, truth, rest, handle)

    def look_further(
        self, state: State, truth: Truth, budget: Budget, handle: SearchHandle
    ) -> SearchInfo:
        """Search a position of which too little is proved; what is proved stays so."""
        self._open(state.game)
        return _together(truth, self._look(state, budget, handle), ())

    def _prove(
        self, state: State, budget: Budget, handle: SearchHandle, guess: SearchInfo | None
    ) -> Truth:
        return solve(
            state,
            Limits(budget.seconds, nodes=budget.nodes, exact=budget.exact),
            handle,
            threads=self.options.threads,
            solver=self.solver,
            all_best=budget.exact,
            order=[line.move for line in guess.lines] if guess else (),
        )

    def _line(
        self, state: State, truth: Truth, rest: Budget, handle: SearchHandle
    ) -> tuple[str, ...]:
        assert self.solver is not None
        return proved_line(state, truth, self.solver, handle, line_seconds(rest), rest.nodes)

    def _open(self, game: Game) -> None:
        if self._opened == game:
            return
        self.release()
        half = self.options.memory // 2
        try:
            self.solver = make_solver(game, half, ready=self.options.level == FULL)
        except NoRoom:  # the game has a solver
            raise
        except HansuError:
            self.solver = None
        self.depth_search = self._own_search(game, half)
        if self.depth_search is None:
            self.searcher = _searcher(game, self.options.level == FULL, self.options.threads)
            self.searcher.game = game
        self._opened = game

    def _own_search(self, game: Game, memory: int) -> DepthSearch | None:
        """Return the game's own search; None where it has none, or its levels go without."""
        try:
            search = game.make_depth_search(memory, self.solver)
        except NoRoom:
            raise
        except HansuError:
            return None
        if self.options.level < FULL and level(game.name, self.options.level).depth is None:
            return None
        return search


def is_out_of_reach(state: State, solver: Solver, budget: Budget, threads: int) -> bool:
    """Return whether a solver of a part of a game can hardly prove this position in time."""
    if not solver.endings_only:
        return not solver.is_near(state)
    most = min(PACE * threads * budget.seconds, budget.nodes or MOST_NODES)
    return solver.expected_nodes(state) > most


def _least(*limits: int | None) -> int | None:
    """Return the smallest limit; None is no limit."""
    return min((limit for limit in limits if limit is not None), default=None)


def rest_of(budget: Budget, end: float, nodes: int) -> Budget:
    """Return what is left of a budget."""
    seconds = max(0.0, end - time.perf_counter())
    left = None if budget.nodes is None else max(1, budget.nodes - nodes)
    return replace(budget, seconds=seconds, nodes=left)


def line_seconds(rest: Budget) -> float:
    """Return how long to look for the moves after a proved one: briefly in a game."""
    return min(rest.seconds, LINE) if rest.thrifty or rest.for_move else rest.seconds


def _searcher(game: Game, full: bool, threads: int) -> SearchAgent:
    """Return the strongest agent for a game without a search of its own; for levels, plain MCTS."""
    try:
        model_path(SHIPPED, game)
    except HansuError:
        return MctsAgent("engine", **(game.mcts_strongest if full else {}))
    return SelfLearning("engine", endings=False, threads=threads)


def _together(truth: Truth, guess: SearchInfo, variation: tuple[str, ...]) -> SearchInfo:
    """Return what is proved, and what is expected of the other moves; best first."""
    expected = {line.move: line for line in guess.lines}
    place = {line.move: -at for at, line in enumerate(guess.lines)}
    best = truth.moves[0].move

    def rank(known: KnownMove) -> tuple[float, ...]:
        is_best = truth.solved and known.move == best
        # A move that is proved to win comes before all others, one that is proved to lose after.
        proof = 0.0 if known.value is None else (known.value > 0.5) - (known.value < 0.5)
        if not proof and known.bounds.upper < truth.bounds.lower:
            proof = -0.5  # another one is proved to be better
        return is_best, proof, known.bounds.lower if proof else 0, place[known.move]

    def line(known: KnownMove) -> Line:
        guessed = expected[known.move]
        if known.value is None:
            return guessed
        proved = replace(known.line(), variation=guessed.variation, visits=guessed.visits)
        return replace(proved, variation=variation) if known.move == best and variation else proved

    ranked = sorted(truth.moves, key=rank, reverse=True)
    nodes, seconds = guess.nodes + truth.nodes, guess.seconds + truth.seconds
    return SearchInfo(tuple(map(line, ranked)), nodes, seconds, guess.depth)
