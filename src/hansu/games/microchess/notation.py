"""Microchess as text: FEN in two forms, games as moves or PGN.

The full form writes the 4x5 board in the corner of an 8x8 one, as python-chess users know it:
``8/8/8/knbr4/p7/8/3P4/RBNK4 w Kk - 0 1``. The compact form is ``knbr/p3/4/3P/RBNK w Kk - 0 1``.
"""

import re
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

import chess

from hansu.errors import MoveError, PositionError
from hansu.games.microchess.tables import FILES, RANKS
from hansu.games.pgn import parse_games

if TYPE_CHECKING:
    from hansu.games.microchess.board import MicrochessBoard
    from hansu.games.microchess.state import MicrochessState

    S = TypeVar("S", bound=MicrochessState)

START = "8/8/8/knbr4/p7/8/3P4/RBNK4 w Kk - 0 1"
WHITE_ROOK, BLACK_ROOK = chess.BB_A1, chess.BB_D5  # the rooks that castle
FIELDS = ("board", "turn", "castling", "en passant", "no-progress counter", "move number")


PIECES = tuple(
    (f"{chess.COLOR_NAMES[color]}_{chess.piece_name(kind)}", chess.Piece(kind, color).symbol())
    for color in (chess.WHITE, chess.BLACK)
    for kind in reversed(chess.PIECE_TYPES)
)
"""The names of the pieces with their letters."""


class Fen(NamedTuple):
    """What a FEN says, field by field."""

    pieces: dict[int, chess.Piece]
    turn: bool
    castling: int  # the rooks that may castle, as a set
    en_passant: int | None
    no_progress: int
    move_number: int


def parse_fen(text: str) -> Fen:
    """Read a FEN in either form; fields at the end may be left out.

    Only the writing is checked; ``check_position`` tells whether the position makes sense.
    """
    fields = text.split()
    if not fields:
        raise PositionError(f"an empty text is not a FEN; the start is {START}")
    if len(fields) > len(FIELDS):
        raise PositionError(f"a FEN has six fields, this one has {len(fields)}: {_cut(text)}")
    fields += ["w", "-", "-", "0", "1"][len(fields) - 1 :]
    pieces = parse_board(fields[0])
    if fields[1] not in ("w", "b"):
        _refuse("turn", fields[1], "w or b is expected")
    castling = parse_castling(fields[2])
    if not re.fullmatch("-|[a-d]3", fields[3]):
        _refuse("en passant", fields[3], "- or the skipped square, a3 to d3, is expected")
    for name, count in zip(FIELDS[4:], fields[4:], strict=True):
        if not re.fullmatch("[0-9]{1,6}", count):
            _refuse(name, count, "a whole number from 0 to 999999 is expected")
    return Fen(
        pieces,
        fields[1] == "w",
        castling,
        None if fields[3] == "-" else chess.parse_square(fields[3]),
        int(fields[4]),
        max(1, int(fields[5])),
    )


def drawn_fen(rows: list[str], turn: bool) -> str:
    """Return the FEN of a board as rows of letters, ``.`` for empty squares.

    >>> drawn_fen(["knbr", "p...", "....", "...P", "RBN."], False)
    'knbr/p3/4/3P/RBN1 b k - 0 1'
    """
    board = "/".join(re.sub(r"\.+", lambda empty: str(len(empty.group())), row) for row in rows)
    white = "K" if (rows[-1][0], rows[-1][-1]) == ("R", "K") else ""
    black = "k" if (rows[0][0], rows[0][-1]) == ("k", "r") else ""
    return f"{board} {'w' if turn else 'b'} {white + black or '-'} - 0 1"


def parse_board(text: str) -> dict[int, chess.Piece]:
    """Read the first field of a FEN: eight rows of eight squares, or five rows of four."""
    rows = text.split("/")
    if len(rows) not in (8, RANKS):
        _refuse("board", text, f"5 rows of 4 squares (or 8 of 8) are expected, not {len(rows)}")
    width = 8 if len(rows) == 8 else FILES
    pieces = {}
    for i, row in enumerate(rows):
        rank = len(rows) - 1 - i
        spread = re.sub("[1-8]", lambda digit: "." * int(digit.group()), row)
        if wrong := re.search("[^.pnbrqkPNBRQK]", spread):
            _refuse("board", text, f"{wrong.group()!r} is neither a piece nor a number of squares")
        if len(spread) != width:
            _refuse("board", text, f"row {_cut(row)} has {len(spread)} squares, not {width}")
        for file, letter in enumerate(spread):
            if letter == ".":
                continue
            square = chess.square(file, rank)
            if file >= FILES or rank >= RANKS:
                name = chess.square_name(square)
                _refuse("board", text, f"{letter} on {name} is outside the board, a1 to d5")
            pieces[square] = chess.Piece.from_symbol(letter)
    return pieces


