"""Solve a position: what every move is worth under perfect play, or within which bounds.

The root's score is found by null-window tests (is any move worth more than this?), moves in threads
side by side. Then every other move is tested against the best one, and with ``exact`` solved too.
Whenever it is stopped, all bounds found so far hold.
"""

import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.games.solver import BEYOND, Bounds, Solver, Work
from hansu.games.state import State, check_state
from hansu.search.limits import UNLIMITED, Limits, SearchHandle
from hansu.search.truth import KnownMove, Truth

MEMORY = 64  # megabytes of a transposition table
THREADS = min(2, os.cpu_count() or 1)
UNLIMITED_NODES = 2**62
REPLY_NODES = 200_000  # for the next move of a proved line, at first
POLL = 0.02  # seconds between two looks at threads
PART = 0.7  # of the time that is left


def make_solver(game: Game, memory: int = MEMORY, ready: bool = False) -> Solver:
    """Return a game's exact solver with so many megabytes; raises HansuError if it has none.

    A solver that is ``ready`` has its memory: a search with little time must not wait for it, page
    by page.
    """
    made = game.make_solver(memory)
    if ready and made.table is not None:
        made.table.fill(0)
    return made


def solve(
    state: State,
    limits: Limits = UNLIMITED,
    handle: SearchHandle | None = None,
    *,
    memory: int = MEMORY,
    threads: int = THREADS,
    solver: Solver | None = None,
    all_best: bool = True,
    order: Sequence[Any] = (),
) -> Truth:
    """Return what perfect play is worth in a position: the value, the score and the best moves.

    Without limits it searches until that is known; ``Limits(exact=True)`` asks for the exact score
    of every move. A solver that is passed keeps what it has found for the next position.
    ``memory`` is in megabytes. Without ``all_best`` it ends as soon as one best move is proved.
    ``order`` are the moves, the most promising first, if the caller knows better than the solver.

    >>> import hansu
    >>> truth = hansu.solve(hansu.game("connect4").parse("44444415156222666"))
    >>> truth.value, truth.score, truth.plies, truth.best
    (1.0, 4, 19, ('2',))
    """
    check_state(state)
    if state.is_game_over():
        raise HansuError(f"there is nothing to solve: the game is over, {state.outcome()}")
    if solver is None:
        solver = make_solver(state.game, memory, ready=limits.seconds is not None)
    search = _Root(state, solver, limits, handle, threads, order)
    search.run(limits.exact, all_best or limits.exact)
    return search.truth()


def prepare_solver(solver: Solver, start: State) -> None:
    """Compile what a solver may need in a game from a position, off the clock."""
    if not start.is_game_over():
        solve(start, Limits(nodes=1), threads=1, solver=solver)
    solver.prepare(start)


def proved_line(
    state: State,
    truth: Truth,
    solver: Solver,
    handle: SearchHandle | None = None,
    seconds: float = math.inf,
    nodes: int | None = None,
) -> tuple[str, ...]:
    """Return how perfect play goes on from a solved position, as far as the limits allow.

    >>> import hansu
    >>> state = hansu.game("connect4").parse("44444415156222666")
    >>> solver = make_solver(state.game)
    >>> len(proved_line(state, solve(state, solver=solver), solver))
    19
    """
    if not truth.solved:
        return ()
    end, allowed = time.perf_counter() + seconds, nodes or UNLIMITED_NODES
    enough = REPLY_NODES
    texts, now = [truth.moves[0].text], state.forward(truth.moves[0].move)
    while not now.is_game_over() and not (handle and handle.stopped):
        left = end - time.perf_counter()
        if left <= 0 or allowed <= 0:
            break
        limits = Limits(None if left == math.inf else left, nodes=min(enough, allowed))
        reply = solve(now, limits, threads=1, solver=solver, all_best=False)
        allowed -= reply.nodes
        if not reply.solved:
            enough *= 2
            continue
        texts.append(reply.moves[0].text)
        now.push(reply.moves[0].move)
    return tuple(texts)


