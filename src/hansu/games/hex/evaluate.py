"""An evaluation by the stones that each side still needs to join its edges."""

import math

import numpy as np

from hansu.games.hex.rules import (
    BLACK,
    BORDER,
    COLOR,
    EMPTY,
    MAX_SIZE,
    SECOND,
    SECOND_EDGE,
    SIZE,
    WHITE,
    board_of,
    neighbours,
    place_of,
)
from hansu.kernel import borrowed, kernel, scratch

TEMPO = 0.5  # being to move is worth half a stone
CUT_OFF = 1 << 14  # more stones than any board holds
MOST_PLACES = (MAX_SIZE + 2) * (MAX_SIZE + 2)  # with the border
MOST_WAITING = 4 * MOST_PLACES


@kernel
def missing(words, color):
    """Return the fewest stones that would complete a connection (0-1 breadth-first search)."""
    board, size = board_of(words), np.int64(words[SIZE])
    places = (size + 2) * (size + 2)
    distance = scratch(MOST_PLACES, np.int16)
    for place in range(places):
        distance[place] = CUT_OFF
    # Cells that cost nothing more go to the front, the others to the back; none goes in thrice.
    waiting = scratch(MOST_WAITING, np.int16)
    front = back = 2 * places
    for i in range(size):
        cell = i if color == BLACK else i * size
        place = place_of(words, cell)
        if board[place] == EMPTY or board[place] & COLOR == color:
            distance[place] = board[place] == EMPTY
            waiting[back] = place
            back += 1
    best = CUT_OFF
    while front < back:
        place = np.int64(waiting[front])
        front += 1
        for near in neighbours(words, place):
            if board[near] == EMPTY:
                cost = distance[place] + 1
            elif board[near] & COLOR == color:
                cost = distance[place]
            else:
                continue
            if board[near] & BORDER:
                if board[near] & SECOND_EDGE:
                    best = min(best, distance[place])
            elif cost < distance[near]:
                distance[near] = cost
                if cost == distance[place]:
                    front -= 1
                    waiting[front] = near
                else:
                    waiting[back] = near
                    back += 1
    return best


@kernel
def evaluate(pos):
    """Return Black's chance by the stones that both still need, in (0, 1)."""
    words = borrowed(pos.words)
    lead = missing(words, WHITE) - missing(words, BLACK)
    lead += -TEMPO if words[SECOND] else TEMPO
    return 1.0 / (1.0 + math.exp(-lead))
