"""``pure_mc``: flat Monte Carlo. Play many random games after every move; no tree."""

import time
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from hansu.agents.agent import Options
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.games.game import Game
from hansu.games.state import State
from hansu.kernel import gpu
from hansu.options import Count
from hansu.search.info import Line, SearchInfo
from hansu.search.limits import Budget, Limits, SearchHandle
from hansu.search.playout import win_rates

LONGEST = 0.1  # seconds of one call on a GPU


@dataclass(frozen=True)
class PureMcOptions(SearchOptions):
    """How many games, and how they are compared."""

    batches: Count = 30
    batch: Count = 30
    choose: Literal["batch", "mean"] = "batch"  # by (best batch, worst batch), or by the mean
    playout: Literal["light", "heavy"] = "light"
    device: Literal["cpu", "cuda"] = "cpu"  # cuda: a GPU plays many batches at once


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

    def check(self, game: Game) -> None:
        """Raise HansuError if its device is not there."""
        if self.options.device == "cuda":
            gpu.card()

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Play the batches in turn, one for every move, so that a short clock is fair to all."""
        begin, size = time.perf_counter(), int(self.options.batch)
        moves = list(state.legal_moves)
        after = [state.forward(move) for move in moves]
        rates: list[list[float]] = [[] for _ in after]
        most = None if budget.nodes is None else max(1, budget.nodes // size)  # batches

        def rank(found: list[float]) -> tuple[float, ...]:
            mean = _mean(found)
            by_batch = found and self.options.choose == "batch"
            return (max(found), min(found), mean) if by_batch else (mean,)

        def info() -> SearchInfo:
            order = sorted(range(len(after)), key=lambda i: rank(rates[i]), reverse=True)
            lines = (
                Line(moves[i], state.move_text(moves[i]), _mean(rates[i]), len(rates[i]) * size)
                for i in order
            )
            played = size * sum(map(len, rates))
            return SearchInfo(tuple(lines), played, time.perf_counter() - begin)

        on_card = self.options.device == "cuda"
        done, together = 0, 1
        while most is None or done < most:
            index, since = done % len(after), time.perf_counter()
            late = handle.stopped or since - begin > budget.seconds
            asks = on_card or index == 0
            if done and (late or (asks and not handle.go_on(info))):
                break
            count = together if most is None else min(together, most - done)
            for number, rate in enumerate(self._play(after, index, count, state.turn)):
                rates[(index + number) % len(after)].append(rate)
            done += count
            if on_card:
                now = time.perf_counter()
                together = fitting(count, now - since, begin + budget.seconds - now)
        return info()

    def _play(self, after: list[State], index: int, count: int, color: bool) -> list[float]:
        """Return the win rates of so many batches, of the positions in turn from one of them."""
        chosen, seed = self.options, self.rng.getrandbits(63)
        played = [after[(index + number) % len(after)] for number in range(count)]
        return win_rates(played, color, chosen.batch, seed, chosen.playout, chosen.device)


def fitting(count: int, spent: float, left: float) -> int:
    """Return how many batches to play at once on a GPU, after so many took so many seconds.

    The more, the faster; but none takes long, nor much of the time that is left.

    >>> fitting(100, spent=0.001, left=1.0), fitting(100, spent=0.1, left=0.02)
    (200, 10)
    """
    longest = min(LONGEST, left / 2)
    return max(1, min(2 * count, int(count * longest / max(spent, 1e-6))))


def _mean(rates: list[float]) -> float:
    return sum(rates) / len(rates) if rates else 0.0
