"""Games written as their moves, in one string: ``b2a1c3``, ``f5d6c3``, ``4453``."""

import re
from typing import TypeVar

from hansu.errors import MoveError, PositionError
from hansu.games.state import State

S = TypeVar("S", bound=State)


def bare(text: str) -> str:
    """Return a position's text without surrounding blanks and a BOM.

    >>> bare("\\ufeff4453 ")
    '4453'
    """
    if not isinstance(text, str):
        raise PositionError(f"{text!r} is not a position: a text is expected")
    return text.replace("\ufeff", "").strip()


def replay_moves(state: S, text: str, pattern: str) -> S:
    """Play the moves of a text, each matching ``pattern``, on a state; blanks do not matter.

    >>> import hansu
    >>> replay_moves(hansu.game("tictactoe").start(), "b2 a1", "[a-c][1-3]").text()
    'O...X....'
    """
    left = re.sub(r"\s+", "", text)
    while left:
        number = len(state.move_stack) + 1
        match = re.match(pattern, left)
        if match is None:
            raise PositionError(f"move {number} cannot be read: ...{left[:12]!r}")
        try:
            state.push(state.parse_move(match.group()))
        except MoveError as error:
            raise PositionError(f"move {number}: {error}") from None
        left = left[match.end() :]
    return state
