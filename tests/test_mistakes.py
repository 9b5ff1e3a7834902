"""Mistakes in the set-up are one sentence before anything is played, never lost games."""

import typing
from dataclasses import fields

import numpy as np
import pytest

import hansu
from hansu.agents.registry import AGENTS, BY_COMMAND
from hansu.arena.isolation.requirements import missing
from hansu.errors import HansuError, OptionError
from hansu.games.game import GAMES
from hansu.records.record import TimeControl
from hansu.statistics.sprt import Sprt
from hansu.web.catalogue import class_of
from tests.protocols.engines import fake

NUMBERS = {int, float}
NONSENSE = ["nan", "inf", "-inf", "1e300", "9" * 400, "", "x", "1,2", "0x10"]


def numeric(options) -> list[str]:
    """The options that are numbers."""
    hints = typing.get_type_hints(options)
    return [
        f.name
        for f in fields(options)
        if NUMBERS & {hints[f.name], *typing.get_args(hints[f.name])}
    ]


OPTIONS = [(name, option) for name in AGENTS for option in numeric(class_of(name).Options)]
RULES = [(name, rule) for name in GAMES for rule in numeric(type(hansu.game(name)).Options)]


@pytest.mark.parametrize(("name", "option"), OPTIONS)
@pytest.mark.parametrize("value", ["-1", *NONSENSE])
def test_every_number_of_an_agent_has_its_range(name, option, value):
    text = f"{name}:x;{option}={value}" if name in BY_COMMAND else f"{name}:{option}={value}"
    with pytest.raises(HansuError):
        hansu.agent("tictactoe", text)


@pytest.mark.parametrize(("name", "rule"), RULES)
@pytest.mark.parametrize("value", NONSENSE)
def test_every_number_of_a_game_has_its_range(name, rule, value):
    with pytest.raises(HansuError):
        hansu.game(f"{name}:{rule}={value}")


@pytest.mark.parametrize(
    "text",
    [
        "mcts:search_time=-1",
        "mcts:search_time=0",
        "malfunction:p=2",
        "malfunction:p=-0.1",
        "mcts:n_simulations=5,n_simulations=5",
        "mcts:n_simulations = 5, n_simulations = 6",
        "mcts:n_simulations=5,,max_depth=3",
        "mcts:=5",
        "mcts:,",
        "random:",
        "uci:x;move_time=1;move_time=2",
        "uci:x;Hash=1;Hash=2",
        "uci:x;command=y",
        "uci:x;=2",
        "gtp:x;move_time=nan",
        "./agent.py:depth=3,depth=4",
        "openspiel:rollouts=0",
    ],
)
def test_options_that_make_no_sense(text):
    if text == "random:":  # an empty list of options
        hansu.agent("tictactoe", text)
        return
    with pytest.raises(HansuError):
        hansu.agent("tictactoe", text)


@pytest.mark.parametrize("text", ["go:size=9,size=7", "go:size=9,size=9", "go:komi=", "go:size"])
def test_rules_that_make_no_sense(text):
    with pytest.raises(HansuError):
        hansu.game(text)


def test_an_option_in_the_text_and_as_a_keyword():
    with pytest.raises(OptionError, match="size is given twice"):
        hansu.game("go:size=9", size=7)


# Wrong types -------------------------------------------------------------------------------------


class Silent(hansu.Agent):
    """An agent that never plays here."""


@pytest.mark.parametrize("what", [5, None, b"go", ["go"], object(), {}, Silent, 1.5])
def test_what_is_not_a_game(what):
    for call in (hansu.game, hansu.Environment, lambda g: hansu.match(g, "random", "random"),
                 lambda g: hansu.play_game(g, "random", "random"), hansu.check_game,
                 lambda g: hansu.tournament(g, "random", "random"),
                 lambda g: hansu.agent(g, "random")):  # fmt: skip
        with pytest.raises(HansuError):
            call(what)


@pytest.mark.parametrize(
    "who", [3, None, b"mcts", ["mcts"], object, int, hansu, "", " ", ":", "\0"]
)
def test_what_is_not_an_agent(who):
    for call in (
        lambda: hansu.match("tictactoe", who, "random"),
        lambda: hansu.match("tictactoe", "random", who),
        lambda: hansu.tournament("tictactoe", "random", who),
        lambda: hansu.play_game("tictactoe", who, "random"),
    ):
        with pytest.raises(HansuError):
            call()


@pytest.mark.parametrize(
    "options",
    [
        {"games": "x"},
        {"games": 2.5},
        {"games": None},
        {"games": True},
        {"games": -1},
        {"seed": "y"},
        {"seed": 1.5},
        {"isolation": "none"},
        {"isolation": None},
        {"concurrency": 1.5},
        {"concurrency": "2"},
        {"concurrency": 10**9},
        {"openings": 4},
        {"openings": "random:-1"},
        {"openings": "random:" + "9" * 5000},
        {"openings": "\0"},
        {"control": 5},
        {"control": None},
        {"control": TimeControl(0)},
        {"sprt": 5},
        {"save": 5},
    ],
)
def test_a_match_refuses_what_makes_no_sense(options):
    with pytest.raises(HansuError):
        hansu.match("tictactoe", "random", "random", **options)


