"""Heavy playouts in othello: corners are taken, and not given away while there is a choice."""

import numpy as np
import pytest

import hansu
from hansu.games.othello import playout
from hansu.kernel import seeded
from hansu.search.playout import random_move_id
from tests.search.positions import random_positions

BESIDE = {  # corner: the squares beside it
    "a1": "b1 a2 b2",
    "h1": "g1 h2 g2",
    "a8": "b8 a7 b7",
    "h8": "g8 h7 g7",
}


def square(name):
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


@pytest.mark.parametrize("corner", BESIDE)
def test_squares_beside_a_corner(corner):
    expected = sum(1 << square(name) for name in BESIDE[corner].split())
    assert int(playout.beside_corners(np.uint64(1 << square(corner)))) == expected
    assert int(playout.beside_corners(np.uint64(0))) == 0


def test_moves_in_random_positions():
    corners = {square(name) for name in BESIDE}
    taken = avoided = 0
    for seed, state in enumerate(random_positions("othello", 300, seed=3)):
        move_ids = set(state.move_ids())
        discs = int(state.words[2] | state.words[3])
        risky = {
            square(name)
            for corner, names in BESIDE.items()
            if not discs >> square(corner) & 1
            for name in names.split()
        }
        rng = seeded(seed)
        moves = {random_move_id(state, rng, "heavy") for _ in range(200)}
        if move_ids & corners:
            assert moves == move_ids & corners
            taken += 1
        else:
            assert moves == (move_ids - risky or move_ids)
            avoided += bool(move_ids & risky) and bool(move_ids - risky)
    assert taken > 20
    assert avoided > 100


def test_a_pass_is_played_when_it_must_be():
    rng = seeded(1)
    passes = 0
    for _ in range(40):
        state = hansu.game("othello").start()
        while (move_id := random_move_id(state, rng, "heavy")) >= 0:
            passes += move_id == 64
            state.push(state.move_from_id(move_id))
        assert state.is_game_over()
    assert passes > 0
