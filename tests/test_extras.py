"""What needs no extra works without any; what needs one says which (``make test`` tries both)."""

import importlib
import importlib.util
import pkgutil

import pytest

import hansu
from hansu.arena.tournament.database import Database
from hansu.bridges.openspiel import spiel
from tests.command_line import hansu as command
from tests.extras import EXTRAS
from tests.small_games import SMALL_GAMES


def is_missing(package: str) -> bool:
    return importlib.util.find_spec(package) is None


def without(package: str) -> None:
    if not is_missing(package):
        pytest.skip(f"{package} is installed here; make test also runs without it")


def test_only_a_missing_extra_keeps_a_module_from_being_imported():
    imported, needed = [], set()
    for module in pkgutil.walk_packages(hansu.__path__, "hansu."):
        try:
            imported.append(importlib.import_module(module.name))
        except ImportError as error:
            needed.add((error.name or str(error)).partition(".")[0])
    assert needed <= {package for package in EXTRAS.values() if is_missing(package)}
    assert len(imported) > 150


@pytest.mark.parametrize("game", SMALL_GAMES)
def test_every_game_is_played(game):
    record = hansu.play_game(game, "mcts:n_simulations=20", "random", seed=1)
    assert record.evidence == ""
    assert hansu.game(game).parse(record.final).is_game_over()


def test_a_trained_network_plays():
    record = hansu.play_game("tictactoe", "self_learning:n_simulations=20", "random", seed=1)
    assert record.evidence == ""


@pytest.mark.parametrize("verb", ["train", "learn"])
def test_learning_says_what_it_needs(verb):
    without("torch")
    words = (verb, "tictactoe") if verb == "train" else (verb, "othello", "no such file")
    assert "needs PyTorch: pip install 'hansu[learn]'" in command(*words, code=2).stderr


def test_the_bridges_say_what_they_need():
    without("pyspiel")
    with pytest.raises(hansu.HansuError, match=r"pip install 'hansu\[bridges\]'"):
        spiel()


def test_the_environments_say_what_they_need():
    without("pettingzoo")
    with pytest.raises(ImportError, match=r"pip install 'hansu\[bridges\]'"):
        importlib.import_module("hansu.bridges.pettingzoo")


def test_a_database_says_what_it_needs():
    without("psycopg")
    with pytest.raises(hansu.HansuError, match=r"pip install 'hansu\[postgres\]'"):
        Database("postgresql://nobody@localhost/none", "name")


def test_a_cluster_says_what_it_needs():
    without("ray")
    words = ("match", "tictactoe", "random", "first_move", "--on", "ray")
    needed = "playing on a cluster needs Ray: pip install 'hansu[cluster]'"
    assert needed in command(*words, code=2).stderr
