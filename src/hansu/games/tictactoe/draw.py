"""The tic-tac-toe board as a picture."""

from typing import TYPE_CHECKING, Any

from hansu.games.board_svg import HINT, INK, LAST, Picture, make_look

if TYPE_CHECKING:
    from hansu.games.tictactoe.state import TicTacToeState

PAPER, CROSS, NOUGHT = "#f6f1e4", "#b5453a", "#2f6690"
RADIUS = 6.0  # of the corners
LINE = "#2f8f6b"  # through three in a row
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
Place = tuple[float, float]
PIECES = {"X": "cross", "O": "nought", ".": ""}


def board(state: "TicTacToeState", **options: Any) -> str:
    """Return the board as SVG; the options are those of ``Look``."""
    look = make_look(state, options)
    text = state.text()
    picture = Picture(3, 3, look, f"tic-tac-toe board {text}")
    picture.frame(PAPER, RADIUS)
    if look.last and state.move_stack:
        column, row = state.move_stack[-1] % 3, state.move_stack[-1] // 3
        picture.cell(column, row, LAST, 0.35, radius=RADIUS)
    for at in (0.5, 1.5):
        picture.line((at, -0.4), (at, 2.4), INK, 0.04)
        picture.line((-0.4, at), (2.4, at), INK, 0.04)
    for cell, letter in enumerate(text):
        if letter != ".":
            with picture.piece(state.move_text(cell), PIECES[letter]):
                _mark(picture, cell % 3, cell // 3, letter)
    for line in LINES:
        if text[line[0]] != "." and len({text[cell] for cell in line}) == 1:
            ends = [(cell % 3, cell // 3) for cell in (line[0], line[2])]
            picture.line(*_longer(*ends), LINE, 0.09)
    if look.legal:
        for cell in state.legal_moves:
            picture.disc(cell % 3, cell // 3, 0.1, HINT)
    for cell, weight in look.weights():
        picture.point_out(cell % 3, cell // 3, weight)
    picture.names("abc", "123")
    picture.pointable([(state.move_text(i), PIECES[letter]) for i, letter in enumerate(text)])
    return picture.render()


def piece(picture: Picture, name: str) -> None:
    """Draw a piece by its name on the first cell."""
    _mark(picture, 0, 0, next(letter for letter, known in PIECES.items() if known == name))


def _mark(picture: Picture, column: int, row: int, letter: str) -> None:
    if letter == "O":
        return picture.ring(column, row, 0.28, NOUGHT, 0.12)
    picture.line((column - 0.26, row - 0.26), (column + 0.26, row + 0.26), CROSS, 0.13)
    picture.line((column - 0.26, row + 0.26), (column + 0.26, row - 0.26), CROSS, 0.13)


def _longer(start: Place, end: Place) -> tuple[Place, Place]:
    """Return a line through three cells that reaches a little beyond them."""
    dx, dy = (0.18 * (b - a) for a, b in zip(start, end, strict=True))
    return (start[0] - dx, start[1] - dy), (end[0] + dx, end[1] + dy)
