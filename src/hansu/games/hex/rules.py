"""Hex rules on a board whose border is made of stones.

Cells are numbered row by row from the top left; a move is the number of a cell, and the number
after the last cell is the swap. A board of size 3 has nine cells, each touching six others:

    a  b  c
     0  1  2   1           a cell touches       (column, row - 1)  (column + 1, row - 1)
      3  4  5   2                           (column - 1, row)          (column + 1, row)
       6  7  8   3                    (column - 1, row + 1)  (column, row + 1)

The array of words is a header, then one byte for each cell of the board *with its border*:

    B B B B B      Black joins the top and the bottom edge, White the left and the right one.
    W . . . W      So the border is laid with their stones: a chain has reached an edge when it
    W . . . W      touches one of these.
    W . . . W
    B B B B B

A byte holds the colour, and whether its chain reaches the player's first edge (top, left) and the
second one (bottom, right). ``play`` spreads these two marks along the chains that a new stone
joins. A stone gets each mark once at most, so all connectivity tests of a game together visit
every cell a few times; a stone with both marks has won.
"""

from typing import Any

import numpy as np

from hansu.games.array_position import Position, copy, pack, unpack  # noqa: F401
from hansu.kernel import borrowed, kernel, random_below, scratch

MIN_SIZE, MAX_SIZE = 3, 19
MAX_MOVES = MAX_SIZE * MAX_SIZE  # the swap is offered when one cell is taken
USES_PATH = False
ENDINGS = ("", "connection")
CONNECTION = 1

# The header: which word is what.
PLY, SECOND, KEY, SIZE, SWAP, STONES, WINNER, LAST = range(8)
HEADER = 8
NOWHERE = 0  # as LAST: no stone has been played; that place is a corner of the border

# A byte of the board; WINNER holds a colour too.
EMPTY, BLACK, WHITE = (np.uint8(n) for n in range(3))
COLOR = np.uint8(3)
FIRST_EDGE, SECOND_EDGE = np.uint8(4), np.uint8(8)
BOTH_EDGES = np.uint8(12)
BORDER = np.uint8(16)  # not a cell: its marks never change

ZERO, ONE, TWO = (np.uint64(n) for n in range(3))

_codes = np.random.PCG64(1942).random_raw(3 * MAX_MOVES + 1)
ZOBRIST = _codes[:-1].reshape(3, MAX_MOVES)
"""ZOBRIST[color, cell]: what a stone adds to the hash of a position."""

SIDE = _codes[-1]  # White is to move

PLACES = np.zeros((MAX_SIZE + 1, MAX_MOVES), np.uint16)
"""PLACES[size, cell]: where a cell lies on the board with its border."""

