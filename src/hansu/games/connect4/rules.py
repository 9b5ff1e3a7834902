"""Connect Four rules on two sets of cells.

Cells are numbered column by column from the bottom, seven to a column. The seventh belongs to no
column: it stays empty and keeps lines from running on into the next column.

    -  -  -  -  -  -  -      6 13 20 27 34 41 48     never used
    6  .  .  .  .  .  .      5 12 19 26 33 40 47
    5  .  .  .  .  .  .      4 11 18 25 32 39 46
    4  .  .  .  .  .  .      3 10 17 24 31 38 45     one step up        +1
    3  .  .  .  .  .  .      2  9 16 23 30 37 44     down and right     +6
    2  .  .  .  .  .  .      1  8 15 22 29 36 43     right              +7
    1  .  .  .  .  .  .      0  7 14 21 28 35 42     up and right       +8
       1  2  3  4  5  6  7

A move is the number of a column, 1 to 7.
"""

from typing import NamedTuple

import numpy as np

from hansu.kernel import bit, kernel, mix, random_below

COLUMNS, ROWS = 7, 6
STRIDE = ROWS + 1  # from a cell to its neighbour on the right

MAX_MOVES = COLUMNS
USES_PATH = False
ENDINGS = ("", "line", "board_full")
LINE, BOARD_FULL = 1, 2

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
COLUMN = np.uint64(0b111111)  # the cells of the first column
BOTTOM = np.uint64(sum(1 << STRIDE * column for column in range(COLUMNS)))
BOARD = BOTTOM * COLUMN
CENTER = COLUMN << np.uint64(3 * STRIDE)
UP, DOWN_RIGHT, RIGHT, UP_RIGHT = (np.uint64(step) for step in (1, STRIDE - 1, STRIDE, STRIDE + 1))


class Position(NamedTuple):
    """The cells of the side to move and of the other side, as sets."""

    ply: np.uint64
    second: np.uint64  # 1 when the second player is to move
    mine: np.uint64
    theirs: np.uint64
    no_center: np.uint64  # 1 when the very first move may not be column 4


@kernel
def fours(cells, step):
    """Return the cells that begin four in a row in one direction."""
    pairs = cells & (cells >> step)
    return pairs & (pairs >> (step * TWO))


@kernel
def has_line(cells: np.uint64) -> bool:
    """Return whether four of the cells are in a row."""
    across = fours(cells, RIGHT) | fours(cells, UP_RIGHT) | fours(cells, DOWN_RIGHT)
    return bool(across | fours(cells, UP))


@kernel
def line_cells(cells: np.uint64) -> np.uint64:
    """Return those of the cells that are part of four or more in a row."""
    found = ZERO
    for step in (UP, DOWN_RIGHT, RIGHT, UP_RIGHT):
        line = fours(cells, step)
        for _ in range(4):
            found |= line
            line <<= step
    return found


@kernel
def landings(pos):
    """Return the cell that each open column would fill next; a line is not checked."""
    occupied = pos.mine | pos.theirs
    cells = (occupied + BOTTOM) & BOARD  # adding 1 to a column of ones carries to the cell above
    if pos.no_center and not occupied:
        cells &= ~CENTER
    return cells


@kernel
def column_cells(move):
    """Return the cells of the column that a move names."""
    return COLUMN << np.uint64(STRIDE * (move - 1))


@kernel
def legal_moves(pos, path, out):
    """Write the open columns to ``out``; none once there is a line."""
    if has_line(pos.theirs):
        return 0
    n = 0
    cells = landings(pos)
    for move in range(1, COLUMNS + 1):
        if cells & column_cells(move):
            out[n] = move
            n += 1
    return n


@kernel
def play(pos, move):
    """Return the position after a move, which must be legal: nothing is checked here."""
    occupied = pos.mine | pos.theirs
    landing = (occupied + bit(STRIDE * (move - 1))) & ~occupied
    return Position(pos.ply + ONE, pos.second ^ ONE, pos.theirs, pos.mine | landing, pos.no_center)


@kernel
def ending(pos, path, n_moves):
    """Return 0 while the game runs, else an index into ENDINGS."""
    if n_moves:
        return 0
    return LINE if has_line(pos.theirs) else BOARD_FULL


@kernel
def score_first(pos, ending):
    """Return +1, 0, -1 for the player who began. Asked only when the game is over."""
    if ending == BOARD_FULL:
        return 0
    return 1 if pos.second else -1  # the line is the work of the one who just moved


@kernel
def key(pos):
    """Return a hash of the position; two positions never share one.

    In a column with h stones ``occupied`` is 2**h - 1, so adding ``mine`` gives a number from
    2**h - 1 to 2**(h+1) - 2: it tells the height and the colours. ``mix`` loses nothing of it.
    """
    return mix(ZERO, pos.mine + (pos.mine | pos.theirs))


@kernel
def random_move(pos, path, moves, rng):
    """Return a random open column, or minus the ending: no list of moves, one look for a line.

    Columns are tried at random until one is open. In most turns of a random game all are.
    """
    if has_line(pos.theirs):
        return -LINE
    cells = landings(pos)
    if not cells:
        return -BOARD_FULL
    while True:
        move = random_below(rng, COLUMNS) + 1
        if cells & column_cells(move):
            return move
