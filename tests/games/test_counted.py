"""The examples of a counted game on the page of rules say what is true."""

import pytest

import hansu
from hansu.games.assets import counted_picture
from hansu.games.game import GAMES


def test_the_bishop_decides_the_example_of_microchess():
    state = hansu.game("microchess").counted()
    assert str(state.outcome()) == "Black wins (insufficient material)"
    assert sorted(piece.symbol() for piece in state.piece_map().values()) == ["K", "b", "k"]


def test_black_wins_the_example_of_go_by_four():
    state = hansu.game("go").counted()
    area = state.area()
    assert (area.black, area.white, area.komi) == (46, 35, 7)
    for _ in range(2):
        state.push(state.parse_move("pass"))
    assert state.outcome().winner == hansu.BLACK


@pytest.mark.parametrize("name", GAMES)
def test_pictures_are_what_the_games_draw(name):
    counted = hansu.game(name).counted()
    if counted is None:
        with pytest.raises(hansu.HansuError, match=f"counting decides no game of {name}"):
            counted_picture(name)
    else:
        assert counted_picture(name) == counted.svg(coordinates=False)
