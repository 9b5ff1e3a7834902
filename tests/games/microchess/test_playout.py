"""Heavy playouts in microchess prefer what gains material and avoid what loses it."""

from collections import Counter

import pytest

import hansu
from hansu.kernel import seeded
from hansu.search.playout import random_move_id


def drawn(fen, count=4000):
    state, rng = hansu.game("microchess").parse(fen), seeded(1)
    counts = Counter(random_move_id(state, rng, "heavy") for _ in range(count))
    return {state.move_from_id(move_id).uci(): n / count for move_id, n in counts.items()}, state


@pytest.mark.parametrize(
    ("fen", "good"),
    [
        ("k3/4/q3/4/R2K w - - 0 1", "a1a3"),  # a queen that nobody protects
        ("k3/3P/4/4/3K w - - 0 1", "d4d5q"),  # a new queen
    ],
)
def test_what_gains_is_played_most(fen, good):
    shares, _ = drawn(fen)
    assert max(shares, key=shares.get) == good
    assert shares[good] > 0.3


def test_what_loses_is_played_least_but_every_move_is_played():
    """The knight can take the rook, or go to b3 where the rook takes it."""
    shares, state = drawn("k3/4/3r/4/K1N1 w - - 0 1")
    assert set(shares) == {state.move_from_id(move_id).uci() for move_id in state.move_ids()}
    assert max(shares, key=shares.get) == "c1d3"
    assert min(shares, key=shares.get) == "c1b3"
