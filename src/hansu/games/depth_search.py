"""``DepthSearch``: a game's own search to a depth, where it has one, for the agent ``engine``."""

from typing import Any, NamedTuple

from hansu.games.solver import Work
from hansu.games.state import State


class MoveValue(NamedTuple):
    """What a search found out about a move."""

    move: Any
    value: float  # for the side that plays it, as the search counts; the greater the better
    exact: bool  # otherwise it is worth this at most


class DepthSearch:
    """Values every move of a position. Each thread has its own; they share what they find."""

    def helper(self) -> "DepthSearch":
        """Return one for another thread, with the same memory."""
        raise NotImplementedError

    def for_move(self) -> "DepthSearch":
        """Return the search that chooses the moves of a game; its memory is the same."""
        return self

    def deepest(self, state: State) -> int:
        """Return the depth that reaches the end of the game."""
        raise NotImplementedError

    def value_moves(
        self, state: State, depth: int, order: list[Any], exact: bool, work: Work
    ) -> list[MoveValue]:
        """Return the moves with their values in the order they were tried.

        The best one's value is exact, or with ``exact`` that of every move.

        When ``work`` is used up, those that were tried before; what is last may be missing.
        """
        raise NotImplementedError

    def win_probability(self, state: State, value: float) -> float:
        """Return the chance of the side to move to win, by a value of one of its moves."""
        raise NotImplementedError

    def variation(self, state: State, most: int) -> list[Any]:
        """Return the moves that the search expects from a position on, at most so many."""
        raise NotImplementedError
