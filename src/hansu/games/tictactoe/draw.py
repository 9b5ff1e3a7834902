"""The tic-tac-toe board as a picture."""

from typing import TYPE_CHECKING, Any

from hansu.games.board_svg import HINT, INK, LAST, Picture, make_look

if TYPE_CHECKING:
    from hansu.games.tictactoe.state import TicTacToeState

PAPER, CROSS, NOUGHT = "#f6f1e4", "#b5453a", "#2f6690"
PIECES = {"X": "cross", "O": "nought", ".": ""}


def board(state: "TicTacToeState", **options: Any) -> str:
    """Return the board as SVG; the options are those of ``Look``."""
    look = make_look(state, options)
    text = state.text()
    picture = Picture(3, 3, look, f"tic-tac-toe board {text}")
    picture.frame(PAPER)
    if look.last and state.move_stack:
        column, row = state.move_stack[-1] % 3, state.move_stack[-1] // 3
        picture.cell(column, row, LAST, 0.35)
    for at in (0.5, 1.5):
        picture.line((at, -0.4), (at, 2.4), INK, 0.04)
        picture.line((-0.4, at), (2.4, at), INK, 0.04)
    for cell, letter in enumerate(text):
        column, row = cell % 3, cell // 3
        if letter == "X":
            picture.line((column - 0.26, row - 0.26), (column + 0.26, row + 0.26), CROSS, 0.13)
            picture.line((column - 0.26, row + 0.26), (column + 0.26, row - 0.26), CROSS, 0.13)
        elif letter == "O":
            picture.ring(column, row, 0.28, NOUGHT, 0.12)
    if look.legal:
        for cell in state.legal_moves:
            picture.disc(cell % 3, cell // 3, 0.1, HINT)
    for cell, weight in look.weights():
        picture.point_out(cell % 3, cell // 3, weight)
    picture.names("abc", "123")
    picture.pointable([(state.move_text(i), PIECES[letter]) for i, letter in enumerate(text)])
    return picture.render()
