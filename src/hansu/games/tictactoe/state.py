"""The state of a tic-tac-toe game."""

from typing import Any

from hansu.games.state import PlainState
from hansu.games.tictactoe import draw, notation


class TicTacToeState(PlainState):
    """A tic-tac-toe position. Moves are the cells 0-8, row by row from the top left.

    >>> import hansu
    >>> state = hansu.game("tictactoe").parse("b2a1")
    >>> print(state)
      a b c
    1 O . .
    2 . X .
    3 . . .
    >>> state.legal_moves
    [1, 2, 3, 5, 6, 7, 8]
    """

    def text(self) -> str:
        """Return the board as nine letters, row by row."""
        return notation.format_board(self.words)

    def format_move(self, move: int) -> str:
        """Return the name of a cell, such as b2."""
        return notation.format_cell(move)

    def read_move(self, text: str) -> int:
        """Return the cell that a text names."""
        return notation.parse_cell(text)

    def svg(self, **options: Any) -> str:
        """Return the board as a picture."""
        return draw.board(self, **options)

    def __str__(self) -> str:
        cells = self.text()
        rows = [f"{row + 1} " + " ".join(cells[3 * row : 3 * row + 3]) for row in range(3)]
        return "\n".join(["  a b c", *rows])
