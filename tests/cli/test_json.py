"""What prints facts prints them as JSON, too."""

import json
from collections.abc import Iterator
from typing import Any

import typer.main

from hansu.agents.levels import LEVELS, levels
from hansu.cli.main import app
from hansu.games.game import GAMES, game
from tests.command_line import hansu

TALK = {"play", "serve", "compete", "uci", "gtp"}  # with a person, a browser or a program
MAKE = {"export", "new agent", "new competition", "submit", "competition freeze"}  # a file
SECRETS = {"competition invite", "competition withdraw"}  # and what was told to do


def commands(command: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        yield name, command
        return
    for each, other in command.commands.items():
        yield from commands(other, f"{name} {each}".strip())


def test_every_command_that_prints_facts_takes_json():
    without = {
        name
        for name, command in commands(typer.main.get_command(app))
        if not any("--json" in each.opts for each in command.params)
    }
    assert without == TALK | MAKE | SECRETS


def test_memories(tmp_path):
    one, out = str(tmp_path / "one"), str(tmp_path / "out")
    agent = f"mcts_memory:memory={one},n_simulations=50"
    hansu("analyze", "tictactoe", "--agent", agent)
    count = json.loads(hansu("memory", "inspect", one, "--json").stdout)["entries"]
    merged = json.loads(hansu("memory", "merge", out, one, "--json").stdout)
    assert merged == {"file": out, "entries": count, "games": ["tictactoe"], "dropped": 0}
    pruned = json.loads(hansu("memory", "prune", out, "--keep", "5", "--json").stdout)
    assert pruned == {"file": out, "entries": 5, "forgotten": count - 5}


def test_agents_say_how_full_strength_was_measured():
    rows = {row["agent"]: row for row in json.loads(hansu("agents", "--json").stdout)}
    found = rows["engine"]["levels"]
    assert {name: each[-1]["rating"] for name, each in found.items()} == {
        name: levels(game(name))[-1]["rating"] for name in GAMES
    }
    settings = json.loads(LEVELS.read_text(encoding="utf-8"))
    for name, each in found.items():
        measured = each[-1]["measured"]
        assert measured
        assert measured.items() <= settings[name]["levels"][-1].items()
    said = " ".join(hansu("agents").stdout.split())
    seconds = found["hex"][-1]["measured"]["search_time"]
    assert f"Level 10 was measured with one thread and {seconds:g} s a move (" in said
