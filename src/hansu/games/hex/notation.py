"""Hex as text: cells a1 (top left) to s19, ``swap``, and boards as letters row by row."""

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from hansu.errors import MoveError, PositionError
from hansu.games.hex import rules
from hansu.games.state import Words

if TYPE_CHECKING:
    from hansu.games.hex import Hex

COLUMNS = "abcdefghijklmnopqrs"
LETTERS = ".xo"  # by colour
SWAP = "swap"
SWAP_TEXTS = (SWAP, "swap-pieces")
TO_MOVE = re.compile(r"\s*([xo])\s+to\s+move\s*$")
HEADER = re.compile(r"^\s*a( [b-s])+\s*\n")


def format_cell(size: int, move: int) -> str:
    """Return the name of a move: 0 is a1; the number after the last cell is the swap."""
    if move == size * size:
        return SWAP
    if not 0 <= move < size * size:
        raise MoveError(f"{move} is not a move: the cells are 0 to {size * size - 1}")
    return f"{COLUMNS[move % size]}{move // size + 1}"


def parse_cell(size: int, text: str) -> int:
    """Return the move that a text names; raises MoveError."""
    name = text.strip().lower()
    if name in SWAP_TEXTS:
        return size * size
    found = re.fullmatch(r"([a-s])([1-9][0-9]?)", name)
    if found:
        column, row = COLUMNS.index(found[1]), int(found[2]) - 1
        if column < size and row < size:
            return row * size + column
    last = format_cell(size, size * size - 1)
    raise MoveError(f"{text.strip()[:12]!r} is not a cell: the cells are a1 (top left) to {last}")


def is_board(text: str) -> bool:
    """Return whether a text is meant as a board rather than as a list of moves."""
    return re.match(r"\s*([a-s][0-9]|swap|$)", text.lower()) is None


def parse_board(game: "Hex", text: str) -> Words:
    """Read a board of ``x o .`` row by row; raises PositionError.

    >>> import hansu
    >>> hansu.game("hex", size=3).parse("x../.o./...").text()
    'x../.o./... x to move'
    """
    board = text.strip().lower()
    said = TO_MOVE.search(board)
    board = HEADER.sub("", board[: said.start()] if said else board)
    letters = re.sub("[-_]", ".", re.sub(r"[\s/|0-9]", "", board))
    expected = f"{game.size} rows of {game.size} letters x, o or . are expected"
    strange = re.search("[^xo.]", letters)
    if strange:
        raise PositionError(f"a Hex board has no {strange.group()!r}: {expected}")
    if len(letters) != game.cells:
        raise PositionError(
            f"a board of {game} has {game.cells} cells, not {len(letters)}: {expected}"
        )
    colors = np.array([LETTERS.index(letter) for letter in letters], np.uint8)
    return _set_up(game, colors, said[1] if said else None)


def _set_up(game: "Hex", colors: Any, to_move: str | None) -> Words:
    """Return the words of a board that can arise; raises PositionError."""
    black, white = (int(np.count_nonzero(colors == color)) for color in (1, 2))
    # A swap gives Black's first stone to White, who then is one ahead for the rest of the game.
    leads = {"x": (0, -1), "o": (1, 0)} if game.options.swap else {"x": (0,), "o": (1,)}
    side = to_move or ("x" if black == white or black < white else "o")
    swapped_nothing = game.options.swap and black == white == 0 and side == "o"
    if black - white not in leads[side] or swapped_nothing:
        raise PositionError(
            f"this board cannot arise with {side} to move: x has {black} stones and o {white}, "
            "but x begins and they take turns"
        )
    words = rules.start(game.size, game.options.swap)
    rules.set_up(words, colors, side == "o")
    winner = int(words[rules.WINNER])
    if winner and LETTERS[winner] == side:
        raise PositionError(f"{side} has already connected: {side} cannot be to move")
    result: Words = words
    return result


def colors_of(words: Words) -> list[int]:
    """Return the colour of every cell: 0 empty, 1 Black, 2 White."""
    size = int(words[rules.SIZE])
    board = rules.board_of(words)[: (size + 2) ** 2].reshape(size + 2, size + 2)
    colors: list[int] = (board[1:-1, 1:-1] & rules.COLOR).ravel().tolist()
    return colors


def format_rows(words: Words) -> list[str]:
    """Return the letters of each row."""
    size = int(words[rules.SIZE])
    letters = "".join(LETTERS[color] for color in colors_of(words))
    return [letters[row * size : (row + 1) * size] for row in range(size)]
