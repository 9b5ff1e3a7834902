"""Unconditional life against its definition: every way in which the other side could move alone."""

import random

import pytest

import hansu
from hansu.games.go import board
from hansu.games.go.benson import alive_stones
from hansu.games.go.state import GoState
from hansu.kernel import JIT

compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")


def neighbours(point, width, height):
    x, y = point % width, point // width
    for a, b in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
        if 0 <= a < width and 0 <= b < height:
            yield b * width + a


def string_of(stones, point, width, height):
    found, todo = {point}, [point]
    while todo:
        for near in neighbours(todo.pop(), width, height):
            if stones[near] == stones[point] and near not in found:
                found.add(near)
                todo.append(near)
    return found


def has_liberty(stones, string, width, height):
    return any(stones[near] == "." for at in string for near in neighbours(at, width, height))


def after_move(stones, point, color, width, height):
    """The board after a stone, without the captured ones; None for self-capture."""
    changed = [*stones]
    changed[point] = color
    for near in neighbours(point, width, height):
        if changed[near] not in (color, "."):
            string = string_of(changed, near, width, height)
            if not has_liberty(changed, string, width, height):
                for at in string:
                    changed[at] = "."
    own = string_of(changed, point, width, height)
    return tuple(changed) if has_liberty(changed, own, width, height) else None


def alive_by_definition(stones, color, width, height):
    """Stones of a colour that stay, however often the other side alone moves."""
    other = "o" if color == "x" else "x"
    alive = {point for point, stone in enumerate(stones) if stone == color}
    seen, todo = {stones}, [stones]
    while todo and alive:
        here = todo.pop()
        for point, stone in enumerate(here):
            if stone == ".":
                after = after_move(here, point, other, width, height)
                if after is not None and after not in seen:
                    alive = {at for at in alive if after[at] == color}
                    seen.add(after)
                    todo.append(after)
    return alive


def state_of(stones, width, height):
    game = hansu.game("go", size=5)
    words = board.start(width, height, 0, 3 * width * height)
    colors = [{".": 0, "x": 1, "o": 2}[stone] for stone in stones]
    import numpy as np

    if board.set_up(words, np.array(colors, np.uint64), 0) >= 0:
        return None
    state = GoState(game, words)
    return state
