"""The full solution of tic-tac-toe: every position is searched to its end once."""

import functools
from typing import Any

from hansu.games.solver import Bounds, Solver, Work, turns_to_end, win_score
from hansu.games.tictactoe.rules import HAS_LINE

CELLS = 9


@functools.cache
def score(mine: int, theirs: int) -> int:
    """Return what a position is worth to the side to move.

    >>> score(0, 0), score(0b11, 0b11000)
    (0, 3)
    """
    stones = mine.bit_count() + theirs.bit_count()
    if HAS_LINE[theirs]:
        return -win_score(CELLS, stones - 1)
    if stones == CELLS:
        return 0
    empty = (1 << cell for cell in range(CELLS) if not (mine | theirs) >> cell & 1)
    return max(-score(theirs, mine | cell) for cell in empty)


class TicTacToeSolver(Solver):
    """Knows every position at once."""

    def bounds(self, state: Any) -> Bounds:
        """Return the exact score."""
        known = score(*map(int, state.words[2:4]))
        return Bounds(known, known)

    def narrow(self, state: Any, known: Bounds, window: Bounds, work: Work) -> Bounds:
        """Return what is known: it is exact."""
        return known

    def plies(self, state: Any, score: int) -> int:
        """Return after how many turns the game ends."""
        _, _, mine, theirs = map(int, state.words)
        return turns_to_end(CELLS, (mine | theirs).bit_count(), score)
