"""``pure_mc``: flat Monte Carlo. Play many random games after every move; no tree."""

import time
from dataclasses import dataclass
from typing import ClassVar, Literal

from hansu.agents.agent import Options
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.games.state import State
from hansu.search.info import Line, SearchInfo
from hansu.search.playout import win_rate


@dataclass(frozen=True)
class PureMcOptions(SearchOptions):
    """How many games, and how they are compared."""

    batches: int = 30
    batch: int = 30
    choose: Literal["batch", "mean"] = "batch"  # by (best batch, worst batch), or by the mean
    playout: Literal["light", "heavy"] = "light"


class PureMc(SearchAgent):
    """For every move some batches of random games; compare the batches, or the mean."""

    Options: ClassVar[type[Options]] = PureMcOptions

    def search(self, state: State) -> SearchInfo:
        """Play the batches in turn, one for every move, so that a short clock is fair to all."""
        begin, seconds = time.perf_counter(), self.move_seconds(state)
        chosen: PureMcOptions = self.options
        after = [(move, state.forward(move)) for move in state.legal_moves]
        rates: list[list[float]] = [[] for _ in after]
        for _ in range(chosen.batches):
            for (_, next_state), found in zip(after, rates, strict=True):
                seed = self.rng.getrandbits(63)
                found.append(win_rate(next_state, state.turn, chosen.batch, seed, chosen.playout))
            if self.stopping or time.perf_counter() - begin > seconds:
                break

        def rank(found: list[float]) -> tuple[float, ...]:
            mean = sum(found) / len(found)
            return (max(found), min(found), mean) if chosen.choose == "batch" else (mean,)

        order = sorted(range(len(after)), key=lambda i: rank(rates[i]), reverse=True)
        games = [len(found) * chosen.batch for found in rates]
        lines = tuple(
            Line(after[i][0], state.move_text(after[i][0]), sum(rates[i]) / len(rates[i]), games[i])
            for i in order
        )
        return SearchInfo(lines, sum(games), time.perf_counter() - begin)
