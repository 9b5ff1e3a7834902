"""Unconditional life against its definition: every way in which the other side could move alone."""

import random

import numpy as np
import pytest

import hansu
from hansu.games.go.benson import alive_stones, mark_alive
from hansu.kernel import JIT
from tests.games.go.plain_go import after_move

compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")


def alive_by_definition(stones, color, width):
    """Stones of a colour that stay, however often the other side alone moves."""
    other = "o" if color == "x" else "x"
    alive = {point for point, stone in enumerate(stones) if stone == color}
    seen, todo = {stones}, [stones]
    while todo and alive:
        here = todo.pop()
        for point, stone in enumerate(here):
            after = after_move(here, point, other, width) if stone == "." else None
            if after is not None and after not in seen:
                alive = {at for at in alive if after[at] == color}
                seen.add(after)
                todo.append(after)
    return alive


def random_boards(rng, width, height, count):
    """Random games, mostly full boards: there stones live."""
    game = hansu.game("go", size=f"{width}x{height}")
    while count:
        state = game.start()
        for _ in range(rng.randrange(width * height, 3 * width * height)):
            moves = [move for move in state.legal_moves if move != state.pass_move]
            eyeless = [move for move in moves if not state.is_eye(move, state.turn)]
            if state.is_game_over() or not moves:
                break
            state.push(rng.choice(eyeless or moves))
        count -= 1
        yield state


def drawn(state):
    signs = {None: ".", hansu.BLACK: "x", hansu.WHITE: "o"}
    return tuple(signs[stone] for stone in state.stones())


@compiled
@pytest.mark.parametrize("count", [60, pytest.param(3000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("sides", [(4, 4), (5, 3)])
def test_alive_are_the_stones_that_cannot_be_captured_by_moving_alone(count, sides):
    seen = 0
    for state in random_boards(random.Random(1), *sides, count):
        stones = drawn(state)
        expected = set().union(*(alive_by_definition(stones, color, sides[0]) for color in "xo"))
        assert alive_stones(state) == expected, f"\n{state}"
        seen += bool(expected)
    assert seen > count / 5


@pytest.mark.parametrize(
    ("board", "alive"),
    [
        (".x.x./xxxxx/...../...../.....", 7),  # two eyes of one point
        ("xx.../x.x../.x.../...../.....", 0),  # one eye, and the open board
        (".xo../xxo../oo.../...../.....", 0),  # one eye
        ("x.x.x/xxxxx/ooooo/o.o.o/ooooo", 21),
        (".oxxx/ooxx./xxxxx/...../.....", 0),
    ],
)
def test_known_shapes(board, alive):
    assert len(alive_stones(hansu.game("go", size=5).parse(board))) == alive


def test_small_eyes_of_living_stones_are_safe_points():
    state = hansu.game("go", size=5).parse(".x.x./xxxxx/...../...../.....")
    marks = np.zeros(25, np.uint8)
    assert mark_alive(state.words, 0, marks) == 10
    assert marks[:10].all()
    assert not mark_alive(state.words, 1, marks)