class _Child:
    """A move, and what is known of the position after it."""

    def __init__(self, state: State, move: Any, solver: Solver, most: int) -> None:
        self.move, self.state, self._solver = move, state.forward(move), solver
        known = -solver.bounds(self.state)  # for the side that moves
        self.bounds = Bounds(known.lower, min(known.upper, most))
        self._lock = threading.Lock()

    def narrow(self, window: Bounds, work: Work) -> bool:
        """Search it; return whether that narrowed the bounds."""
        before = self.bounds
        found = -self._solver.narrow(self.state, -before, -window, work)
        with self._lock:
            self.bounds &= found
        return self.bounds != before

    def known(self, state: State) -> KnownMove:
        """Return what is known."""
        plies = None
        if self.bounds.exact:
            plies = 0 if self.state.is_game_over() else self._plies()
        later = None if plies is None else plies + 1
        return KnownMove(self.move, state.move_text(self.move), self.bounds, later)

    def _plies(self) -> int | None:
        return self._solver.plies(self.state, -self.bounds.lower)


class _Team:
    """The workers that narrow some moves, until all decide a window or it is enough."""

    def __init__(
        self, solver: Solver, waiting: list[_Child], window: Bounds, enough: Callable[[], bool]
    ) -> None:
        self.workers: list[_Worker] = []
        self.window = window
        self._solver, self._waiting, self._enough = solver, waiting, enough
        self.few = solver.few
        self._queue = deque(waiting)

    def next_child(self) -> _Child | None:
        """Return a move to narrow: of those that wait, or together with the others the first."""
        if self._solver.shares_work:
            return next((one for one in self._waiting if not one.bounds.decide(self.window)), None)
        try:
            return self._queue.popleft()
        except IndexError:
            return None

    def test(self, child: _Child) -> Bounds:
        """Return the window to search a move with: those who search together ask one question."""
        if not self._solver.shares_work:
            return self.window
        than = self._solver.next_test(child.bounds & self.window)
        return Bounds(than, than + 1)

    def tell(self, child: _Child) -> None:
        """Let all know that something new was found about a move."""
        if self._enough():
            self.cut()
        for worker in self.workers:
            if worker.child is child:
                worker.interrupt()

    def cut(self) -> None:
        """End all soon; from any thread."""
        for worker in self.workers:
            worker.cut()


class _Worker(threading.Thread):
    """Narrows moves, with others.

    On a busy machine nobody may be awake in time to stop it. So it allows itself only as many
    positions as it can search in a part of the time that is left, again and again: what a search
    has found so far is in the transposition table.
    """

    def __init__(self, team: _Team, most: int, end: float) -> None:
        super().__init__(name="solver", daemon=True)
        self._few = team.few
        self.error: BaseException | None = None
        self.child: _Child | None = None
        self._team, self._most, self._end = team, most, end
        self._work, self._is_cut = np.zeros(2, np.int64), False

    @property
    def nodes(self) -> int:
        """The positions that it has searched."""
        return min(int(self._work[0]), self._most)

    def cut(self) -> None:
        """End soon; from any thread."""
        self._is_cut = True
        self._work[1] = -1

    def interrupt(self) -> None:
        """Look again soon at what there is to do; from any thread."""
        self._work[1] = -1

    def run(self) -> None:
        """Search until nothing is left to do, time or positions are used up, or it is cut."""
        begin = time.perf_counter()
        try:
            while (child := self._team.next_child()) is not None:
                self.child = child
                while not child.bounds.decide(self._team.window):
                    now = time.perf_counter()
                    if now >= self._end or self._work[0] >= self._most:
                        return
                    self._work[1] = self._most
                    if self._end < math.inf:
                        pace = int(self._work[0]) / (now - begin)
                        share = max(self._few, int(pace * PART * (self._end - now)))
                        self._work[1] = min(self._most, int(self._work[0]) + share)
                    if self._is_cut:  # before or after this allowance
                        return
                    if child.narrow(self._team.test(child), self._work):
                        self.child = None  # which need not be interrupted
                        self._team.tell(child)
                        self.child = child
        except BaseException as error:
            self.error = error


