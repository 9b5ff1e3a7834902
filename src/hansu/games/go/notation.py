"""Go as text: points such as D4 (GTP), records in SGF, drawn boards."""

import re
from collections.abc import Iterator
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
_SET_UP = ("AB", "AW", "AE", "PL")


# Points ------------------------------------------------------------------------------------------


def format_point(game: "Go", point: int) -> str:
    """The name of a point: 0 is A9 on 9x9, the number after the last point is the pass."""
    if point == game.width * game.height:
        return "pass"
    if not 0 <= point < game.width * game.height:
        raise MoveError(f"{point} is not a point: they are 0 to {game.width * game.height - 1}")
    return f"{COLUMNS[point % game.width]}{game.height - point // game.width}"


def parse_point(game: "Go", text: str) -> int:
    """The point with a name, or the pass; raises MoveError."""
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
    """The colour of every point: EMPTY, BLACK or WHITE of the rules."""
    points, width = int(words[board.POINT_COUNT]), int(words[board.WIDTH])
    cells: Any = words[board.HEADER :].view(np.uint16)
    return [int(color) for color in cells[CELLS[width, :points]]]


def format_board(words: Words) -> str:
    """The text board: rows from the top, x Black, o White, with the names of rows and columns."""
    width, height = int(words[board.WIDTH]), int(words[board.HEIGHT])
    letters = [".xo"[color] for color in colors_of(words)]
    margin = len(str(height))
    lines = [" ".join([" " * margin, *COLUMNS[:width]])]
    for row in range(height):
        stones = letters[row * width : (row + 1) * width]
        lines.append(" ".join([f"{height - row:>{margin}}", *stones]))
    return "\n".join(lines)


def is_drawing(text: str) -> bool:
    """Whether a text is meant as a drawn board."""
    return any(re.fullmatch(r"[xo.+]+", row) for row in _rows(text))


def parse_drawing(game: "Go", text: str) -> "GoState":
    """A drawn board, with Black to move unless the text says otherwise."""
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
    return _set_up(_resized(game, f"{len(rows[0])}x{len(rows)}", game.komi), colors, white)


def _rows(text: str) -> list[str]:
    """The rows of a drawing, without blanks and without the names of rows and columns."""
    lines = re.split(r"[\n/]", _SIDE.sub("", text).strip().lower())
    lines = [line for line in lines if not line.lstrip().startswith("a ")]
    bare = [re.sub(r"^\s*\d+\s+|\s+\d+\s*$", "", line) for line in lines]
    return [row for row in (re.sub(r"[\s|]", "", line) for line in bare) if row]


def _resized(game: "Go", size: str, komi: float) -> "Go":
    try:
        return game.resized(size, komi)
    except OptionError as error:
        raise PositionError(str(error).removeprefix("go option ")) from None


def _set_up(game: "Go", colors: list[Any], white: bool) -> "GoState":
    """A game that starts from stones on the board."""
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
    """Whether a text is meant as SGF."""
    return text.lstrip().startswith("(")


def format_record(state: "GoState") -> str:
    """The game so far in SGF, from the board it started from."""
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
        stones = [f"[{_sgf_point(game, p)}]" for p, c in enumerate(colors) if c == color]
        root += name + "".join(stones) if stones else ""
    white = bool(start[board.SECOND])
    root += "PL[W]" if white else "PL[B]" if any(colors) else ""
    turns = [
        f";{'W' if white == (turn % 2 == 0) else 'B'}[{_sgf_point(game, move)}]"
        for turn, move in enumerate(state.move_stack)
    ]
    return f"{root}{''.join(turns)})"


def parse_record(game: "Go", text: str, allow_repeats: bool) -> "GoState":
    """The main line of an SGF record; raises PositionError."""
    from sgfmill import sgf_grammar  # only records need it

    try:
        tree = sgf_grammar.parse_sgf_game(text.encode(errors="replace"))
        nodes: list[dict[str, list[bytes]]] = list(sgf_grammar.main_sequence_iter(tree))
    except ValueError as error:
        raise PositionError(f"this is not SGF: {error}") from None
    first = next((i for i, node in enumerate(nodes) if "B" in node or "W" in node), len(nodes))
    game = _game_of(game, nodes[0])
    state = _start_of(game, nodes[: first + 1])
    for color, value in _moves_of(nodes[first:]):
        number = len(state.move_stack) + 1
        if color != state.turn:
            whose = "White's" if color == WHITE else "Black's"
            raise PositionError(
                f"move {number} of the record is {whose}, but the colours must take turns; "
                "handicap stones are set up with AB"
            )
        move = _parse_sgf_point(game, value, may_pass=True)
        try:
            if allow_repeats and _only_repeats(state, move):
                state.push_unchecked(move)
            else:
                state.push(move)
        except MoveError as error:
            raise PositionError(f"move {number} of the record: {error}") from None
    return state


