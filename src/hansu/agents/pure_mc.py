"""``pure_mc``: flat Monte Carlo. Play many random games after every move; no tree."""

import itertools
import math
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from hansu.agents.agent import Options
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.games.state import State
from hansu.options import Count
from hansu.search.info import Line, SearchInfo
from hansu.search.limits import Budget, Limits, Pacer, SearchHandle
from hansu.search.playout import win_rate

SLICE = 32  # games between two looks at the clock


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
        pacer, moves = Pacer(budget, handle), list(state.legal_moves)
        rates: list[list[float]] = [[] for _ in moves]
        games = [0] * len(moves)
        most = math.inf if budget.nodes is None else budget.nodes
        size = int(max(1, min(self.options.batch, most // len(moves))))

        def rank(found: list[float]) -> tuple[float, ...]:
            mean = _mean(found)
            by_batch = found and self.options.choose == "batch"
            return (max(found), min(found), mean) if by_batch else (mean,)

        def info() -> SearchInfo:
            order = sorted(range(len(moves)), key=lambda i: rank(rates[i]), reverse=True)
            lines = (
                Line(moves[i], state.move_text(moves[i]), _mean(rates[i]), games[i]) for i in order
            )
            return SearchInfo(tuple(lines), sum(games), pacer.elapsed)

        def play(index: int) -> bool:
            """Play a batch; of one that the clock cuts only a move's first counts."""
            after, won, played = state.forward(moves[index]), 0.0, 0
            while played < size:
                if sum(games) + played and pacer.ends():
                    break
                some = min(SLICE, size - played)
                seed = self.rng.getrandbits(63)
                won += some * win_rate(after, state.turn, some, seed, self.options.playout)
                played += some
            if played == size or (played and not rates[index]):
                rates[index].append(won / played)
                games[index] += played
            return played == size

        for number in itertools.count():
            index = number % len(moves)
            if number and (number + 1) * size > most:
                break
            if number and index == 0 and not handle.go_on(info):
                break
            if not play(index):
                break
        return info()


def _mean(rates: list[float]) -> float:
    return sum(rates) / len(rates) if rates else 0.0
