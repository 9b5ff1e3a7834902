"""Agents by file and by dotted path."""

import re
import sys
from pathlib import Path

import pytest

import hansu
from hansu.agents.registry import AGENTS, named_agent
from hansu.errors import HansuError
from hansu.games.game import GAMES

TEN_LINES = """import hansu

class MyAgent(hansu.Agent):
    def act(self, state):
        return self.rng.choice(list(state.legal_moves))
"""

TWO = (
    TEN_LINES
    + """
class Other(MyAgent):
    pass
"""
)

WITH_OPTIONS = """from dataclasses import dataclass
import hansu

@dataclass(frozen=True)
class Deep:
    depth: int = 1

class MyAgent(hansu.Agent):
    Options = Deep
"""

PICKY = (
    TEN_LINES
    + """
    def check(self, game):
        if game.name != "tictactoe":
            raise hansu.HansuError(f"this plays tictactoe, not {game.name}")
"""
)

NAME_AND_COLOR_ONLY = """import hansu

class MyAgent(hansu.Agent):
    def __init__(self, name, color):
        self.mine = 3
"""


@pytest.fixture(autouse=True)
def clean_imports(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "path", sys.path.copy())
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:  # a library must not be imported twice
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def write(folder: Path, text: str, name: str = "my_agent.py") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def test_the_only_agent_of_a_file_is_taken(tmp_path):
    made = hansu.agent("tictactoe", write(tmp_path, TEN_LINES), hansu.BLACK, seed=1)
    assert type(made).__name__ == "MyAgent"
    assert made.color == hansu.BLACK
    assert made.act(hansu.game("tictactoe").start()) in range(9)


def test_imported_agents_are_not_candidates(tmp_path):
    text = "from hansu.agents.random import RandomAgent\n" + TEN_LINES
    assert type(hansu.agent("tictactoe", write(tmp_path, text))).__name__ == "MyAgent"


def test_of_several_agents_none_is_guessed(tmp_path):
    path = write(tmp_path, TWO)
    with pytest.raises(HansuError, match=r"defines the agents MyAgent, Other; choose one: .*:MyA"):
        hansu.agent("tictactoe", path)
    assert type(hansu.agent("tictactoe", f"{path}:Other")).__name__ == "Other"


@pytest.mark.parametrize("way", ["{}:depth=3", "{}:MyAgent:depth=3"])
def test_options_follow_the_file_or_the_class(tmp_path, way):
    made = hansu.agent("tictactoe", way.format(write(tmp_path, WITH_OPTIONS)))
    assert made.options.depth == 3


def test_an_unknown_option_lists_the_known_ones(tmp_path):
    with pytest.raises(HansuError, match=r"depht.*depth"):
        hansu.agent("tictactoe", f"{write(tmp_path, WITH_OPTIONS)}:depht=3")


def test_a_class_that_takes_only_name_and_color(tmp_path):
    path = write(tmp_path, NAME_AND_COLOR_ONLY)
    made = hansu.agent("tictactoe", path, hansu.BLACK, seed=1)
    assert (made.mine, made.color, made.opponent_color) == (3, hansu.BLACK, hansu.WHITE)
    with pytest.raises(HansuError, match="cannot be made with name, color and the options depth"):
        hansu.agent("tictactoe", f"{path}:depth=3")


def test_a_file_may_import_its_neighbours(tmp_path):
    write(tmp_path, "ANSWER = 42\n", "neighbour_of_mine.py")
    made = hansu.agent(
        "tictactoe", write(tmp_path, "from neighbour_of_mine import ANSWER\n" + TEN_LINES)
    )
    assert sys.modules[type(made).__module__].ANSWER == 42


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n", "it defines no agent; write a subclass"),
        ("def f(:\n", r"SyntaxError: .* at .*my_agent\.py:1"),
        ("import hansu\n\n1 / 0\n", r"ZeroDivisionError: division by zero at .*my_agent\.py:3"),
        ("import no_such_thing\n", r"No module named 'no_such_thing' at .*my_agent\.py:1"),
        ("\0", "cannot be imported"),
    ],
)
def test_a_bad_file_is_one_clear_sentence(tmp_path, text, message):
    with pytest.raises(HansuError, match=message) as raised:
        hansu.agent("tictactoe", write(tmp_path, text))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("./nowhere.py", "there is no file nowhere.py"),
        ("./agents/mine", "there is no program ./agents/mine: an executable, or a folder with"),
        ("no_such_package.module.Agent", "there is no module no_such_package"),
        ("hansu.agents.random.Nobody", "Nobody is not there; it defines the agents RandomAgent"),
        ("hansu.agents.random.random_move", "is not a subclass of hansu.Agent"),
        ("nobody", "there is no agent 'nobody'"),
    ],
)
def test_a_wrong_name_is_one_clear_sentence(text, message):
    with pytest.raises(HansuError, match=message):
        hansu.agent("tictactoe", text)


def test_a_dotted_path_from_the_current_folder(tmp_path, monkeypatch):
    package = tmp_path / "my_pkg_here"
    package.mkdir()
    (package / "__init__.py").touch()
    write(package, TWO, "my_mod.py")
    monkeypatch.chdir(tmp_path)
    made = hansu.agent("tictactoe", "my_pkg_here.my_mod.Other")
    assert type(made).__name__ == "Other"
    assert type(hansu.agent("tictactoe", "my_pkg_here.my_mod:Other")).__name__ == "Other"


@pytest.mark.parametrize("game", ["tictactoe", hansu.game("go:size=5")])
@pytest.mark.filterwarnings("error")
def test_the_agent_may_be_named_before_the_game(game, tmp_path):
    for text in ("random", "mcts:n_simulations=5", write(tmp_path, TEN_LINES)):
        one = hansu.agent(text, game, color=hansu.BLACK, seed=1)
        other = hansu.agent(game, text, color=hansu.BLACK, seed=1)
        assert (type(one).__name__, one.game) == (type(other).__name__, other.game)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("text", [*AGENTS, "mcts:rave=100"])
def test_an_agent_is_made_only_for_a_game_that_it_plays(name, text):
    game = hansu.game(name)
    try:
        named_agent(text, game).check(game)
    except HansuError as error:
        with pytest.raises(HansuError, match=re.escape(str(error))):
            hansu.agent(game, text)
    else:
        hansu.agent(game, text)


def test_an_agent_of_a_file_is_made_only_for_a_game_that_it_plays(tmp_path):
    path = write(tmp_path, PICKY)
    hansu.agent("tictactoe", path)
    with pytest.raises(HansuError, match="not connect4"):
        hansu.agent("connect4", path)
