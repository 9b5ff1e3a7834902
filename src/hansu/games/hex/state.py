"""The state of a game of Hex."""

from typing import TYPE_CHECKING, Any

from hansu.games.game import BLACK
from hansu.games.hex import draw, notation
from hansu.games.state import PlainState

if TYPE_CHECKING:
    from hansu.games.hex import Hex


class HexState(PlainState):
    """A Hex position. Moves are the cells, row by row from the top left; the last is the swap.

    >>> import hansu
    >>> state = hansu.game("hex", size=3).parse("b2 a3")
    >>> print(state)
     a b c
    1 . . .
     2 . x .
      3 o . .
    x to move
    >>> [state.move_text(move) for move in state.legal_moves]
    ['a1', 'b1', 'c1', 'a2', 'c2', 'b3', 'c3']
    """

    game: "Hex"

    def text(self) -> str:
        """Return the board as letters row by row (x Black, o White), and the side to move."""
        return f"{'/'.join(notation.format_rows(self.words))} {self._side()} to move"

    def format_move(self, move: int) -> str:
        """Return the name of a cell, such as f6, or swap."""
        return notation.format_cell(self.game.size, move)

    def read_move(self, text: str) -> int:
        """Return the move that a text names."""
        return notation.parse_cell(self.game.size, text)

    def svg(self, **options: Any) -> str:
        """Return the board as a picture."""
        return draw.board(self, **options)

    def stones(self) -> list[bool | None]:
        """Return the colour of the stone on every cell, or None."""
        owners = (None, BLACK, not BLACK)
        return [owners[color] for color in notation.colors_of(self.words)]

    def _side(self) -> str:
        return "x" if self.turn == BLACK else "o"

    def __str__(self) -> str:
        rows = [
            f"{' ' * row}{row + 1:>{1 + (self.game.size > 9)}} {' '.join(letters)}"
            for row, letters in enumerate(notation.format_rows(self.words))
        ]
        indent = " " * (1 + (self.game.size > 9))
        head = indent + " ".join(notation.COLUMNS[: self.game.size])
        return "\n".join([head, *rows, f"{self._side()} to move"])
