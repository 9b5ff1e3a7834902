"""``pure_mc``: flat Monte Carlo. Play many random games after every move; no tree."""

import itertools
import math
import time
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from hansu.agents.agent import Options
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.games.state import State
from hansu.options import Count
from hansu.search.info import Line, SearchInfo
from hansu.search.limits import Budget, Limits, SearchHandle
from hansu.search.playout import win_rate


@dataclass(frozen=True)
class PureMcOptions(SearchOptions):
    """How many games, and how they are compared."""

    batches: Count = 30
    batch: Count = 30
    choose: Literal["batch", "mean"] = "batch"  # by (best batch, worst batch), or by the mean
    playout: Literal["light", "heavy"] = "light"


class PureMc(SearchAgent):
    """Flat Monte Carlo: batches of random games for every move, no tree."""

    Options: ClassVar[type[Options]] = PureMcOptions

    def bounded(self, state: State, limits: Limits) -> Budget:
        """Count the batches of every move as games."""
        found = super().bounded(state, limits)
        if self.is_asked(limits) and "batches" not in self.options_set:
            return found
        games = self.options.batches * self.options.batch * len(state.move_ids())
        return replace(found, nodes=games if found.nodes is None else min(found.nodes, games))

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Play the batches in turn, one for every move, so that a short clock is fair to all."""
        begin, size = time.perf_counter(), int(self.options.batch)
        after = [(move, state.forward(move)) for move in state.legal_moves]
        rates: list[list[float]] = [[] for _ in after]
        most = math.inf if budget.nodes is None else budget.nodes

        def rank(found: list[float]) -> tuple[float, ...]:
            mean = _mean(found)
            by_batch = found and self.options.choose == "batch"
            return (max(found), min(found), mean) if by_batch else (mean,)

        def info() -> SearchInfo:
            order = sorted(range(len(after)), key=lambda i: rank(rates[i]), reverse=True)
            lines = (
                Line(move, state.move_text(move), _mean(rates[i]), len(rates[i]) * size)
                for i, (move, _) in ((i, after[i]) for i in order)
            )
            played = size * sum(map(len, rates))
            return SearchInfo(tuple(lines), played, time.perf_counter() - begin)

        for number in itertools.count():
            index = number % len(after)
            late = handle.stopped or time.perf_counter() - begin > budget.seconds
            if number and (late or (number + 1) * size > most):
                break
            if number and index == 0 and not handle.go_on(info):
                break
            seed = self.rng.getrandbits(63)
            rate = win_rate(after[index][1], state.turn, size, seed, self.options.playout)
            rates[index].append(rate)
        return info()


def _mean(rates: list[float]) -> float:
    return sum(rates) / len(rates) if rates else 0.0
