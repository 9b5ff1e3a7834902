"""Seven planes from the view of the side to move; an action is a point, the last one the pass.

The planes depend on the position alone: superko, which depends on earlier positions, is left out.
"""

import numpy as np

from hansu.games.features import same_action, same_move
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
    MAX_POINTS,
    NEXT,
    NOBODY,
    ONE,
    PASSES,
    POINT_COUNT,
    SECOND,
    WIDTH,
    ZERO,
    cell_of,
    cells_of,
    neighbours,
    point_of,
)
from hansu.games.go.board import owners as board_owners
from hansu.games.go.rules import look_ahead
from hansu.games.packing import Packing, packing
from hansu.kernel import borrowed, kernel, scratch

action, move = same_action, same_move

PLANE_NAMES = (
    "my stones",
    "their stones",
    "my stones in atari",
    "their stones in atari",
    "points where I may not play: self-capture",
    "ones after a pass: passing too ends the game",
    "komi from my view, in tens of points",
)
PLANES = len(PLANE_NAMES)
SETS = PLANES - 1  # planes that are sets of points; the last one is a number
MOST_WORDS = (SETS * MAX_POINTS + 63) // 64 + 1  # of a packed position
KOMI_UNIT = 20  # a position keeps komi in halves
SIX, BIT_MASK = np.uint64(6), np.uint64(63)


def board_packing(width: int, height: int) -> Packing:
    """Return the six sets after each other, a bit a point; then a word for komi."""
    points = width * height
    komi_word = (SETS * points + 63) // 64
    bits = np.minimum(np.arange(PLANES * points), SETS * points - 1)
    whole = {SETS * points + point: (komi_word, 1 / KOMI_UNIT) for point in range(points)}
    return packing(bits, komi_word + 1, whole)


@kernel
def mark(words, out, plane, at):
    """Add a cell to a set."""
    place = np.uint64(plane) * words[POINT_COUNT] + np.uint64(point_of(words, at))
    out[place >> SIX] |= ONE << (place & BIT_MASK)


@kernel
def pack(pos, out):
    """Write the sets, and komi from the view of the side to move."""
    words = borrowed(pos.words)
    cells = cells_of(words)
    me = BLACK + words[SECOND]
    komi_word = (SETS * np.int64(words[POINT_COUNT]) + 63) // 64
    for i in range(komi_word):
        out[i] = ZERO
    for point in range(np.int64(words[POINT_COUNT])):
        at = cell_of(words, point)
        color = cells[at]
        if color != EMPTY:
            mark(words, out, 0 if color == me else 1, at)
        if words[PASSES]:
            mark(words, out, 5, at)
    for i in range(np.int64(words[EMPTIES])):
        at = np.uint64(cells[words[LIST] + np.uint64(i)])
        mark_atari(words, cells, at, me, out)
        if not look_ahead(words, cells, at)[0]:
            mark(words, out, 4, at)
    komi = np.int64(words[KOMI]) - KOMI_ZERO
    out[komi_word] = np.uint64(komi if words[SECOND] else -komi)


@kernel
def owners(pos, out):
    """Write whose each point is, as the area is counted: 1 Black's, -1 White's, 0 neutral."""
    words = borrowed(pos.words)
    owner = scratch(MAX_POINTS, np.uint8)
    board_owners(words, owner)
    for point in range(np.int64(words[POINT_COUNT])):
        out[point] = 0 if owner[point] == NOBODY else 1 if owner[point] == BLACK else -1


@kernel
def mark_atari(words, cells, at, me, out):
    """Mark the strings whose only liberty is this empty cell."""
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
            mark(words, out, 2 if color == me else 3, stone)
            stone = np.uint64(cells[stone + NEXT])
            if stone == head:
                break


@kernel
def planes(pos, out):
    """Fill the array [7, height, width] from the packed form."""
    points = np.int64(pos.words[POINT_COUNT])
    width = np.int64(pos.words[WIDTH])
    packed = scratch(MOST_WORDS, np.uint64)
    pack(pos, packed)
    for plane in range(SETS):
        for point in range(points):
            place = np.uint64(plane * points + point)
            bit = packed[place >> SIX] >> (place & BIT_MASK) & ONE
            out[plane, point // width, point % width] = np.float32(bit)
    out[SETS] = np.float32(np.int64(packed[(SETS * points + 63) // 64])) / np.float32(KOMI_UNIT)
