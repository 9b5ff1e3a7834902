"""Go as text: points such as D4 (GTP), records in SGF, drawn boards."""

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from hansu.errors import MoveError, OptionError, PositionError
from hansu.games.game import BLACK, WHITE
from hansu.games.go import board
from hansu.games.go.tables import CELLS
from hansu.games.state import Words
from hansu.games.transcript import replay_moves

if TYPE_CHECKING:
    from hansu.games.go import Go
    from hansu.games.go.state import GoState

COLUMNS = "ABCDEFGHJKLMNOPQRST"
SGF_LETTERS = "abcdefghijklmnopqrs"
STONES = {".": board.EMPTY, "+": board.EMPTY, "x": board.BLACK, "o": board.WHITE}

_SIDE = re.compile(r"(?:^|[\s/])(b|w|black|white)(?:\s+to\s+(?:move|play))?\s*$", re.IGNORECASE)


# Points ------------------------------------------------------------------------------------------


def format_point(game: "Go", point: int) -> str:
    """Return the name of a point: 0 is A9 on 9x9, the number after the last point is the pass."""
    if point == game.width * game.height:
        return "pass"
    if not 0 <= point < game.width * game.height:
        raise MoveError(f"{point} is not a point: they are 0 to {game.width * game.height - 1}")
    return f"{COLUMNS[point % game.width]}{game.height - point // game.width}"


def parse_point(game: "Go", text: str) -> int:
    """Return the point with a name, or the pass; raises MoveError."""
    name = text.strip().upper()
    if name == "PASS":
        return game.width * game.height
    last = f"{COLUMNS[game.width - 1]}{game.height}"
    match = re.fullmatch(r"([A-HJ-T])([1-9][0-9]?)", name, re.ASCII)
    if match is None:
        raise MoveError(f"{text.strip()!r} is not a move: A1 to {last} (without I) or pass is one")
    column, row = COLUMNS.index(match[1]), game.height - int(match[2])
    if column >= game.width or row < 0:
        raise MoveError(f"{name} is not on the board, which goes from A1 to {last}")
    return row * game.width + column


def replay(state: "GoState", text: str) -> "GoState":
    """Play the moves of a text such as ``D4 E5 pass`` on a state."""
    if text.strip() and not re.match(r"\s*([A-Za-z]\d|pass)", text, re.ASCII | re.IGNORECASE):
        shown = text.strip() if len(text.strip()) <= 40 else f"{text.strip()[:37]}..."
        raise PositionError(
            f"{shown!r} is not a go position: expected an SGF record, moves such as D4 E5 pass, "
            "or a board drawn with x, o and ."
        )
    return replay_moves(state, text, r"[A-Za-z][0-9]{1,2}|[Pp][Aa][Ss][Ss]")


# Boards ------------------------------------------------------------------------------------------


def colors_of(words: Words) -> list[int]:
    """Return the colour of every point: EMPTY, BLACK or WHITE of the rules."""
    points, width = int(words[board.POINT_COUNT]), int(words[board.WIDTH])
    cells: Any = words[board.HEADER :].view(np.uint16)
    return [int(color) for color in cells[CELLS[width, :points]]]


def format_board(words: Words) -> str:
    """Return the text board: rows from the top, x Black, o White, with coordinates."""
    width, height = int(words[board.WIDTH]), int(words[board.HEIGHT])
    letters = [".xo"[color] for color in colors_of(words)]
    margin = len(str(height))
    lines = [" ".join([" " * margin, *COLUMNS[:width]])]
    for row in range(height):
        stones = letters[row * width : (row + 1) * width]
        lines.append(" ".join([f"{height - row:>{margin}}", *stones]))
    return "\n".join(lines)


def is_drawing(text: str) -> bool:
    """Return whether a text is meant as a drawn board."""
    return any(re.fullmatch(r"[xo.+]+", row) for row in _rows(text))


def parse_drawing(game: "Go", text: str) -> "GoState":
    """Read a drawn board, with Black to move unless the text says otherwise."""
    rows = _rows(text)
    for number, row in enumerate(rows, 1):
        if not re.fullmatch(r"[xo.+]+", row):
            raise PositionError(f"row {number} of the board is {row!r}: only x, o and . are known")
        if len(row) != len(rows[0]):
            raise PositionError(
                f"row {number} of the board has {len(row)} points and row 1 has {len(rows[0])}"
            )
    side = _SIDE.search(text)
    white = side is not None and side[1].lower().startswith("w")
    colors = [STONES[letter] for row in rows for letter in row]
    return set_up(resized(game, f"{len(rows[0])}x{len(rows)}", game.komi), colors, white)


def _rows(text: str) -> list[str]:
    """Return the rows of a drawing, without blanks and without the names of rows and columns."""
    lines = re.split(r"[\n/]", _SIDE.sub("", text).strip().lower())
    lines = [line for line in lines if not line.lstrip().startswith("a ")]
    bare = [re.sub(r"^\s*\d+\s+|\s+\d+\s*$", "", line) for line in lines]
    return [row for row in (re.sub(r"[\s|]", "", line) for line in bare) if row]


def resized(game: "Go", size: str, komi: float) -> "Go":
    """Return the same game on another board; raises PositionError."""
    try:
        return game.resized(size, komi)
    except OptionError as error:
        raise PositionError(str(error).removeprefix("go option ")) from None


def set_up(game: "Go", colors: list[Any], white: bool) -> "GoState":
    """Return a game that starts from stones on the board."""
    state = game.start()
    lifeless = board.set_up(state.words, np.array(colors, np.uint64), int(white))
    if lifeless >= 0:
        raise PositionError(
            f"the string at {format_point(game, int(lifeless))} has no liberty: "
            "captured stones are taken off the board"
        )
    return state


# Records -----------------------------------------------------------------------------------------


def is_record(text: str) -> bool:
    """Return whether a text is meant as SGF."""
    return text.lstrip().startswith("(")


def format_record(state: "GoState") -> str:
    """Return the game so far in SGF, from the board it started from."""
    game = state.game
    size = str(game.width) if game.width == game.height else f"{game.width}:{game.height}"
    root = f"(;FF[4]GM[1]CA[UTF-8]AP[hansu]RU[AGA]SZ[{size}]KM[{game.komi:g}]"
    outcome = state.outcome()
    if outcome is not None:
        winner = {BLACK: "B+", WHITE: "W+", None: ""}[outcome.winner]
        root += f"RE[{winner}{outcome.margin:g}]"
    start = state.start_words
    colors = colors_of(start)
    for name, color in (("AB", board.BLACK), ("AW", board.WHITE)):
        stones = [f"[{format_move(game, p)}]" for p, c in enumerate(colors) if c == color]
        root += name + "".join(stones) if stones else ""
    white = bool(start[board.SECOND])
    root += "PL[W]" if white else "PL[B]" if any(colors) else ""
    turns = [
        f";{'W' if white == (turn % 2 == 0) else 'B'}[{format_move(game, move)}]"
        for turn, move in enumerate(state.move_stack)
    ]
    return f"{root}{''.join(turns)})"


def format_move(game: "Go", point: int) -> str:
    """Return a point as SGF writes it; nothing for a pass."""
    if point == game.width * game.height:
        return ""
    return SGF_LETTERS[point % game.width] + SGF_LETTERS[point // game.width]
