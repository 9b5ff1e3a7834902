"""The state of an Othello game."""

from typing import Any

from hansu.games.game import BLACK
from hansu.games.othello import draw, notation
from hansu.games.othello.rules import PASS
from hansu.games.state import PlainState


class OthelloState(PlainState):
    """An Othello position. Moves are the squares 0-63, row by row from the top left; 64 passes.

    >>> import hansu
    >>> state = hansu.game("othello").parse("f5d6")
    >>> print(state)
      a b c d e f g h
    1 - - - - - - - -
    2 - - - - - - - -
    3 - - - - - - - -
    4 - - - O X - - -
    5 - - - O X X - -
    6 - - - O - - - -
    7 - - - - - - - -
    8 - - - - - - - -
    X to move
    >>> [state.move_text(move) for move in state.legal_moves]
    ['c3', 'c4', 'c5', 'c6', 'c7']
    """

    def text(self) -> str:
        """Return the 64 squares from a1 to h8 (X Black, O White, - empty) and the side to move."""
        return f"{notation.format_board(*self.discs())} {self._side()}"

    def transcript(self) -> str:
        """Return the moves since the start of this game, passes left out: f5d6c3..."""
        return "".join(notation.format_square(m) for m in self.move_stack if m != PASS)

    def format_move(self, move: int) -> str:
        """Return the name of a square, such as f5, or pass."""
        return notation.format_square(move)

    def read_move(self, text: str) -> int:
        """Return the move that a text names."""
        return notation.parse_square(text)

    def svg(self, **options: Any) -> str:
        """Return the board as a picture."""
        return draw.board(self, **options)

    def discs(self) -> tuple[int, int]:
        """Return Black's and White's discs as sets of squares, bit 0 for a1."""
        _, second, mine, theirs = map(int, self.words)
        return (theirs, mine) if second else (mine, theirs)

    def tournament_score(self, color: bool) -> int:
        """Return the discs of a player in a finished game, with the empties given to the winner.

        Tournaments and databases count so; both get half of them in a draw. An outcome's margin
        is the plain difference of discs.
        """
        black, white = (discs.bit_count() for discs in self.discs())
        empty = 64 - black - white
        share = empty if black > white else 0 if black < white else empty // 2
        return black + share if color == BLACK else 64 - black - share

    def tally(self) -> dict[str, tuple[float, float]]:
        """Return the discs of both."""
        black, white = (discs.bit_count() for discs in self.discs())
        return {"discs": (white, black)}

    def _margin(self) -> float:
        black, white = self.discs()
        return float(abs(black.bit_count() - white.bit_count()))

    def _side(self) -> str:
        return "X" if self.turn == BLACK else "O"

    def __str__(self) -> str:
        board = self.text()
        rows = [
            f"{rank} " + " ".join(board[8 * row : 8 * row + 8])
            for row, rank in enumerate(notation.RANKS)
        ]
        return "\n".join(["  " + " ".join(notation.FILES), *rows, f"{self._side()} to move"])
