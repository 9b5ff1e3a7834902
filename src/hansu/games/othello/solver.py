"""The exact solver of Othello's endings.

A score is the lead in discs at the end, with empty squares counted for the winner, as tournaments
and the FFO test positions count: from -64 to 64, always even. With 24 empty squares a position
takes seconds; earlier ones take too long, and their bounds stay wide.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.games.othello import endgame
from hansu.games.othello.last_squares import final_score
from hansu.games.othello.position_table import LEAST_BITS, MOST
from hansu.games.othello.rules import PASS
from hansu.games.othello.stability import stable
from hansu.games.solver import Bounds, Solver, Work, new_table
from hansu.kernel import popcount

NODES_OF_20, GROWTH = 2e6, 1.9  # positions with 20 empty squares, and for each one more


class OthelloSolver(Solver):
    """Null-window search with a transposition table."""

    table: NDArray[np.uint64]
    shares_work = True
    endings_only = True

    def __init__(self, memory: int) -> None:
        self.table = new_table(memory, least=LEAST_BITS + 1)
        self.bits = np.uint64(len(self.table).bit_length() - 2)
        self.busy = np.zeros(int(endgame.BUSY) + 1, np.uint64)

    def bounds(self, state: Any) -> Bounds:
        """Return what stable discs tell."""
        mine, theirs = state.words[2:4]
        if state.is_game_over():
            score = int(final_score(mine, theirs))
            return Bounds(score, score)
        own, other = (
            int(popcount(np.uint64(stable(*discs)))) for discs in ((mine, theirs), (theirs, mine))
        )
        return Bounds(2 * own - MOST, MOST - 2 * other)

    def prepare(self, start: Any) -> None:
        """Compile how a finished game is counted."""
        final_score(*start.words[2:4])

    def narrow(self, state: Any, known: Bounds, window: Bounds, work: Work) -> Bounds:
        """Search with null windows, from 0 on."""
        mine, theirs = state.words[2:4]
        lists = np.empty(65 * endgame.LIST, np.int64)
        while not known.decide(window):
            than = self.next_test(known & window) | 1  # scores are even
            found = endgame.above(
                *(mine, theirs, _empties(state), than),
                *(self.table, self.bits, self.busy, lists, work),
            )
            if work[0] > work[1]:
                break
            known &= Bounds(found, MOST) if found > than else Bounds(-MOST, found)
        return known

    def next_test(self, bounds: Bounds) -> int:
        """Return the score to compare with next: 0, then the bound that is nearer to it."""
        if bounds.lower >= 0:
            return bounds.lower
        return min(0, bounds.upper - 1)

    def expected_nodes(self, state: Any) -> float:
        """Return how many positions a search visits with so many empty squares, about."""
        return float(NODES_OF_20 * GROWTH ** (_empties(state) - 20))

    def order(self, state: Any) -> list[Any]:
        """Return the legal moves, those first that leave the other side few replies."""
        mine, theirs = state.words[2:4]
        odd = np.uint64(endgame.odd_quarters(~(mine | theirs)))

        def promise(move: int) -> int:
            after = state.forward(move).words
            square = np.uint64(0 if move == PASS else 1 << move)
            return int(endgame.promise(square, after[2], after[3], odd))

        return sorted(state.legal_moves, key=promise, reverse=True)


def _empties(state: Any) -> int:
    return 64 - int(state.words[2] | state.words[3]).bit_count()
