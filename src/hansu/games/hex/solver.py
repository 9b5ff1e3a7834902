"""The exact solver of small Hex boards; a win is worth more the more stones the winner keeps."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hansu.errors import HansuError
from hansu.games.hex import null_window, rules
from hansu.games.solver import Bounds, Solver, Work, new_table, turns_to_end, win_score

if TYPE_CHECKING:
    from hansu.games.hex import Hex


class HexSolver(Solver):
    """Null-window search with a transposition table."""

    def __init__(self, game: "Hex", memory: int) -> None:
        if game.size > null_window.MAX_SIZE:
            most = null_window.MAX_SIZE
            size = f"{game.size}x{game.size}"
            raise HansuError(f"hex has an exact solver to {most}x{most}, not for {size}")
        self.size, self._cells = game.size, game.cells
        self.table = new_table(memory)
        self._bits = np.uint64(len(self.table).bit_length() - 1)
        self._search = null_window.make_narrow(self.size)
        self._completing = null_window.make_board(self.size)

    def bounds(self, state: Any) -> Bounds:
        """Return what the rules tell."""
        found = self._plain_bounds(state)
        if rules.may_swap(state.words):
            found = _better(found, -self.bounds(self._swapped(state)))
        return found

    def narrow(self, state: Any, known: Bounds, window: Bounds, work: Work) -> Bounds:
        """Search with null windows; where the side to move may swap, that position too."""
        if not rules.may_swap(state.words):
            return self._narrow(state, known, window, work)
        plain = self._narrow(state, self._plain_bounds(state), window, work)
        swapped = self._swapped(state)
        other = -self._narrow(swapped, self.bounds(swapped), -window, work)
        return known & _better(plain, other)

    def order(self, state: Any) -> list[Any]:
        """Return the legal moves, those in the middle first."""
        order = null_window.make_order(self.size).tolist()
        return sorted(state.legal_moves, key=lambda move: self._rank(order, move))

    def plies(self, state: Any, score: int) -> int | None:
        """Return after how many stones the game ends; a swap is no stone."""
        stones = int(state.words[rules.STONES])
        return None if rules.may_swap(state.words) else turns_to_end(self._cells, stones, score)

    def rules_text(self) -> str:
        """Return the size of the board."""
        return f"{self.size}x{self.size}"

    def _narrow(self, state: Any, known: Bounds, window: Bounds, work: Work) -> Bounds:
        found, wanted = np.array(known), np.array(window)
        self._search(*self._position(state), found, wanted, self.table, self._bits, work)
        return Bounds(*found.tolist())

    def _plain_bounds(self, state: Any) -> Bounds:
        """Return the bounds without a swap."""
        mine, theirs, second, stones = self._position(state)
        if state.is_game_over():
            score = -win_score(self._cells, stones - 1)
            return Bounds(score, score)
        empty = ~(mine | theirs)
        if self._completing(mine, second, empty):
            score = win_score(self._cells, stones)
            return Bounds(score, score)
        return Bounds(-win_score(self._cells, stones + 1), win_score(self._cells, stones + 2))

    def _rank(self, order: list[int], move: int) -> int:
        is_cell = move < self._cells
        return order.index(1 << self._place(move)) if is_cell else len(order)

    def _place(self, cell: int) -> int:
        return cell // self.size * (self.size + 1) + cell % self.size

    def _swapped(self, state: Any) -> Any:
        return state.forward(self._cells)

    def _position(self, state: Any) -> tuple[Any, Any, Any, int]:
        """Return a state as the compiled search takes it."""
        sets = {state.turn: 0, not state.turn: 0}
        for cell, owner in enumerate(state.stones()):
            if owner is not None:
                sets[owner] |= 1 << self._place(cell)
        second = state.words[rules.SECOND]
        stones = int(state.words[rules.STONES])
        return np.uint64(sets[state.turn]), np.uint64(sets[not state.turn]), second, stones


def _better(one: Bounds, other: Bounds) -> Bounds:
    """Return the bounds of the better of two."""
    return Bounds(max(one.lower, other.lower), max(one.upper, other.upper))
