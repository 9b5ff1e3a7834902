"""``brute``: random games for every move, deeper where it matters.

A round plays some random games for every move (depth 1), below the best move for every reply
(depth 2), and below the worst reply for every answer (depth 3). The best answer corrects the rate
of the move it started from. Rounds repeat until the budget of games is used; then the move with
the best rate is played.
"""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from hansu.agents.agent import Options
from hansu.agents.search_agent import SearchAgent, SearchOptions
from hansu.games.state import State
from hansu.options import Count
from hansu.search.info import Line, SearchInfo
from hansu.search.limits import Budget, Pacer, SearchHandle
from hansu.search.playout import win_rates

GAMES = 30  # per candidate and round


@dataclass(frozen=True)
class BruteOptions(SearchOptions):
    """How many random games to spend on a move."""

    playouts: Count = 100_000
    playout: Literal["light", "heavy"] = "light"


@dataclass
class Candidate:
    """A move with the games played after it; ``rate`` is what they say for the searching side."""

    before: State
    move: Any
    wins: float = 0.0
    games: int = 0
    below: list["Candidate"] = field(default_factory=list)

    @property
    def state(self) -> State:
        """The position after the move."""
        return self.before.forward(self.move)

    @property
    def rate(self) -> float:
        """Games won, a draw counting a half."""
        return self.wins / max(1, self.games)


class Brute(SearchAgent):
    """Rounds of random games at depths 1, 2 and 3 along the most promising line."""

    Options: ClassVar[type[Options]] = BruteOptions

    def value_moves(self, state: State, budget: Budget, handle: SearchHandle) -> SearchInfo:
        """Rounds until the random games or the seconds are used up."""
        pacer, me, used = Pacer(budget, handle), state.turn, 0
        moves = _candidates(state)
        most = math.inf if budget.nodes is None else budget.nodes

        def info() -> SearchInfo:
            best_first = sorted(moves, key=lambda move: move.rate, reverse=True)
            tried = (Line(m.move, state.move_text(m.move), m.rate, m.games) for m in best_first)
            return SearchInfo(tuple(tried), used, pacer.elapsed, depth=3)

        def play(candidates: list[Candidate]) -> bool:
            """Play some games for every candidate; False when time or games are used up."""
            nonlocal used
            for candidate in candidates:
                if used and (pacer.ends() or used >= most):
                    return False
                seed = self.rng.getrandbits(63)
                (rate,) = win_rates([candidate.state], me, GAMES, seed, self.options.playout)
                candidate.wins += rate * GAMES
                candidate.games += GAMES
                used += GAMES
            return True

        while play(moves) and handle.go_on(info):
            best = max(moves, key=lambda move: move.rate)
            answers = best.below = best.below or _candidates(best.state)
            if not play(answers):
                break
            if answers:
                worst = min(answers, key=lambda answer: answer.rate)
                replies = worst.below = worst.below or _candidates(worst.state)
                if not play(replies):
                    break
                deepest = max(replies, key=lambda reply: reply.rate, default=worst)
                best.wins += deepest.rate * GAMES  # the correction weighs as much as a round
                best.games += GAMES
        return info()


def _candidates(state: State) -> list[Candidate]:
    if state.is_game_over():
        return []
    return [Candidate(state, move) for move in state.legal_moves]
