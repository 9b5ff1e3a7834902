"""``brute``: random games for every move, deeper where it matters.

A round plays some random games for every move (depth 1). Below the best of them it does the same
for every answer (depth 2) and takes the worst; below that for every reply (depth 3). What the best
reply can achieve corrects the rate of the move it started from. Rounds go on until the budget of
games is used; then the move with the best rate is played.
"""

import time
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from hansu.agents.agent import Options
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.games.state import State
from hansu.search.info import Line, SearchInfo
from hansu.search.playout import win_rate

GAMES = 30  # a candidate, a round


@dataclass(frozen=True)
class BruteOptions(SearchOptions):
    """How many random games to spend on a move."""

    playouts: int = 100_000
    playout: Literal["light", "heavy"] = "light"


@dataclass
class Candidate:
    """A move with the games played after it; ``rate`` is what they say for the searching side."""

    move: Any
    state: State
    wins: float = 0.0
    games: int = 0
    below: list["Candidate"] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Games won, a draw counting a half."""
        return self.wins / max(1, self.games)


class Brute(SearchAgent):
    """Rounds of random games at depths 1, 2 and 3 along the most promising line."""

    Options: ClassVar[type[Options]] = BruteOptions
    _deadline = 0.0

    def search(self, state: State) -> SearchInfo:
        """Rounds until the budget or the fair share of the clock is used up."""
        begin = time.perf_counter()
        self._deadline = begin + self.move_seconds(state)
        me, used = state.turn, 0
        moves = _candidates(state)
        while used < self.options.playouts and not self._is_late():
            used += self._round(moves, me)
            best = max(moves, key=lambda move: move.rate)
            answers = best.below = best.below or _candidates(best.state)
            used += self._round(answers, me)
            if answers:
                worst = min(answers, key=lambda answer: answer.rate)
                replies = worst.below = worst.below or _candidates(worst.state)
                used += self._round(replies, me)
                deepest = max(replies, key=lambda reply: reply.rate, default=worst)
                best.wins += deepest.rate * GAMES  # the correction weighs as much as a round
                best.games += GAMES
        moves.sort(key=lambda move: move.rate, reverse=True)
        lines = tuple(Line(m.move, state.move_text(m.move), m.rate, m.games) for m in moves)
        return SearchInfo(lines, used, time.perf_counter() - begin, depth=3)

    def _round(self, candidates: list[Candidate], me: bool) -> int:
        """Some games for every candidate, as long as there is time; how many were played."""
        played = 0
        for candidate in candidates:
            if played and self._is_late():
                break
            seed = self.rng.getrandbits(63)
            rate = win_rate(candidate.state, me, GAMES, seed, self.options.playout)
            candidate.wins += rate * GAMES
            candidate.games += GAMES
            played += GAMES
        return played

    def _is_late(self) -> bool:
        return self.stopping or time.perf_counter() > self._deadline


def _candidates(state: State) -> list[Candidate]:
    if state.is_game_over():
        return []
    return [Candidate(move, state.forward(move)) for move in state.legal_moves]
