"""Two planes, my stones and theirs; an action is a cell, the last one the swap if there is one.

The side to move always joins top and bottom: White sees the board with columns and rows exchanged.
"""

import numpy as np

from hansu.games.hex.rules import COLOR, ONE, SECOND, SIZE, WHITE, ZERO, board_of, place_of
from hansu.games.packing import Packing, packing
from hansu.kernel import borrowed, kernel

PLANE_NAMES = ("my stones", "their stones")
SIX, BIT_MASK = np.uint64(6), np.uint64(63)


def board_packing(size: int) -> Packing:
    """Return the two sets after each other, a bit a cell."""
    bits = 2 * size * size
    return packing(np.arange(bits), (bits + 63) // 64)


@kernel
def turned(words, cell):
    """Return where the side to move sees a cell; its own inverse."""
    size = np.int64(words[SIZE])
    return cell % size * size + cell // size if words[SECOND] else cell


@kernel
def pack(pos, out):
    """Write the two sets."""
    words = borrowed(pos.words)
    board, cells = board_of(words), np.int64(words[SIZE] * words[SIZE])
    out[:] = ZERO
    for cell in range(cells):
        color = board[place_of(words, cell)] & COLOR
        if color:
            theirs = (color == WHITE) != (words[SECOND] == ONE)
            place = np.uint64(turned(words, cell) + (cells if theirs else 0))
            out[place >> SIX] |= ONE << (place & BIT_MASK)


@kernel
def planes(pos, out):
    """Fill the zeroed array [2, size, size]."""
    words = borrowed(pos.words)
    board, size = board_of(words), np.int64(words[SIZE])
    for cell in range(size * size):
        color = board[place_of(words, cell)] & COLOR
        if color:
            theirs = (color == WHITE) != (words[SECOND] == ONE)
            seen = turned(words, cell)
            out[np.int64(theirs), seen // size, seen % size] = np.float32(1)


@kernel
def action(pos, move):
    """Return a move's number among the network's outputs."""
    words = borrowed(pos.words)
    return move if move == np.int64(words[SIZE] * words[SIZE]) else turned(words, move)


@kernel
def move(pos, action):
    """Return the move an output stands for."""
    words = borrowed(pos.words)
    return action if action == np.int64(words[SIZE] * words[SIZE]) else turned(words, action)
