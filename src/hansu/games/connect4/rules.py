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

A move is the number of a column, 1 to 7. Boards of another width and height are numbered alike,
with one unused cell on top of every column: they must fit into 64 bits.
"""

from typing import NamedTuple

import numpy as np

from hansu.games.connect4.layout import Layout
from hansu.kernel import kernel, mix, popcount, random_below

COLUMNS, ROWS = 7, 6  # of the usual board
STRIDE = ROWS + 1  # from a cell to its neighbour on the right
LEAST, MOST = 4, 8  # columns or rows of any board

MAX_MOVES = MOST
USES_PATH = False
ENDINGS = ("", "line", "board_full")
LINE, BOARD_FULL = 1, 2

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
UP = ONE
HEIGHT = np.uint64(ROWS)
BOARD = np.uint64(Layout(COLUMNS, ROWS).cells)


class Position(NamedTuple):
    """The cells of the side to move and of the other side, as sets."""

    ply: np.uint64
    second: np.uint64  # 1 when the second player is to move
    mine: np.uint64
    theirs: np.uint64
    no_center: np.uint64  # 1 when the very first move may not be the middle column
    bottom: np.uint64  # the lowest cell of every column
    height: np.uint64  # rows: one step down and right, too


@kernel
def fours(cells, step):
    """Return the cells that begin four in a row in one direction."""
    pairs = cells & (cells >> step)
    return pairs & (pairs >> (step * TWO))


@kernel
def has_line(cells: np.uint64, height: np.uint64 = HEIGHT) -> bool:
    """Return whether four of the cells are in a row."""
    across = fours(cells, height) | fours(cells, height + ONE) | fours(cells, height + TWO)
    return bool(across | fours(cells, UP))


@kernel
def line_cells(cells: np.uint64, height: np.uint64 = HEIGHT) -> np.uint64:
    """Return those of the cells that are part of four or more in a row."""
    found = ZERO
    for step in (UP, height, height + ONE, height + TWO):
        line = fours(cells, step)
        for _ in range(4):
            found |= line
            line <<= step
    return found


@kernel
def board_cells(pos):
    """Return all cells of the board."""
    return pos.bottom * ((ONE << pos.height) - ONE)


@kernel
def columns(pos):
    """Return how many columns the board has."""
    return np.int64(popcount(pos.bottom))


@kernel
def landings(pos):
    """Return the cell that each open column would fill next; a line is not checked."""
    occupied = pos.mine | pos.theirs
    # Adding 1 to a column of ones carries to the cell above.
    cells = (occupied + pos.bottom) & board_cells(pos)
    if pos.no_center and not occupied:
        cells &= ~column_cells(pos, columns(pos) // 2 + 1)
    return cells


@kernel
def column_cells(pos, move):
    """Return the cells of the column that a move names."""
    return ((ONE << pos.height) - ONE) << ((pos.height + ONE) * np.uint64(move - 1))


@kernel
def legal_moves(pos, path, out):
    """Write the open columns to ``out``; none once there is a line."""
    if has_line(pos.theirs, pos.height):
        return 0
    n = 0
    cells = landings(pos)
    for move in range(1, columns(pos) + 1):
        if cells & column_cells(pos, move):
            out[n] = move
            n += 1
    return n


@kernel
def count_moves(pos, path, out):
    """Return how many legal moves there are, without writing them."""
    return 0 if has_line(pos.theirs, pos.height) else np.int64(popcount(landings(pos)))


@kernel
def play(pos, move):
    """Return the position after a move, which must be legal: nothing is checked here."""
    occupied = pos.mine | pos.theirs
    landing = (occupied + (ONE << ((pos.height + ONE) * np.uint64(move - 1)))) & ~occupied
    return Position(
        *(pos.ply + ONE, pos.second ^ ONE, pos.theirs, pos.mine | landing),
        *(pos.no_center, pos.bottom, pos.height),
    )


@kernel
def ending(pos, path, n_moves):
    """Return 0 while the game runs, else an index into ENDINGS."""
    if n_moves:
        return 0
    return LINE if has_line(pos.theirs, pos.height) else BOARD_FULL


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
    if has_line(pos.theirs, pos.height):
        return -LINE
    cells = landings(pos)
    if not cells:
        return -BOARD_FULL
    while True:
        move = random_below(rng, columns(pos)) + 1
        if cells & column_cells(pos, move):
            return move