for _size in range(MIN_SIZE, MAX_SIZE + 1):
    for _cell in range(_size * _size):
        PLACES[_size, _cell] = (_cell // _size + 1) * (_size + 2) + _cell % _size + 1


@kernel
def start(size: int, swap: bool) -> Any:
    """Return the words of the empty board with Black to move."""
    wide = size + 2
    words = np.zeros(HEADER + (wide * wide + 7) // 8, np.uint64)
    words[SIZE], words[SWAP] = size, swap
    board = board_of(words)
    for i in range(wide):
        board[i * wide] = WHITE | FIRST_EDGE | BORDER
        board[i * wide + wide - 1] = WHITE | SECOND_EDGE | BORDER
    for i in range(wide):
        board[i] = BLACK | FIRST_EDGE | BORDER
        board[(wide - 1) * wide + i] = BLACK | SECOND_EDGE | BORDER
    return words


@kernel
def set_up(words: Any, colors: Any, second: int) -> None:
    """Put stones on an empty board: ``colors[cell]`` is EMPTY, BLACK or WHITE."""
    for cell in range(len(colors)):
        if colors[cell] != EMPTY:
            put(words, cell, np.uint8(colors[cell]))
    words[LAST] = NOWHERE
    if second:
        words[SECOND] = ONE
        words[KEY] ^= SIDE


@kernel(inline=True)
def board_of(words: Any) -> Any:
    """Return the bytes of the board with its border."""
    return words[HEADER:].view(np.uint8)


@kernel
def place_of(words, cell):
    """Return where a cell lies on the board with its border."""
    return np.int64(PLACES[words[SIZE], cell])


@kernel
def neighbours(words, place):
    """Return the six places beside a place, in a circle."""
    wide = np.int64(words[SIZE]) + 2
    return place - wide, place - wide + 1, place + 1, place + wide, place + wide - 1, place - 1


@kernel
def put(words, cell, color):
    """Put a stone on an empty cell, and note whether it completes a connection."""
    board, place = board_of(words), place_of(words, cell)
    board[place] = color
    words[LAST] = place
    words[KEY] ^= ZOBRIST[color, cell]
    words[STONES] += ONE
    reached = np.uint8(0)
    for near in neighbours(words, place):
        if board[near] & COLOR == color:
            reached |= board[near] & BOTH_EDGES
    if reached:
        board[place] |= reached
        for near in neighbours(words, place):
            if lacks(board, near, color, reached):
                spread(words, board, place, reached)
                break
    if reached == BOTH_EDGES:
        words[WINNER] = np.uint64(color)


@kernel
def spread(words, board, place, reached):
    """Mark all stones that hang together with a marked one as reaching the same edges."""
    color = board[place] & COLOR
    waiting = scratch(MAX_MOVES, np.int16)
    waiting[0], n = place, 1
    while n:
        n -= 1
        for near in neighbours(words, np.int64(waiting[n])):
            if lacks(board, near, color, reached):
                board[near] |= reached
                waiting[n] = near
                n += 1


@kernel
def lacks(board, place, color, reached):
    """Return whether a stone of a colour stands here without the marks of some edges."""
    return board[place] & (COLOR | BORDER) == color and board[place] & reached != reached


@kernel
def may_swap(words: Any) -> Any:
    """Return whether White may take over the only stone on the board instead of playing."""
    return words[SWAP] == ONE and words[SECOND] == ONE and words[STONES] == ONE


@kernel
def play(pos, move):
    """Return the position after a legal move, which is not checked; consumes pos."""
    words = borrowed(pos.words)
    cells = np.int64(words[SIZE] * words[SIZE])
    if move == cells:
        take_over(words, cells)
    else:
        put(words, move, WHITE if words[SECOND] else BLACK)
    words[KEY] ^= SIDE
    words[PLY] += ONE
    words[SECOND] ^= ONE
    return Position(words[PLY], words[SECOND], pos.words)


@kernel
def take_over(words, cells):
    """Swap: Black's only stone becomes White's, its column and row exchanged."""
    board, size = board_of(words), np.int64(words[SIZE])
    for cell in range(cells):
        place = place_of(words, cell)
        if board[place] != EMPTY:
            board[place] = EMPTY
            words[KEY] ^= ZOBRIST[BLACK, cell]
            words[STONES] = ZERO
            put(words, cell % size * size + cell // size, WHITE)
            return


@kernel
def legal_moves(pos, path, out):
    """Write the empty cells to ``out``, the swap last; none once a connection is complete."""
    words = borrowed(pos.words)
    if words[WINNER]:
        return 0
    board, size = board_of(words), np.int64(words[SIZE])
    n = 0
    for row in range(size):
        place = (row + 1) * (size + 2) + 1
        for column in range(size):
            if board[place + column] == EMPTY:
                out[n] = row * size + column
                n += 1
    if may_swap(words):
        out[n] = size * size
        n += 1
    return n


@kernel
def ending(pos, path, n_moves):
    """Return 0 while the game runs, else CONNECTION, which every full board has."""
    return CONNECTION if pos.words[WINNER] else 0


@kernel
def can_end(pos):
    """Return whether a single move could end the game: a chain needs a stone in every row."""
    return pos.words[STONES] + TWO >= TWO * pos.words[SIZE] - ONE


@kernel
def score_first(pos, ending):
    """Return +1 or -1 for Black. Asked only when the game is over."""
    return 1 if pos.words[WINNER] == np.uint64(BLACK) else -1


@kernel
def key(pos):
    """Return a hash of the position."""
    return pos.words[KEY]


@kernel
def random_move(pos, path, moves, rng):
    """Return a random empty cell, or the swap where it is allowed; minus the ending when over.

    Cells are tried at random until one is empty: games end long before the board is full.
    """
    words = borrowed(pos.words)
    if words[WINNER]:
        return -CONNECTION
    board, cells = board_of(words), np.int64(words[SIZE] * words[SIZE])
    choices = cells + 1 if may_swap(words) else cells
    while True:
        move = random_below(rng, choices)
        if move == cells or board[place_of(words, move)] == EMPTY:
            return move
