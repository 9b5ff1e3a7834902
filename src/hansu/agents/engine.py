"""``engine``: on each game the strongest player that needs no GPU.

Where a game has a search of its own (othello), it deepens that and solves the ending exactly as
soon as that fits into the time. Where the whole game is solved it plays ``perfect``, elsewhere
``self_learning`` with the shipped network, or ``mcts`` where there is none.
"""

import time
from dataclasses import dataclass, replace
from typing import ClassVar

from hansu.agents.agent import Options
from hansu.agents.mcts import MctsAgent
from hansu.agents.perfect import Megabytes, Perfect, Threads
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.agents.self_learning import SelfLearning
from hansu.errors import HansuError
from hansu.games.depth_search import DepthSearch
from hansu.games.game import Game
from hansu.games.solver import Solver
from hansu.games.state import State
from hansu.learning.model import SHIPPED, find_model
from hansu.options import Seconds
from hansu.search.deepening import deepen
from hansu.search.info import Line, SearchInfo
from hansu.search.limits import Budget, Limits, SearchHandle
from hansu.search.solve import MEMORY, THREADS, make_solver, solve
from hansu.search.truth import KnownMove, Truth

PACE = 6e6  # positions a second, to guess whether an ending can be solved
FIRST_LOOK = 0.15  # of the time: a search before the ending is solved, for the order of moves
LONGEST_LOOK = 1.0  # seconds
FORCED = 0.01  # seconds for the only move, where time is kept for later
REPLY_NODES = 200_000  # to find the next move of a proved variation


@dataclass(frozen=True)
class EngineOptions(SearchOptions):
    """What the engine may use."""

    search_time: Seconds = 10.0  # seconds; never more than the fair share of the clock
    memory: Megabytes = MEMORY  # for its transposition tables
    threads: Threads = THREADS


class Engine(SearchAgent):
    """The strongest player of each game."""

    Options: ClassVar[type[Options]] = EngineOptions
    counts_depth: ClassVar[bool] = True
    _player: SearchAgent | None = None

    def check(self, game: Game) -> None:
        """Choose the player, so that what it lacks is said at once."""
        self._open(game)

    def reset(self) -> None:
        """Begin a new game."""
        if self._player is not None:
            self._player.reset()

    def prepare(self, start: State) -> None:
        """Compile what the player uses."""
        self._open(start.game).prepare(start)

    def release(self) -> None:
        """Free its memory."""
        if self._player is not None:
            self._player.release()
        self._player = None

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Let the game's player search."""
        player = self._open(state.game)
        player.rng = self.rng
        return player.value_moves(state, budget, handle)

    def _open(self, game: Game) -> SearchAgent:
        if self._player is None or self._player.game != game:
            self._player = _strongest(game, self.options)
            self._player.game = game
        return self._player


def _strongest(game: Game, options: EngineOptions) -> SearchAgent:
    """Return the strongest player of a game."""
    try:
        return DeepeningPlayer(game, options)
    except HansuError:
        pass
    try:
        if not make_solver(game, 1).endings_only:
            return Perfect("engine", memory=options.memory, threads=options.threads)
    except HansuError:
        pass
    try:
        find_model(SHIPPED, game)
        return SelfLearning("engine")
    except HansuError:
        return MctsAgent("engine")


class DeepeningPlayer(SearchAgent):
    """Deepens a game's own search, and solves its endings."""

    def __init__(self, game: Game, options: EngineOptions) -> None:
        super().__init__("engine")
        self._threads = options.threads
        half = max(1, options.memory // 2)
        self._search: DepthSearch = game.make_depth_search(half)
        self._solver: Solver = make_solver(game, half, ready=True)

    def prepare(self, start: State) -> None:
        """Compile both searches."""
        super().prepare(start)
        if not start.is_game_over():
            solve(start, Limits(nodes=1), threads=1, solver=self._solver)

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Search; then solve an ending that can be solved in time."""
        begin, expected = time.perf_counter(), self._solver.expected_nodes(state)
        if budget.thrifty and len(state.legal_moves) == 1:
            budget = replace(budget, seconds=min(budget.seconds, FORCED))
        if expected > PACE * self._threads * budget.seconds or budget.depth is not None:
            return deepen(state, self._search, budget, handle, self._threads)
        first_look = min(FIRST_LOOK * budget.seconds, LONGEST_LOOK, expected / PACE)
        looked = replace(budget, seconds=first_look)
        guess = deepen(state, self._search, looked, handle, self._threads)
        left = budget.seconds - (time.perf_counter() - begin)
        truth = solve(
            state,
            Limits(max(0.0, left), nodes=budget.nodes, exact=budget.exact),
            handle,
            threads=self._threads,
            solver=self._solver,
            all_best=budget.exact,
            order=[line.move for line in guess.lines],
        )
        end = begin + budget.seconds
        return _together(truth, guess, self._variation(state, truth, end))

    def _variation(self, state: State, truth: Truth, end: float) -> tuple[str, ...]:
        """Return the proved line that begins with the best move, as far as it is found at once."""
        if truth.score is None:
            return ()
        now, texts = state.forward(truth.moves[0].move), [truth.moves[0].text]
        while not now.is_game_over() and time.perf_counter() < end:
            limits = Limits(end - time.perf_counter(), nodes=REPLY_NODES)
            reply = solve(now, limits, threads=1, solver=self._solver, all_best=False)
            if reply.score is None:
                break
            texts.append(reply.moves[0].text)
            now.push(reply.moves[0].move)
        return tuple(texts)


def _together(truth: Truth, guess: SearchInfo, variation: tuple[str, ...]) -> SearchInfo:
    """Return what is proved, and what is expected of the other moves; best first."""
    expected = {line.move: line for line in guess.lines}
    best = truth.moves[0].move

    def rank(known: KnownMove) -> tuple[float, ...]:
        value = expected[known.move].value if known.value is None else known.value
        proved_best = truth.score is not None and known.move == best
        return proved_best, value, known.bounds.lower, expected[known.move].value

    def line(known: KnownMove) -> Line:
        guessed = expected[known.move]
        if known.value is None:
            return guessed
        proved = replace(known.line(), variation=guessed.variation)
        return replace(proved, variation=variation) if known.move == best and variation else proved

    ranked = sorted(truth.moves, key=rank, reverse=True)
    nodes, seconds = guess.nodes + truth.nodes, guess.seconds + truth.seconds
    return SearchInfo(tuple(map(line, ranked)), nodes, seconds, guess.depth)
