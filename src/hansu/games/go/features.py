"""Seven planes from the view of the side to move; an action is a point, the last one the pass.

    0  my stones                  4  points where I may not play: self-capture
    1  their stones               5  ones after a pass: passing too ends the game
    2  my stones in atari         6  komi from my view, in tens of points
    3  their stones in atari

The position alone decides them: superko, which depends on the way that led here, is left out.
"""

import numpy as np

from hansu.games.go.board import (
    BLACK,
    BORDER,
    EMPTIES,
    EMPTY,
    HEAD,
    KOMI,
    KOMI_ZERO,
    LIBERTIES,
    LIST,
    NEXT,
    PASSES,
    POINT_COUNT,
    SECOND,
    WIDTH,
    cell_of,
    cells_of,
    neighbours,
    point_of,
)
from hansu.games.go.rules import look_ahead
from hansu.kernel import borrowed, kernel

PLANES = 7


@kernel
def planes(pos, out):
    """Fill the zeroed array [7, height, width]."""
    words = borrowed(pos.words)
    cells = cells_of(words)
    width = np.int64(words[WIDTH])
    me = BLACK + words[SECOND]
    for point in range(np.int64(words[POINT_COUNT])):
        color = cells[cell_of(words, point)]
        if color != EMPTY:
            out[0 if color == me else 1, point // width, point % width] = np.float32(1)
    for i in range(np.int64(words[EMPTIES])):
        at = np.uint64(cells[words[LIST] + np.uint64(i)])
        mark_atari(words, cells, at, me, out)
        if not look_ahead(words, cells, at)[0]:
            point = point_of(words, at)
            out[4, point // width, point % width] = np.float32(1)
    if words[PASSES]:
        out[5] = np.float32(1)
    komi = np.float32(np.int64(words[KOMI]) - KOMI_ZERO) / np.float32(20)
    out[6] = komi if words[SECOND] else -komi


@kernel
def mark_atari(words, cells, at, me, out):
    """Mark the strings whose only liberty is this empty cell."""
    width = np.int64(words[WIDTH])
    for near in neighbours(words, at):
        color = cells[near]
        head = np.uint64(cells[near + HEAD])
        touching = 0
        for other in neighbours(words, at):
            touching += cells[other + HEAD] == head
        if color in (EMPTY, BORDER) or cells[head + LIBERTIES] != touching:
            continue
        stone = head
        while True:
            point = point_of(words, stone)
            out[2 if color == me else 3, point // width, point % width] = np.float32(1)
            stone = np.uint64(cells[stone + NEXT])
            if stone == head:
                break


@kernel
def action(pos, move):
    """A move's number among the network's outputs."""
    return move


@kernel
def move(pos, action):
    """The move an output stands for."""
    return action
