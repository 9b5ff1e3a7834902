"""Heavy playouts of Hex: answer an intrusion into a bridge, else play anywhere.

A bridge is two stones with two empty common neighbours. It is as good as a connection: if one of
the two cells is taken, the other one is left. So around the last stone (*) look for an own stone,
an empty cell and an own stone in a row:

      x .            the last stone was put between the two x: the cell next to it,
     * x             which touches both, saves the connection
"""

import numpy as np

from hansu.games.hex.rules import (
    BLACK,
    COLOR,
    EMPTY,
    LAST,
    NOWHERE,
    SIZE,
    WHITE,
    board_of,
    neighbours,
    random_move,
)
from hansu.kernel import borrowed, kernel, random_below


@kernel
def heavy_move(pos, path, moves, rng):
    """Return the cell that saves a bridge beside the last stone, else a random move."""
    move = random_move(pos, path, moves, rng)
    words = borrowed(pos.words)
    last = np.int64(words[LAST])
    if move < 0 or last == NOWHERE:
        return move
    board, mine = board_of(words), WHITE if pos.second else BLACK
    if board[last] & COLOR == mine:
        return move  # the stone was taken over by a swap
    around = neighbours(words, last)
    begin = random_below(rng, 6)
    for i in range(6):
        middle = around[(begin + i) % 6]
        before, after = around[(begin + i + 5) % 6], around[(begin + i + 1) % 6]
        if (
            board[middle] == EMPTY
            and board[before] & COLOR == mine
            and board[after] & COLOR == mine
        ):
            wide = np.int64(words[SIZE]) + 2
            return (middle // wide - 1) * (wide - 2) + middle % wide - 1
    return move
