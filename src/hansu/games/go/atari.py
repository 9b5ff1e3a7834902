"""Atari: a string with a single liberty, now or after a move.

A point touches at most four stones of a string, so more than four pseudo-liberties are never all
on one point: the stones of a string are only visited when few liberties are left.
"""

import numpy as np

from hansu.games.go.board import (
    BLACK,
    BORDER,
    EMPTY,
    HEAD,
    LIBERTIES,
    NEXT,
    SECOND,
    ZERO,
    neighbours,
)
from hansu.kernel import kernel

MOST_TOUCHING = np.uint64(4)
SACRIFICE = 2  # stones that may be put into atari, so few that they touch a cell once only


@kernel
def touching(words, cells, at, head):
    """Return how many stones of a string lie beside a cell."""
    n = ZERO
    for near in neighbours(words, at):
        n += np.uint64(cells[near + HEAD] == head)
    return n


@kernel
def only_liberty(words, cells, head):
    """Return the liberty of a string in atari; 0 when it has several."""
    if cells[head + LIBERTIES] > MOST_TOUCHING:
        return ZERO
    stone = head
    while True:
        for near in neighbours(words, stone):
            if cells[near] == EMPTY:
                alone = cells[head + LIBERTIES] == touching(words, cells, near, head)
                return near if alone else ZERO
        stone = np.uint64(cells[stone + NEXT])
        if stone == head:
            return ZERO


@kernel
def another_liberty(words, cells, head, at, found):
    """Return a liberty of a string that is neither ``at`` nor ``found``; 0 when there is none."""
    stone = head
    while True:
        for near in neighbours(words, stone):
            if cells[near] == EMPTY and near != at and near != found:
                return near
        stone = np.uint64(cells[stone + NEXT])
        if stone == head:
            return ZERO


@kernel
def is_self_atari(words, cells, at):
    """Return whether a move on an empty cell would leave at most one liberty there.

    Captured stones count as the one liberty that they leave beside the cell, or as two if a string
    of several is captured.
    """
    me = BLACK + words[SECOND]
    found = ZERO
    for near in neighbours(words, at):
        if cells[near] == EMPTY:
            if found != ZERO:
                return False
            found = near
    for near in neighbours(words, at):
        color = cells[near]
        if color == EMPTY or color == BORDER:  # noqa: SIM109 - a tuple is slower
            continue
        head = np.uint64(cells[near + HEAD])
        rest = np.uint64(cells[head + LIBERTIES]) - touching(words, cells, at, head)
        more = ZERO
        if color == me:
            if rest > MOST_TOUCHING:
                return False
            if rest != ZERO:
                more = another_liberty(words, cells, head, at, found)
                if more != ZERO and found == ZERO:
                    found = more
                    more = another_liberty(words, cells, head, at, found)
        elif rest == ZERO:
            if found == ZERO and cells[near + NEXT] == near:
                found = near
            else:
                more = near
        if more != ZERO and more != found:
            return False
    return True


@kernel
def is_blunder(words, cells, at):
    """Return whether a move on an empty cell puts more than SACRIFICE own stones into atari."""
    me = BLACK + words[SECOND]
    size = 1
    for near in neighbours(words, at):
        if cells[near] == me:
            stone = near
            while size <= SACRIFICE:
                size += 1
                stone = np.uint64(cells[stone + NEXT])
                if stone == near:
                    break
    return size > SACRIFICE and is_self_atari(words, cells, at)
