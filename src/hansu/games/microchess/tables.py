"""What the pieces of microchess see, worked out once when the game is loaded.

Squares are python-chess's: a1 is 0, a rank is 8 squares, so the board is the lower left corner of
an 8x8 one and files e-h stay empty. A table's rows are squares; rows off the board are zero.

A slider's view depends on the pieces in its way. Few squares matter (at most five for a rook, two
for a bishop: the last square of a line hides nothing), so all views fit a small table. "Magic"
multiplication finds the right one: the product's top bits tell the cases apart. One multiplier
serves all squares of this small board; it was found by trying random numbers, and loading this
module checks it: two different views never share a place.
"""

import numpy as np
from numpy.typing import NDArray

from hansu.kernel import kernel

FILES, RANKS = 4, 5
SQUARES = [8 * rank + file for rank in range(RANKS) for file in range(FILES)]
ROWS = SQUARES[-1] + 1

DIAGONALS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STRAIGHTS = [(1, 0), (-1, 0), (0, 1), (0, -1)]
LEAPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]

ROOK_MAGIC, ROOK_BITS = np.uint64(0xA034_AC05_2010_2720), 6
BISHOP_MAGIC, BISHOP_BITS = np.uint64(0x1233_2EE0_2801_60A0), 3
ROOK_SHIFT, BISHOP_SHIFT = np.uint64(64 - ROOK_BITS), np.uint64(64 - BISHOP_BITS)

Steps = list[tuple[int, int]]
Table = NDArray[np.uint64]


def _ray(square: int, step: tuple[int, int]) -> list[int]:
    """Return the squares in one direction, nearest first."""
    file, rank = square % 8 + step[0], square // 8 + step[1]
    squares = []
    while 0 <= file < FILES and 0 <= rank < RANKS:
        squares.append(8 * rank + file)
        file, rank = file + step[0], rank + step[1]
    return squares


def _set(squares: list[int]) -> int:
    return sum(1 << square for square in squares)


def _view(square: int, steps: Steps, occupied: int) -> int:
    """Return what a slider sees: each ray up to the first piece, which is seen too."""
    view = 0
    for step in steps:
        for target in _ray(square, step):
            view |= 1 << target
            if occupied >> target & 1:
                break
    return view


def _leaper(steps: Steps) -> Table:
    """Return what a king or knight sees from each square."""
    table = np.zeros(ROWS, np.uint64)
    for square in SQUARES:
        table[square] = _set([ray[0] for step in steps if (ray := _ray(square, step))])
    return table


def _slider(steps: Steps, magic: np.uint64, bits: int) -> tuple[Table, Table]:
    """Return for each square, the squares whose pieces matter, and the views by magic index."""
    mask, views = np.zeros(ROWS, np.uint64), np.zeros((ROWS, 1 << bits), np.uint64)
    for square in SQUARES:
        inner = _set([target for step in steps for target in _ray(square, step)[:-1]])
        mask[square] = inner
        occupied = 0
        while True:  # all subsets of the inner squares
            index = (occupied * int(magic) & 0xFFFF_FFFF_FFFF_FFFF) >> (64 - bits)
            view = _view(square, steps, occupied)
            assert views[square, index] in (0, view), "two views share a place: bad multiplier"
            views[square, index] = view
            occupied = (occupied - inner) & inner
            if not occupied:
                break
    return mask, views


def _lines() -> tuple[Table, Table]:
    """Return tables of the squares strictly between two squares, and of the line through them."""
    between, line = np.zeros((ROWS, ROWS), np.uint64), np.zeros((ROWS, ROWS), np.uint64)
    for square in SQUARES:
        for file, rank in DIAGONALS + STRAIGHTS:
            ray = _ray(square, (file, rank))
            whole = _set([square, *ray, *_ray(square, (-file, -rank))])
            for i, target in enumerate(ray):
                between[square, target] = _set(ray[:i])
                line[square, target] = whole
    return between, line


KING = _leaper(DIAGONALS + STRAIGHTS)
KNIGHT = _leaper(LEAPS)
ROOK_MASK, ROOK_VIEWS = _slider(STRAIGHTS, ROOK_MAGIC, ROOK_BITS)
BISHOP_MASK, BISHOP_VIEWS = _slider(DIAGONALS, BISHOP_MAGIC, BISHOP_BITS)
BETWEEN, LINE = _lines()


@kernel
def rook_view(square, occupied):
    """Return what a rook on a square sees."""
    return ROOK_VIEWS[square, ((occupied & ROOK_MASK[square]) * ROOK_MAGIC) >> ROOK_SHIFT]


@kernel
def bishop_view(square, occupied):
    """Return what a bishop on a square sees."""
    return BISHOP_VIEWS[square, ((occupied & BISHOP_MASK[square]) * BISHOP_MAGIC) >> BISHOP_SHIFT]
