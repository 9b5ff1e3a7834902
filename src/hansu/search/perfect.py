"""Perfect play in solved games: the game-theoretic value of every move."""

import functools
from collections.abc import Mapping

from hansu.games.game import Game
from hansu.games.state import State
from hansu.search.negamax import search

Verdicts = Mapping[int, int]
"""The number of each legal move -> +1, 0 or -1 for the side that plays it."""


def by_full_search(state: State) -> Verdicts:
    """Search every line to its end: for games that are never long."""
    turns_left = state.game.max_turns - len(state.move_stack)
    lines = search(state, turns_left, prune=False).lines
    return {state.move_id(line.move): (line.value > 0.5) - (line.value < 0.5) for line in lines}


def is_solved(game: Game) -> bool:
    """Return whether perfect play is known."""
    return game.is_solved_by_search


def perfect(state: State) -> Verdicts:
    """Return the result of every legal move under perfect play; the game must be solved.

    >>> import hansu
    >>> state = hansu.game("tictactoe").parse("XX. OO. ...")
    >>> {state.move_text(move): result for move, result in perfect(state).items()}
    {'c1': 1, 'c2': 0, 'a3': -1, 'b3': -1, 'c3': -1}
    """
    return _solved(_Position(state))


class _Position:
    """A state as a key of the transposition table: equal where the rules treat it alike."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.key = (str(state.game), state.text())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Position) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@functools.lru_cache(maxsize=100_000)  # a transposition table
def _solved(position: _Position) -> Verdicts:
    return by_full_search(position.state)
