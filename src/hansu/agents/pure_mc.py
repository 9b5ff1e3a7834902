"""``pure_mc``: flat Monte Carlo. Play many random games after every move; no tree."""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from hansu.agents.agent import Options
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.games.game import Game
from hansu.games.state import State
from hansu.kernel import gpu
from hansu.options import Count
from hansu.search.info import Line, SearchInfo
from hansu.search.limits import Budget, Limits, Pacer, SearchHandle
from hansu.search.playout import win_rates

SLICE = 32  # games between two looks at the clock
LONGEST = 0.1  # seconds of one call on a GPU


@dataclass(frozen=True)
class PureMcOptions(SearchOptions):
    """How many games, and how they are compared."""

    batches: Count = 30
    batch: Count = 30
    choose: Literal["batch", "mean"] = "batch"  # by (best batch, worst batch), or by the mean
    playout: Literal["light", "heavy"] = "light"
    device: Literal["cpu", "cuda"] = "cpu"  # cuda: a GPU plays many batches at once


@dataclass
class Batches:
    """The batches to play: some games after every move in turn, as the clock allows."""

    states: list[State]  # after each of the moves
    color: bool  # whose wins count
    size: int
    most: float  # of them
    pacer: Pacer
    go_on: Callable[[], bool]


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
        pacer, moves = Pacer(budget, handle), list(state.legal_moves)
        rates: list[list[float]] = [[] for _ in moves]
        games = [0] * len(moves)

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

        size, most = int(self.options.batch), math.inf
        if budget.nodes is not None:
            size = max(1, min(size, budget.nodes // len(moves)))
            most = max(1, budget.nodes // size)
        batches = Batches(
            states=[state.forward(move) for move in moves],
            color=state.turn,
            size=size,
            most=most,
            pacer=pacer,
            go_on=lambda: handle.go_on(info),
        )
        play = self._on_gpu if self.options.device == "cuda" else self._on_cpu
        for index, rate, played in play(batches):
            rates[index].append(rate)
            games[index] += played
        return info()

    def _on_cpu(self, batches: Batches) -> Iterator[tuple[int, float, int]]:
        """Yield move, win rate and games of each batch.

        Of those that the clock cuts only a move's first counts.
        """
        moves, size, pacer = len(batches.states), batches.size, batches.pacer
        for number in itertools.count():
            index, won, played = number % moves, 0.0, 0
            if number >= batches.most or (number and index == 0 and not batches.go_on()):
                return
            while played < size and not ((number or played) and pacer.ends()):
                some = min(SLICE, size - played)
                (rate,) = self._win_rates([batches.states[index]], batches.color, some)
                won, played = won + some * rate, played + some
            if played == size or (played and number < moves):
                yield index, won / played, played
            if played < size:
                return

    def _on_gpu(self, batches: Batches) -> Iterator[tuple[int, float, int]]:
        """Yield the same; the GPU plays as many batches together as fit into the time."""
        moves, pacer = len(batches.states), batches.pacer
        done, together = 0, 1
        while done < batches.most:
            if done and (pacer.ends() or not batches.go_on()):
                return
            together = int(min(together, batches.most - done))
            chosen = [(done + i) % moves for i in range(together)]
            begin = pacer.elapsed
            states = [batches.states[index] for index in chosen]
            for index, rate in zip(
                chosen, self._win_rates(states, batches.color, batches.size), strict=True
            ):
                yield index, rate, batches.size
            done += together
            together = fitting(together, pacer.elapsed - begin, pacer.left)

    def _win_rates(self, states: list[State], color: bool, games: int) -> list[float]:
        chosen, seed = self.options, self.rng.getrandbits(63)
        return win_rates(states, color, games, seed, chosen.playout, chosen.device)


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
