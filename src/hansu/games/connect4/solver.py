"""The exact solver of Connect Four; scores are those of Pascal Pons.

On the usual board a win with one's k-th stone of 21 is worth 22 - k, a loss as much less than 0, a
draw 0.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hansu.games.connect4 import book, null_window
from hansu.games.solver import Bounds, Solver, Work, new_table, turns_to_end, win_score

if TYPE_CHECKING:
    from hansu.games.connect4 import Connect4

MAX_STONES = 12  # of a position in the book
UNLIMITED = 2**62  # positions


class Connect4Solver(Solver):
    """Null-window search with a transposition table, and a book for the first moves."""

    table: NDArray[np.uint64]

    def __init__(self, game: "Connect4", memory: int, use_book: bool = True) -> None:
        self.width, self.height = game.board.width, game.board.height
        self.table = new_table(memory)
        self._bits = np.uint64(len(self.table).bit_length() - 1)
        is_for = use_book and (self.width, self.height) == (book.WIDTH, book.HEIGHT)
        self._book = book.shipped_book() if is_for else np.empty(0, np.uint64)
        self._deepest = MAX_STONES if len(self._book) else -1
        self._cells = self.width * self.height
        self._columns = [game.board.column(at) for at in range(self.width)]
        self._search = null_window.make_narrow(self.width, self.height)
        self._exact = null_window.make_exact(self.width, self.height)
        self._can_win = null_window.make_can_win(self.width, self.height)
        self._key = null_window.make_key(self.width, self.height)

    def bounds(self, state: Any) -> Bounds:
        """Return what the rules, the book and the number of cells left tell."""
        mine, mask, stones = self._position(state)
        if state.is_game_over():
            lost = state.outcome().winner is not None
            score = -win_score(self._cells, stones - 1) if lost else 0
            return Bounds(score, score)
        if self._can_win(mine, mask):
            score = win_score(self._cells, stones)
            return Bounds(score, score)
        if stones <= self._deepest:
            score = int(book.book_score(self._book, self._key(mine, mask, stones)))
            if score != book.MISSING:
                return Bounds(score, score)
        least = max(-win_score(self._cells, stones + 1), self._least(mine, mask, stones))
        return Bounds(least, win_score(self._cells, stones + 2))

    def _least(self, mine: Any, mask: Any, stones: int) -> int:
        """Return what the book tells of the positions before: no move is worth more than they."""
        least = -self._cells
        if stones > self._deepest + 1:
            return least
        for column in range(self.width):
            cells = int(mask) & self._columns[column]
            last = np.uint64(1 << cells.bit_length() >> 1)
            if last & ~mine:
                key = self._key(mine ^ mask ^ last, mask ^ last, stones - 1)
                score = int(book.book_score(self._book, key))
                if score != book.MISSING:
                    least = max(least, -score)
        return least

    def narrow(self, state: Any, known: Bounds, window: Bounds, work: Work) -> Bounds:
        """Search with null windows, first around 0."""
        found, wanted = np.array(known), np.array(window)
        self._search(
            *(*self._position(state), found, wanted),
            *(self.table, self._bits, work, self._book, self._deepest),
        )
        return Bounds(*found.tolist())

    def score(self, state: Any) -> tuple[int, int]:
        """Return the score of a position that is not over, and how many positions were searched.

        One compiled call, which cannot be stopped: for many quick positions.
        """
        mine, theirs = state.words[2], state.words[3]
        work = np.array([0, UNLIMITED])
        found = self._exact(
            *(mine, mine | theirs, self.table, self._bits, work, self._book, self._deepest)
        )
        return found, int(work[0])

    def plies(self, state: Any, score: int) -> int:
        """Return after how many stones the game ends."""
        return turns_to_end(self._cells, self._position(state)[2], score)

    def rules_text(self) -> str:
        """Return the size of the board."""
        return f"{self.width}x{self.height}"

    def _position(self, state: Any) -> tuple[Any, Any, int]:
        mine, mask = state.words[2], state.words[2] | state.words[3]
        return mine, mask, int(mask).bit_count()
