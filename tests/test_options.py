"""Options as text."""

import contextlib
import re
from dataclasses import dataclass
from typing import Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import hansu
from hansu.errors import HansuError, OptionError, UnknownName
from hansu.games.game import GAMES
from hansu.options import make_options, option_text, split_options


@dataclass(frozen=True)
class Mixed:
    count: int = 5
    rate: float = 0.5
    limit: int | None = 80
    on: bool = False
    choose: Literal["best", "mean"] = "best"
    name: str = ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x", Mixed()),
        ("x:count=7,rate=2", Mixed(count=7, rate=2.0)),
        ("x:limit=none,on=on", Mixed(limit=None, on=True)),
        ("x:choose=mean,name=me", Mixed(choose="mean", name="me")),
        ("x:count=1e6", Mixed(count=1_000_000)),
    ],
)
def test_options_are_read_and_written(text, expected):
    options = make_options(Mixed, "x", split_options(text)[1])
    assert options == expected
    again = make_options(Mixed, "x", split_options("x:" + option_text(options))[1])
    assert again == expected


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("x:count=2.5", "option count: '2.5' is not a whole number"),
        ("x:rate=fast", "option rate: 'fast' is not a number"),
        ("x:rate=nan", "option rate: 'nan' is not a number"),
        ("x:on=maybe", "option on: 'maybe' is neither on nor off"),
        ("x:choose=worst", "'worst' is not one of best, mean"),
        ("x:count", "expected key=value"),
        ("x:count=none", "'none' is not a whole number"),
    ],
)
def test_a_wrong_value_says_what_would_be_right(text, part):
    with pytest.raises(OptionError, match=part):
        make_options(Mixed, "x", split_options(text)[1])


def test_an_unknown_option_lists_the_known_ones():
    with pytest.raises(UnknownName, match=r"no x option 'speed'; .* choose, count, limit, name"):
        make_options(Mixed, "x", {"speed": 1})


def test_an_unknown_game_lists_the_known_ones():
    with pytest.raises(UnknownName, match=", ".join(sorted(GAMES))):
        hansu.game("checkers")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (":", "there is no game ''"),
        (":Game", "there is no game ':Game'"),
        (".:Game", "there is no game '.:Game'"),
        ("nowhere.at_all:Game", "there is no module nowhere"),
        ("hansu.games.chess:Chess", "there is no module hansu.games.chess"),
        ("os:getcwd", "os:getcwd is not a game: a subclass of hansu.Game is expected"),
        ("hansu:Agent", "hansu:Agent is not a game"),
        ("hansu:Nothing", "hansu:Nothing is not a game"),
    ],
)
def test_a_game_of_ones_own_is_a_class_of_games(text, complaint):
    with pytest.raises(HansuError, match=re.escape(complaint)):
        hansu.game(text)


@example(":")
@example("os:getcwd")
@given(st.text(max_size=30))
def test_no_text_raises_anything_but_its_own_error(text):
    for make in (lambda: hansu.game(text), lambda: hansu.agent("tictactoe", text)):
        with contextlib.suppress(HansuError):
            make()
