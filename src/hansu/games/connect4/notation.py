"""Connect Four as text: a game is the string of its columns, ``4453``; boards are read as well.

A drawn board does not show the order of the moves, which a state needs. So a game that leads to the
board is searched for; a board without one is refused.
"""

import re
from collections.abc import Sequence

import numpy as np

from hansu.errors import MoveError, PositionError
from hansu.games.connect4.layout import Layout
from hansu.games.connect4.rules import has_line

USUAL = Layout(7, 6)
NUMBERS = ("", "", "", "", "four", "five", "six", "seven", "eight")

Stacks = Sequence[str]
"""The stones of each column from the bottom up: x of the first player, o of the second."""


def footer(board: Layout) -> str:
    """Return the numbers of the columns, as they stand below a board."""
    return " ".join(str(move) for move in range(1, board.width + 1))


def parse_column(board: Layout, text: str) -> int:
    """Return the column that a text names; raises MoveError."""
    column = text.strip()
    if not re.fullmatch(f"[1-{board.width}]", column):
        raise MoveError(f"{column[:12]!r} is not a column: the columns are 1 to {board.width}")
    return int(column)


def format_column(board: Layout, move: int) -> str:
    """Return a column's number as text."""
    if not 1 <= move <= board.width:
        raise MoveError(f"{move} is not a column: the columns are 1 to {board.width}")
    return str(move)


def is_board(text: str) -> bool:
    """Return whether a text is meant as a board rather than as a list of columns."""
    return re.search("[xo._-]", text.lower()) is not None


def parse_board(text: str, board: Layout = USUAL) -> Stacks:
    """Read a board of rows from the top; blanks and ``/`` between cells are ignored.

    >>> parse_board("......./......./......./......./...o.../..xx...")
    ['', '', 'x', 'xo', '', '', '']
    """
    width, height = board.width, board.height
    expected = (
        f"{NUMBERS[height]} rows of {NUMBERS[width]} x, o or . are expected, or the columns of a "
        "game such as 4453"
    )
    cells = re.sub(r"[\s/|]", "", text.strip().removesuffix(footer(board))).lower()
    cells = re.sub("[-_]", ".", cells)
    strange = re.search("[^xo.]", cells)
    if strange:
        raise PositionError(f"a Connect Four board has no {strange.group()!r}: {expected}")
    if len(cells) != width * height:
        raise PositionError(
            f"a Connect Four board has {width * height} cells, not {len(cells)}: {expected}"
        )
    from_below = [cells[row * width : (row + 1) * width] for row in reversed(range(height))]
    stacks = ["".join(column).rstrip(".") for column in zip(*from_below, strict=True)]
    for number, stack in enumerate(stacks, 1):
        if "." in stack:
            raise PositionError(
                f"a stone floats in column {number}: the cell in row {stack.index('.') + 1} "
                "below it is empty, but stones fall to the bottom"
            )
    return stacks


def parse_uci_cells(text: str, board: Layout = USUAL) -> Stacks:
    """Read a line of the UCI "Connect-4" data: cells x, o or b, columns bottom up.

    What follows the cells, the game's value, is not read.

    >>> parse_uci_cells("x,o," + ",".join("b" * 40) + ",win")
    ['xo', '', '', '', '', '', '']
    """
    count, height = board.width * board.height, board.height
    cells = "".join(cell.strip().lower() or "?" for cell in text.split(",")[:count])
    columns = [cells[at : at + height].rstrip("b") for at in range(0, len(cells), height)]
    if len(cells) != count or not all(re.fullmatch("[xo]*", column) for column in columns):
        raise PositionError(
            f"with commas, {count} cells x, o or b (blank) are expected, column by column from the "
            "bottom, as in the UCI data"
        )
    return columns


def find_game(stacks: Stacks, no_center: bool = False, board: Layout = USUAL) -> str:
    """Return the columns of a game that leads to a board; raises PositionError if there is none.

    The game is found backwards, by taking stones off the top: then only its last move can have
    made a line, and the heights of the columns determine every earlier position.

    >>> find_game(["x", "oo", "", "x", "", "", ""])
    '4212'
    """
    stones = "".join(stacks)
    xs, os = stones.count("x"), stones.count("o")
    if xs - os not in (0, 1):
        raise PositionError(
            f"this board cannot arise: x has {xs} stones and o {os}, but x begins and they take "
            "turns"
        )
    hopeless: set[tuple[int, ...]] = set()

    def moves_to(heights: tuple[int, ...]) -> str | None:
        count = sum(heights)
        if count == 0:
            return ""
        if heights in hopeless:
            return None
        mover = "xo"[(count - 1) % 2]
        for column, height in enumerate(heights):
            if height == 0 or stacks[column][height - 1] != mover:
                continue
            if count == 1 and no_center and column == board.width // 2:
                continue
            before = (*heights[:column], height - 1, *heights[column + 1 :])
            if count == len(stones) and _has_any_line(stacks, before, board):
                continue
            moves = moves_to(before)
            if moves is not None:
                return moves + str(column + 1)
        hopeless.add(heights)
        return None

    found = moves_to(tuple(map(len, stacks)))
    if found is None:
        if _has_any_line(stacks, tuple(map(len, stacks)), board):
            why = "no last move can have made its line"
        else:
            why = "x begins and they take turns, which never piles up such columns"
            if no_center:
                why += f" when the first move may not be column {board.width // 2 + 1}"
        raise PositionError(f"no game leads to this board: {why}")
    return found


def _has_any_line(stacks: Stacks, heights: tuple[int, ...], board: Layout) -> bool:
    for player in "xo":
        cells = sum(
            1 << (board.stride * column + row)
            for column, height in enumerate(heights)
            for row in range(height)
            if stacks[column][row] == player
        )
        if has_line(np.uint64(cells), np.uint64(board.height)):
            return True
    return False