@pytest.mark.parametrize(
    "options",
    [
        {"rounds": "x"},
        {"rounds": 1.5},
        {"seed": "y"},
        {"isolation": "trusted", "untrusted": True},
        {"concurrency": 1.5},
        {"openings": 4},
        {"control": 5},
        {"format": 5},
        {"anchor": 5},
        {"out": 5},
        {"database": 5},
    ],
)
def test_a_tournament_refuses_what_makes_no_sense(options):
    with pytest.raises(HansuError):
        hansu.tournament("tictactoe", "random", "random", **options)


@pytest.mark.parametrize(
    "options",
    [
        {"position": 5},
        {"max_turns": "x"},
        {"max_turns": 2.5},
        {"max_turns": 0},
        {"seconds": "x"},
        {"seconds": -1},
        {"seconds": float("nan")},
        {"move_seconds": -1},
        {"increment": -1},
        {"increment": None},
        {"seed": "y"},
    ],
)
def test_a_game_refuses_what_makes_no_sense(options):
    with pytest.raises(HansuError):
        hansu.play_game("microchess", "random", "random", **options)


@pytest.mark.parametrize(
    "values",
    [(-1,), ("5",), (float("inf"),), (float("nan"),), (True,), (10, -1), (10, None, -1),
     (10, None, None), (10, None, float("nan"))],
)  # fmt: skip
def test_a_time_control_is_of_lengths_of_time(values):
    with pytest.raises(HansuError):
        TimeControl(*values)


@pytest.mark.parametrize(
    "values",
    [
        {"text": 5},
        {"text": None},
        {"text": Silent},
        {"color": "white"},
        {"color": None},
        {"color": 2},
        {"seed": "x"},
        {"seed": 1.5},
    ],
)
def test_an_agent_refuses_what_makes_no_sense(values):
    with pytest.raises(HansuError):
        hansu.agent(**{"text": "random", "which": "tictactoe", **values})


def test_numbers_of_numpy_are_numbers():
    result = hansu.match("tictactoe", "random", "random", games=np.int64(2), seed=np.int32(1))
    assert len(result.played) == 2
    assert hansu.game("go", size=np.int64(5)) == hansu.game("go", size=5)


# Agents of files and engines ---------------------------------------------------------------------

FILES = {
    "two": "import hansu\nclass A(hansu.Agent): pass\nclass B(hansu.Agent): pass\n",
    "none": "x = 1\n",
    "syntax": "import hansu\nclass A(hansu.Agent:\n",
    "module": "import hansu, no_such_module_at_all\nclass A(hansu.Agent): pass\n",
    "import": "import hansu\n1 / 0\n",
    "init": "import hansu\nclass A(hansu.Agent):\n    def __init__(self, *_):\n        1 / 0\n",
    "exits": "import sys\nsys.exit(3)\n",
    "dies": "import os\nos._exit(3)\n",
}


@pytest.mark.parametrize(
    ("file", "rest", "complaint"),
    [
        ("two", "", "it defines the agents A, B; choose one"),
        ("two", ":Nope", "Nope is not there; it defines the agents A, B"),
        ("two", ":hansu", "hansu is not a subclass of hansu.Agent"),
        ("two", ":A:depth=3", "there is no .* option 'depth'"),
        ("none", "", "it defines no agent"),
        ("syntax", "", r"SyntaxError: .* at syntax\.py:2"),
        ("module", "", "No module named 'no_such_module_at_all'"),
        ("import", "", r"ZeroDivisionError: .* at import\.py:2"),
        ("init", "", r"ZeroDivisionError: .* at init\.py:4"),
        ("exits", "", "cannot play: SystemExit: 3"),
        ("dies", "", "cannot play: its process ended: exit status 3"),
    ],
)
def test_a_file_without_a_playable_agent_is_refused(tmp_path, monkeypatch, file, rest, complaint):
    if missing():
        pytest.skip("this machine cannot isolate")
    monkeypatch.setattr("hansu.arena.executor.play", lambda *_: pytest.fail("a game was played"))
    monkeypatch.setattr("hansu.arena.play_game.play", lambda *_: pytest.fail("a game was played"))
    (tmp_path / f"{file}.py").write_text(FILES[file])
    who = f"{tmp_path / file}.py{rest}"
    with pytest.raises(HansuError, match=complaint):
        hansu.match("tictactoe", who, "random")
    if rest == ":Nope":
        with pytest.raises(HansuError, match=complaint):
            hansu.match("tictactoe", "random", who, concurrency=2)
        with pytest.raises(HansuError, match=complaint):
            hansu.play_game("tictactoe", "random", who)


def test_a_tournament_with_a_corrected_mistake_can_begin(tmp_path):
    with pytest.raises(HansuError):
        hansu.tournament("tictactoe", "random", "mcts:n_simulations=x", out=tmp_path)
    with pytest.raises(HansuError):
        hansu.tournament("tictactoe", "random", "no_such_package.Nobody", out=tmp_path)
    assert len(hansu.tournament("tictactoe", "random", "first_move", out=tmp_path).games) == 2


def test_an_option_that_an_engine_does_not_have_is_refused():
    with pytest.raises(HansuError, match="Skill Levl"):
        hansu.match("microchess", fake("uci", "good") + ";Skill Levl=3", "random", games=2)


def test_a_memory_that_cannot_be_opened_is_refused(tmp_path):
    with pytest.raises(HansuError, match="as a memory"):
        hansu.match("tictactoe", f"mcts_memory:memory={tmp_path}", "random", games=2)


def test_a_sequential_test_is_still_possible():
    hansu.match("tictactoe", "random", "random", games=2, sprt=Sprt(0, 10))