class _Root:
    """The search of one position."""

    def __init__(
        self,
        state: State,
        solver: Solver,
        limits: Limits,
        handle: SearchHandle | None,
        threads: int,
        order: Sequence[Any],
    ) -> None:
        self._begin = time.perf_counter()
        self._state, self._handle, self._threads = state, handle or SearchHandle(), threads
        self._solver = solver
        self._end = self._begin + (math.inf if limits.seconds is None else limits.seconds)
        self._most_nodes = limits.nodes or UNLIMITED_NODES
        self._nodes = 0
        self._known = solver.bounds(state)
        moves = order or solver.order(state)
        self.children = [_Child(state, move, solver, self._known.upper) for move in moves]

    @property
    def bounds(self) -> Bounds:
        """The bounds of the root's score."""
        return self._known & Bounds(
            max(child.bounds.lower for child in self.children),
            max(child.bounds.upper for child in self.children),
        )

    def truth(self) -> Truth:
        """Return what is proved so far, best moves first."""
        ranked = sorted(self.children, key=lambda child: child.bounds, reverse=True)
        moves = tuple(child.known(self._state) for child in ranked)
        return Truth(moves, self._nodes, time.perf_counter() - self._begin, self._known)

    def run(self, exact: bool, all_best: bool) -> None:
        """Solve the position, then find every best move, then with ``exact`` solve every move."""
        known = self.bounds.lower
        if known > max(child.bounds.lower for child in self.children) and not self._test(known):
            return  # what a book tells of the position before is often the score
        while not self.bounds.exact:
            if not self._test(self._solver.next_test(self.bounds)):
                return
        best = self.bounds.lower
        if not self._test(best - 1):  # where the score was known, but not the move
            return
        if all_best and self._narrow(Bounds(best - 1, best)) and exact:
            self._narrow(Bounds(-BEYOND, best))

    def _test(self, than: int) -> bool:
        """Find out whether any move is worth more; False when stopped."""
        window = Bounds(than, than + 1)
        return self._narrow(window, lambda: any(one.bounds.lower > than for one in self.children))

    def _narrow(self, window: Bounds, enough: Callable[[], bool] = lambda: False) -> bool:
        """Narrow every move until all decide the window, or it is enough; False when stopped.

        Many positions are solved at once; searches of more than a few run in threads, which can be
        stopped.
        """
        work = np.zeros(2, np.int64)
        for child in self.children:
            if enough():
                return True
            if self._is_stopped():
                return False
            if not child.bounds.decide(window):
                allowed = min(self._solver.few, self._most_nodes - self._nodes)
                work[:] = 0, allowed
                child.narrow(window, work)
                self._nodes += min(int(work[0]), allowed)
        waiting = [child for child in self.children if not child.bounds.decide(window)]
        if not waiting or enough():
            return True
        return self._narrow_in_threads(waiting, window, enough)

    def _narrow_in_threads(
        self, waiting: list[_Child], window: Bounds, enough: Callable[[], bool]
    ) -> bool:
        shared = self._solver.shares_work
        count, before = self._threads if shared else min(self._threads, len(waiting)), self._nodes
        most = (self._most_nodes - before) // count
        team = _Team(self._solver, waiting, window, enough)
        team.workers = workers = [_Worker(team, most, self._end) for _ in range(count)]
        with self._handle.on_stop(team.cut):
            try:
                for worker in workers:
                    worker.start()
                while any(worker.is_alive() for worker in workers):
                    next(filter(_Worker.is_alive, workers), workers[0]).join(POLL)
                    self._nodes = before + sum(worker.nodes for worker in workers)
                    if enough() or self._is_stopped():
                        team.cut()
            except BaseException:
                team.cut()
                raise
        self._nodes = before + sum(worker.nodes for worker in workers)
        for worker in workers:
            if worker.error is not None:
                raise worker.error
        return enough() or all(child.bounds.decide(window) for child in waiting)

    def _is_stopped(self) -> bool:
        if time.perf_counter() >= self._end or self._nodes >= self._most_nodes:
            return True
        return not self._handle.go_on(lambda: self.truth().info())