def parse_castling(text: str) -> int:
    """Read castling rights: K and k; engines also write Q and q, or the rooks' files A and d."""
    if not re.fullmatch("-|[KQA]{0,2}[kqd]{0,2}", text) or not text:
        _refuse("castling", text, "K (White), k (Black), both or - is expected")
    white, black = re.search("[KQA]", text), re.search("[kqd]", text)
    return (WHITE_ROOK if white else 0) | (BLACK_ROOK if black else 0)


_PROBLEMS = (
    (chess.STATUS_NO_WHITE_KING, "board", "White has no king"),
    (chess.STATUS_NO_BLACK_KING, "board", "Black has no king"),
    (chess.STATUS_TOO_MANY_KINGS, "board", "a side has more than one king"),
    (chess.STATUS_PAWNS_ON_BACKRANK, "board", "a pawn stands on rank 1 or rank 5"),
    (chess.STATUS_OPPOSITE_CHECK, "turn", "the side that is not to move is in check"),
    (
        chess.STATUS_BAD_CASTLING_RIGHTS,
        "castling",
        "K needs White's king on d1 and rook on a1, k needs Black's king on a5 and rook on d5",
    ),
    (
        chess.STATUS_INVALID_EP_SQUARE,
        "en passant",
        "no pawn of the other side can just have skipped that square",
    ),
)


def check_position(board: "MicrochessBoard", text: str) -> None:
    """Raise PositionError when a position makes no sense: which field of its FEN, and why."""
    status = board.status()
    for flag, field, why in _PROBLEMS:
        if status & flag:
            fields = text.split()
            at = FIELDS.index(field)
            _refuse(field, fields[at] if at < len(fields) else "", why)


def format_compact(fen: str) -> str:
    """Return the compact form of a FEN.

    >>> format_compact(START)
    'knbr/p3/4/3P/RBNK w Kk - 0 1'
    """
    board, _, rest = fen.partition(" ")
    rows = []
    for row in board.split("/")[-RANKS:]:
        spread = re.sub("[1-8]", lambda digit: "." * int(digit.group()), row)[:FILES]
        rows.append(re.sub(r"\.+", lambda dots: str(len(dots.group())), spread))
    return " ".join(filter(None, ["/".join(rows), rest]))


def parse_game(start: "S", text: str) -> "S":
    """Read a position or a game into a state that is at the start of a game.

    A FEN, ``startpos``, either followed by ``moves d2d4 ...``, or a game in PGN.
    """
    if text.lstrip().startswith("["):
        return _parse_pgn(start, text)
    head, _, moves = re.sub(r"\s+", " ", f" {text} ").partition(" moves ")
    head = head.strip().removeprefix("fen ")
    if head != "startpos":
        start.set_fen(head)
        check_position(start, head)
    return replay(start, moves.split())


def replay(state: "S", moves: list[str]) -> "S":
    """Play moves, given as UCI or SAN, on a state."""
    for number, text in enumerate(moves, 1):
        try:
            state.push(state.parse_move(text))
        except MoveError as error:
            raise PositionError(f"move {number}: {error}") from None
    return state


def _parse_pgn(start: "S", text: str) -> "S":
    """Return the main line of the first game in a PGN, under the rule set of ``start``."""
    read = next(parse_games(text))
    if not read.tags.get("Variant"):
        raise PositionError('a PGN of microchess needs the tag [Variant "Microchess"]')
    if read.tags["Variant"].lower() != "microchess":
        raise PositionError(f"the PGN is a game of {_cut(read.tags['Variant'])}, not microchess")
    for what, line in read.problems:
        raise PositionError(f"the PGN cannot be read: line {line}: {what}")
    if "FEN" in read.tags:
        start.set_fen(read.tags["FEN"])
        check_position(start, read.tags["FEN"])
    return replay(start, [word.text.rstrip("!?") for word in read.moves])


def _refuse(field: str, found: str, why: str) -> NoReturn:
    raise PositionError(f"FEN field {FIELDS.index(field) + 1} ({field}) {_cut(found)}: {why}")


def _cut(text: str, length: int = 60) -> str:
    """Return a text for an error message, which shall stay one line."""
    return repr(text if len(text) <= length else text[: length - 3] + "...")