def _only_repeats(state: "GoState", move: int) -> bool:
    """Whether superko is all that speaks against a move."""
    return move != state.pass_move and bool(state.codes()) and state.violates_superko(move)


def _game_of(game: "Go", root: dict[str, list[bytes]]) -> "Go":
    """The size and komi that a record names, else those of the game that reads it."""
    if _text(root, "GM", "1").strip() != "1":
        raise PositionError(f"the record is of another game than go: GM[{_text(root, 'GM', '')}]")
    size = _text(root, "SZ", str(game.rules.size)).strip().replace(":", "x")
    komi = _text(root, "KM", str(game.komi)).strip()
    try:
        return _resized(game, size, float(komi))
    except (ValueError, OverflowError) as error:
        if isinstance(error, PositionError):
            raise
        raise PositionError(f"komi is a number, not KM[{komi}]") from None


def _start_of(game: "Go", nodes: list[dict[str, list[bytes]]]) -> "GoState":
    """The board and the side to move that a record begins with."""
    colors: list[Any] = [board.EMPTY] * (game.width * game.height)
    for node in nodes:
        for name, color in (("AB", board.BLACK), ("AW", board.WHITE), ("AE", board.EMPTY)):
            for value in node.get(name, []):
                for point in _parse_sgf_points(game, value.decode(errors="replace")):
                    colors[point] = color
    moves = nodes[-1]
    side = next((_text(node, "PL", "").strip() for node in nodes[::-1] if "PL" in node), None)
    if side is None:  # then whoever moves first; after a handicap it is White
        side = "W" if "W" in moves or ("B" not in moves and "HA" in nodes[0]) else "B"
    if side.lower() not in ("b", "w", "black", "white"):
        raise PositionError(f"the side to move is B or W, not PL[{side}]")
    return _set_up(game, colors, side.lower().startswith("w"))


def _moves_of(nodes: list[dict[str, list[bytes]]]) -> Iterator[tuple[bool, str]]:
    """The moves along the main line, each with its colour."""
    for i, node in enumerate(nodes):
        if i > 0 and any(name in node for name in _SET_UP):
            raise PositionError("the record sets up stones after its first move, which is not read")
        if "B" in node and "W" in node:
            raise PositionError("the record has a black and a white move in one node")
        for name, color in (("B", BLACK), ("W", WHITE)):
            if name in node:
                yield color, _text(node, name, "").strip()


def _text(node: dict[str, list[bytes]], name: str, default: str) -> str:
    return node[name][0].decode(errors="replace") if name in node else default


def _sgf_point(game: "Go", point: int) -> str:
    if point == game.width * game.height:
        return ""
    return SGF_LETTERS[point % game.width] + SGF_LETTERS[point // game.width]


def _parse_sgf_point(game: "Go", text: str, may_pass: bool = False) -> int:
    if may_pass and text in ("", "tt"):
        return game.width * game.height
    columns, rows = SGF_LETTERS[: game.width], SGF_LETTERS[: game.height]
    if len(text) != 2 or text[0] not in columns or text[1] not in rows:
        raise PositionError(
            f"[{text}] is not a point of the {game.width}x{game.height} board: "
            f"[aa] (top left) to [{columns[-1]}{rows[-1]}] are"
        )
    return rows.index(text[1]) * game.width + columns.index(text[0])


def _parse_sgf_points(game: "Go", text: str) -> list[int]:
    """One point, or all of a rectangle such as ``aa:cb``."""
    corners = [_parse_sgf_point(game, corner.strip()) for corner in text.split(":", 1)]
    columns = [point % game.width for point in corners]
    rows = [point // game.width for point in corners]
    return [
        row * game.width + column
        for row in range(min(rows), max(rows) + 1)
        for column in range(min(columns), max(columns) + 1)
    ]
