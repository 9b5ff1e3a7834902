"""Othello as text: squares a1-h8, boards of 64 letters, and games as their moves, ``f5d6c3``.

In the text of a game passes are left out.
"""

import re
from typing import TYPE_CHECKING

import numpy as np

from hansu.errors import MoveError, PositionError
from hansu.games.othello.rules import PASS
from hansu.games.state import Words

if TYPE_CHECKING:
    from hansu.games.othello.state import OthelloState

FILES, RANKS = "abcdefgh", "12345678"
START = "---------------------------OX------XO--------------------------- X"
PASS_TEXTS = ("pass", "--", "ps", "pa")
EXPECTED = (
    "64 squares X, O or - from a1 to h8 and then the side to move, X or O, are expected, "
    "or moves such as f5d6c3"
)


def format_square(move: int) -> str:
    """Return the name of a move: 0 is a1, 63 is h8, 64 is pass."""
    if move == PASS:
        return "pass"
    if not 0 <= move < PASS:
        raise MoveError(f"{move} is not a move: the squares are 0 to 63, and 64 is the pass")
    return FILES[move % 8] + RANKS[move // 8]


def parse_square(text: str) -> int:
    """Return the move that a text names; raises MoveError."""
    name = text.strip().lower()
    if name in PASS_TEXTS:
        return PASS
    if not re.fullmatch("[a-h][1-8]", name):
        raise MoveError(
            f"{text.strip()[:12]!r} is not a square: the squares are a1 (top left) to h8, "
            "and pass is read too"
        )
    return FILES.index(name[0]) + 8 * RANKS.index(name[1])


def is_board(text: str) -> bool:
    """Return whether a text is meant as a board rather than as a list of moves."""
    return re.match(r"([a-h][1-8]|$)", text.strip().lower()) is None


def parse_board(text: str) -> Words:
    """Read a board of 64 squares row by row and the side to move; coordinates are ignored.

    Lines of the OBF format are read, too: what follows the first ``;`` is not part of the board.
    """
    board = text.partition(";")[0].lower()
    letters = re.sub(r"a\s*b\s*c\s*d\s*e\s*f\s*g\s*h|to\s*move|[1-8\s/|]", "", board)
    letters = letters.replace(".", "-").replace("*", "x")
    strange = re.search("[^xo-]", letters)
    if strange:
        raise PositionError(f"an Othello board has no {strange.group()!r}: {EXPECTED}")
    if len(letters) == 64:
        raise PositionError("the board does not say who is to move: add X (Black) or O (White)")
    if len(letters) != 65 or letters[64] == "-":
        raise PositionError(f"this is no Othello board: {EXPECTED}")
    black = sum(1 << square for square in range(64) if letters[square] == "x")
    white = sum(1 << square for square in range(64) if letters[square] == "o")
    if letters[64] == "x":
        return np.array([0, 0, black, white], np.uint64)
    return np.array([0, 1, white, black], np.uint64)


def format_board(black: int, white: int) -> str:
    """Return the 64 letters of a board."""
    return "".join(
        "X" if black >> square & 1 else "O" if white >> square & 1 else "-" for square in range(64)
    )


def replay(state: "OthelloState", text: str) -> "OthelloState":
    """Play the moves of a text on a state; a pass may be written or left out.

    >>> import hansu
    >>> replay(hansu.game("othello").start(), "F5 d6").transcript()
    'f5d6'
    """
    left = re.sub(r"\s+", "", text).lower()
    number = 0
    while left:
        number += 1
        word = re.match("[a-h][1-8]|pass|ps|pa|--", left)
        if word is None:
            raise PositionError(
                f"move {number} cannot be read: {left[:12]!r} begins neither with a square "
                "a1 to h8 nor with pass"
            )
        move = parse_square(word.group())
        if move != PASS and state.move_ids() == [PASS]:
            state.push(PASS)
        if move not in state.move_ids():
            raise PositionError(f"move {number}: {state.illegal(format_square(move))}")
        state.push(move)
        left = left[word.end() :]
    return state
