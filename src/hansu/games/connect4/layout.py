"""Where the cells of a Connect Four board lie in a word: column by column, as in ``rules``."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Layout:
    """A board of some width and height; one cell on top of every column stays empty.

    >>> board = Layout(7, 6)
    >>> board.stride, bin(board.column(0)), board.cells == sum(map(board.row, range(6)))
    (7, '0b111111', True)
    """

    width: int
    height: int

    @property
    def stride(self) -> int:
        """From a cell to its neighbour on the right."""
        return self.height + 1

    down_right = property(lambda self: self.stride - 1)
    right = property(lambda self: self.stride)
    up_right = property(lambda self: self.stride + 1)

    @property
    def bottom(self) -> int:
        """The lowest cell of each column."""
        return self.row(0)

    @property
    def cells(self) -> int:
        """All cells."""
        return sum(map(self.column, range(self.width)))

    def column(self, at: int) -> int:
        """Return the cells of a column, counted from 0."""
        return ((1 << self.height) - 1) << self.stride * at

    def row(self, at: int) -> int:
        """Return the cells of a row, counted from 0 at the bottom."""
        return sum(1 << (self.stride * column + at) for column in range(self.width))
