"""Tic-tac-toe as text: cells a1-c3 (column, then row from the top) and boards of nine letters."""

import re

import numpy as np

from hansu.errors import MoveError, PositionError
from hansu.games.state import Words
from hansu.games.tictactoe.rules import HAS_LINE

COLUMNS = "abc"


def format_cell(cell: int) -> str:
    """Return the name of a cell: 0 is a1, 8 is c3."""
    if not 0 <= cell < 9:
        raise MoveError(f"{cell} is not a cell: the cells are 0 to 8")
    return f"{COLUMNS[cell % 3]}{cell // 3 + 1}"


def parse_cell(text: str) -> int:
    """Return the cell with a name; raises MoveError."""
    if not re.fullmatch("[a-c][1-3]", text.strip().lower()):
        raise MoveError(f"{text.strip()!r} is not a cell: the cells are a1 (top left) to c3")
    name = text.strip().lower()
    return COLUMNS.index(name[0]) + 3 * (int(name[1]) - 1)


def is_board(text: str) -> bool:
    """Return whether a text is meant as a board rather than as a list of moves."""
    return len(_letters(text)) == 9 or not re.match("[abc][123]", text.strip().lower() or "a1")


def parse_board(text: str) -> Words:
    """Read a board of nine letters ``X O .``; X began, so the counts give the side to move."""
    letters = _letters(text)
    if len(letters) != 9 or set(letters) - set("XO."):
        raise PositionError(
            f"{text!r} is not a tic-tac-toe board: nine letters X, O or . are expected, "
            "or moves such as b2a1"
        )
    xs = sum(1 << i for i, letter in enumerate(letters) if letter == "X")
    os = sum(1 << i for i, letter in enumerate(letters) if letter == "O")
    second = xs.bit_count() - os.bit_count()
    if second not in (0, 1):
        raise PositionError(
            f"{text!r} cannot arise: X has {xs.bit_count()} cells and O {os.bit_count()}, "
            "but X begins and they take turns"
        )
    mine, theirs = (os, xs) if second else (xs, os)
    if HAS_LINE[mine]:
        raise PositionError(
            f"{text!r} cannot arise: {'XO'[second]} has a line but is to move, and a line ends "
            "the game"
        )
    return np.array([0, second, mine, theirs], np.uint64)


def format_board(words: Words) -> str:
    """Return the nine letters of a position."""
    _, second, mine, theirs = map(int, words)
    xs, os = (theirs, mine) if second else (mine, theirs)
    return "".join("X" if xs >> i & 1 else "O" if os >> i & 1 else "." for i in range(9))


def _letters(text: str) -> str:
    return re.sub(r"[\s/|]", "", text).upper().replace("-", ".").replace("_", ".")
