"""Iterative deepening of a game's own ``DepthSearch``, in threads that share its memory."""

import math
import threading
import time
from typing import Any

import numpy as np

from hansu.games.depth_search import DepthSearch, MoveValue
from hansu.games.state import State
from hansu.kernel.tiers import interpret_first, is_interpreting
from hansu.search.info import SHOWN, Line, SearchInfo
from hansu.search.limits import Budget, SearchHandle

POLL = 0.01  # seconds between two looks at threads
UNLIMITED_NODES = 2**62
NEXT = 0.45  # of the time: later, the next depth would hardly end in time


class _Deepener(threading.Thread):
    """Searches to depth 1, 2, 3 … until it is cut. A helper begins a depth further."""

    def __init__(
        self, state: State, search: DepthSearch, first: int, most: int, exact: bool
    ) -> None:
        super().__init__(name="deepening", daemon=True)
        self.error: BaseException | None = None
        self.work = np.array([0, UNLIMITED_NODES], np.int64)
        self.found: list[MoveValue] = []  # best first
        self.depth = 0
        self._state, self._search, self._exact = state.copy(), search, exact
        self._first, self._most = first, most
        self._interprets = is_interpreting()

    def run(self) -> None:
        """Deepen; what the last depth has found before it is cut counts, if it is better."""
        try:
            with interpret_first(self._interprets):
                self._deepen()
        except BaseException as error:
            self.error = error

    def _deepen(self) -> None:
        order = list(self._state.legal_moves)
        for depth in range(self._first, self._most + 1):
            tried = self._search.value_moves(self._state, depth, order, self._exact, self.work)
            if not tried:
                return
            tried.sort(key=lambda one: (one.value, one.exact), reverse=True)
            known = {one.move for one in tried}
            rest = [one for one in self.found if one.move not in known]
            self.found = [*tried, *(one._replace(exact=False) for one in rest)]
            if self.work[0] > self.work[1]:
                return
            self.depth = depth
            order = [one.move for one in self.found]


def deepen(
    state: State, search: DepthSearch, budget: Budget, handle: SearchHandle, threads: int = 1
) -> SearchInfo:
    """Return every move with its win probability, best first, within a budget."""
    begin = time.perf_counter()
    end = begin + budget.seconds
    if budget.for_move:
        search = search.for_move()
    deepest = search.deepest(state)
    most = min(budget.depth or deepest, deepest)
    main = _Deepener(state, search, 1, most, budget.exact)
    if budget.nodes is not None:
        main.work[1], threads = budget.nodes, 1
    helpers = [_Deepener(state, search.helper(), 2, most, budget.exact) for _ in range(threads - 1)]

    def cut() -> None:
        for one in (main, *helpers):
            one.work[1] = -1

    def info() -> SearchInfo:
        nodes = sum(int(one.work[0]) for one in (main, *helpers))
        if budget.nodes is not None:
            nodes = min(nodes, budget.nodes)
        return _info(state, search, main, nodes, time.perf_counter() - begin)

    with handle.on_stop(cut):
        try:
            for one in (main, *helpers):
                one.start()
            depth = 0
            while main.is_alive():
                left = end - time.perf_counter()
                main.join(max(0.0, min(POLL, left)))
                if main.depth > depth:
                    depth, used = main.depth, time.perf_counter() - begin
                    if budget.thrifty and used > NEXT * budget.seconds:
                        break
                if left <= 0 or (main.found and not handle.go_on(info)):
                    break
        finally:
            cut()
            for one in (main, *helpers):
                one.join()
    for one in (main, *helpers):
        if one.error is not None:
            raise one.error
    return info()


def _info(
    state: State, search: DepthSearch, main: _Deepener, nodes: int, seconds: float
) -> SearchInfo:
    found = list(main.found)
    known = {one.move for one in found}
    missing = (move for move in state.legal_moves if move not in known)
    found += [MoveValue(move, -math.inf, False) for move in missing]
    lines = (_line(state, search, one, at) for at, one in enumerate(found))
    return SearchInfo(tuple(lines), nodes, seconds, main.depth)


def _line(state: State, search: DepthSearch, one: MoveValue, at: int) -> Line:
    value = search.win_probability(state, one.value) if math.isfinite(one.value) else 0.0
    then: list[Any] = []
    if at < SHOWN:
        now = state.forward(one.move)
        for move in search.variation(now, state.game.max_turns):
            then.append(now.move_text(move))
            now.push(move)
    text = state.move_text(one.move)
    return Line(one.move, text, value, variation=(text, *then))
