"""Heavy playouts: answer the last move as MoGo does, else play at random.

In this order: capture the stone just played or save what it put into atari; play a 3x3 pattern
beside it; any point that is no own eye and no blunder. Only the surroundings of the last move
matter, so a move costs little more than a random one.
"""

import numpy as np

from hansu.games.go.atari import is_self_atari, only_liberty
from hansu.games.go.board import (
    BLACK,
    EMPTY,
    HEAD,
    LAST,
    NEXT,
    ONE,
    SECOND,
    STEP,
    WHITE,
    WIDTH,
    ZERO,
    cells_of,
    diagonals,
    neighbours,
    point_of,
)
from hansu.games.go.patterns import PATTERNS
from hansu.games.go.rules import BIT_MASK, WORD_BITS, draw_point, ending, is_legal
from hansu.kernel import borrowed, kernel, random_below

MOST_ANSWERS = 16  # more are not looked for
TWO_BITS = np.uint64(2)


@kernel
def heavy_move(pos, path, moves, rng):
    """Return a move of a heavy playout, or minus the ending; the contract of ``random_move``."""
    over = ending(pos, path, 1)
    if over:
        return -over
    words, path = borrowed(pos.words), borrowed(path)
    cells = cells_of(words)
    last = words[LAST]
    if last != ZERO:
        n = find_answers(words, cells, last, moves)
        at = draw_answer(words, cells, path, moves, n, rng, False)
        if at == ZERO:
            n = find_patterns(words, cells, last, moves)
            at = draw_answer(words, cells, path, moves, n, rng, True)
        if at != ZERO:
            return point_of(words, at)
    return draw_point(words, cells, path, moves, rng, True)


@kernel
def draw_answer(words, cells, path, answers, n, rng, careful):
    """Return a random legal one of n cells (careful: no self-atari); 0 if there is none."""
    while n > 0:
        i = random_below(rng, n)
        at = np.uint64(answers[i])
        if not (careful and is_self_atari(words, cells, at)) and is_legal(words, cells, path, at):
            return at
        n -= 1
        answers[i] = answers[n]
    return ZERO


@kernel
def find_answers(words, cells, last, out):
    """Write the cells that capture the last stone or save a string that it put into atari."""
    me = BLACK + words[SECOND]
    n = 0
    liberty = only_liberty(words, cells, np.uint64(cells[last + HEAD]))
    if liberty != ZERO:
        out[n] = liberty
        n += 1
    for near in neighbours(words, last):
        if cells[near] == me:
            head = np.uint64(cells[near + HEAD])
            liberty = only_liberty(words, cells, head)
            if liberty != ZERO:
                n = find_rescues(words, cells, head, liberty, out, n)
    return n


@kernel
def find_rescues(words, cells, head, liberty, out, n):
    """Add the cells that save a string in atari: its liberty, or where a neighbour is captured."""
    them = WHITE - words[SECOND]
    if n < MOST_ANSWERS and not is_self_atari(words, cells, liberty):
        out[n] = liberty
        n += 1
    stone = head
    while True:
        for near in neighbours(words, stone):
            if cells[near] == them and n < MOST_ANSWERS:
                capture = only_liberty(words, cells, np.uint64(cells[near + HEAD]))
                if capture != ZERO:
                    out[n] = capture
                    n += 1
        stone = np.uint64(cells[stone + NEXT])
        if stone == head:
            return n


@kernel
def find_patterns(words, cells, last, out):
    """Write the cells around the last stone where a 3x3 pattern fits."""
    n = 0
    for near in neighbours(words, last):
        if cells[near] == EMPTY and fits_pattern(words, cells, near):
            out[n] = near
            n += 1
    for near in diagonals(words, last):
        if cells[near] == EMPTY and fits_pattern(words, cells, near):
            out[n] = near
            n += 1
    return n


@kernel
def fits_pattern(words, cells, at):
    """Return whether the eight neighbours of an empty cell form one of the patterns."""
    row = STEP * (words[WIDTH] + ONE)
    code = ZERO
    for near in (
        at + row + STEP,
        at + row,
        at + row - STEP,
        at + STEP,
        at - STEP,
        at - row + STEP,
        at - row,
        at - row - STEP,
    ):
        code = code << TWO_BITS | np.uint64(cells[near])
    return (PATTERNS[code >> WORD_BITS] >> (code & BIT_MASK)) & ONE != ZERO
