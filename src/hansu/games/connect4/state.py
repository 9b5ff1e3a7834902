"""The state of a game of Connect Four."""

from typing import TYPE_CHECKING, Any

from hansu.games.connect4 import draw, notation
from hansu.games.state import PlainState

if TYPE_CHECKING:
    from hansu.games.connect4 import Connect4


class Connect4State(PlainState):
    """A Connect Four position. Moves are the columns 1-7.

    >>> import hansu
    >>> state = hansu.game("connect4").parse("4453")
    >>> print(state)
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . o . . .
    . . o x x . .
    1 2 3 4 5 6 7
    >>> state.legal_moves
    [1, 2, 3, 4, 5, 6, 7]
    """

    game: "Connect4"

    def text(self) -> str:
        """Return the columns played so far, such as 4453."""
        return "".join(map(str, self.move_stack))

    def format_move(self, move: int) -> str:
        """Return the column's number."""
        return notation.format_column(self.game.board, move)

    def read_move(self, text: str) -> int:
        """Return the column that a text names."""
        return notation.parse_column(self.game.board, text)

    def svg(self, **options: Any) -> str:
        """Return the board as a picture."""
        return draw.board(self, **options)

    def stones(self) -> tuple[int, int]:
        """Return the first and the second player's cells as sets, numbered as in ``rules``."""
        _, second, mine, theirs, *_ = map(int, self.words)
        return (theirs, mine) if second else (mine, theirs)

    def __str__(self) -> str:
        board, (first, second) = self.game.board, self.stones()
        rows = [
            " ".join(
                "x" if first >> cell & 1 else "o" if second >> cell & 1 else "."
                for cell in range(row, board.stride * board.width, board.stride)
            )
            for row in reversed(range(board.height))
        ]
        return "\n".join([*rows, notation.footer(board)])
