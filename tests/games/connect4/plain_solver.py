"""Connect Four solved the obvious way: every line to its end, scores as Pascal Pons has them."""

import functools

Columns = tuple[str, ...]  # the stones of each column from the bottom up


def wins(columns: Columns, column: int, height: int) -> bool:
    """Whether the top stone of a column is part of four in a row."""
    row = len(columns[column]) - 1
    stone = columns[column][row]

    def is_own(x: int, y: int) -> bool:
        return 0 <= x < len(columns) and 0 <= y < len(columns[x]) and columns[x][y] == stone

    for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            step = 1
            while is_own(column + sign * step * dx, row + sign * step * dy):
                length, step = length + 1, step + 1
        if length >= 4:
            return True
    return False


class PlainSolver:
    """Scores of all positions of one board size."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.score = functools.cache(self._score)

    def position(self, moves: str) -> Columns:
        columns = [""] * self.width
        for turn, move in enumerate(moves):
            columns[int(move) - 1] += "xo"[turn % 2]
        return tuple(columns)

    def after(self, columns: Columns, column: int) -> Columns:
        stone = "xo"[sum(map(len, columns)) % 2]
        return (*columns[:column], columns[column] + stone, *columns[column + 1 :])

    def _score(self, columns: Columns) -> int:
        """For the side to move: stones that the winner keeps, and one more."""
        stones = sum(map(len, columns))
        cells = self.width * self.height
        if stones == cells:
            return 0
        best = -cells
        for column in range(self.width):
            if len(columns[column]) < self.height:
                there = self.after(columns, column)
                if wins(there, column, self.height):
                    return (cells - stones + 1) // 2
                best = max(best, -self.score(there))
        return best
