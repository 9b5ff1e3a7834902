"""Every position of a game can be set up from what its picture shows."""

import random
import re

import pytest

import hansu
from hansu.errors import PositionError
from hansu.games.game import GAMES


def shown(state):
    """What stands on each cell, row by row, as the picture has it."""
    picture = state.svg(cells=True)
    cells = re.findall(r'<(?:rect|polygon)[^>]*data-cell="(\w+)"[^>]*>', picture)
    pieces = re.findall(r'data-cell="\w+" data-piece="(\w*)"', picture)
    width = len({re.sub("[0-9]", "", cell) or cell for cell in cells})
    return [pieces[at : at + width] for at in range(0, len(pieces), width)]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_position_is_the_one_its_picture_shows(name):
    rng, game = random.Random(5), hansu.game(name)
    letters = {"": ".", **dict(game.pieces)}
    for _ in range(4):
        state = game.start()
        for _ in range(rng.randrange(12)):
            if not state.is_game_over():
                state.push(rng.choice(list(state.legal_moves)))
        if state.is_game_over():
            continue
        rows = ["".join(letters[piece] for piece in row) for row in shown(state)]
        made = game.parse(game.drawn(rows, state.turn))
        assert shown(made) == shown(state)
        assert made.turn == state.turn


def test_microchess_may_castle_where_king_and_rook_are_at_home():
    game = hansu.game("microchess")
    made = game.parse(game.drawn(["knbr", "p...", "....", "...P", "RBNK"], True))
    assert made.text() == game.start().text()
    with pytest.raises(PositionError):
        game.parse(game.drawn(["....", "....", "....", "....", "...K"], True))
