"""``hansu agents``: list the agents."""

import json
from collections import defaultdict
from dataclasses import fields
from typing import Any

import typer
from rich.table import Table

from hansu.agents.engine import Engine
from hansu.agents.levels import FULL, FULL_STRENGTH, LEVELS, levels
from hansu.agents.mcts import MctsAgent
from hansu.agents.registry import AGENTS, class_of
from hansu.cli.arguments import JsonOption
from hansu.cli.terminal import Console
from hansu.games.dictionary import FALLBACK, words
from hansu.games.game import GAMES, game


def agents(as_json: JsonOption = False) -> None:
    """List the agents and their options."""
    rows = [_facts(name) for name in AGENTS]
    if as_json:
        typer.echo(json.dumps(rows))
        return
    table = Table("agent", "what it does", "options (defaults)")
    for row in rows:
        options = ", ".join(f"{name}={value}" for name, value in row["options"].items())
        for where, others in row["in"].items():
            options += f"; in {where} " + ", ".join(f"{n}={v}" for n, v in others.items())
        table.add_row(row["agent"], row["description"], options)
    Console().print(table)
    found = _levels()
    Console().print(_levels_table(found))
    Console().print(_measured(found))
    Console().print(
        "Name one as random, mcts:n_simulations=500, ./my_agent.py, my_module.MyAgent, "
        "or any engine as uci:COMMAND or gtp:COMMAND."
    )


def _facts(name: str) -> dict[str, Any]:
    found = class_of(name)
    return {
        "agent": name,
        "description": (found.__doc__ or "").strip().splitlines()[0],
        "options": {field.name: field.default for field in fields(found.Options)},
        "in": _elsewhere(name),
        **({"levels": _levels()} if issubclass(found, Engine) else {}),
    }


def _levels() -> dict[str, list[dict[str, Any]]]:
    """Return the levels of every game, with their English names.

    The rating of full strength also says with which limit of a move it was measured.
    """
    english, table = words(FALLBACK), json.loads(LEVELS.read_text(encoding="utf-8"))
    found = {
        each: [{**row, "name": english[row["name"]]} for row in levels(game(each))]
        for each in GAMES
    }
    for each, rows in found.items():
        settings = table[each]["levels"][FULL - 1]
        rows[FULL - 1]["measured"] = {
            name: settings[name] for name in ("search_time", "nodes") if name in settings
        }
    return found


def _measured(found: dict[str, list[dict[str, Any]]]) -> str:
    """Say in a sentence how full strength was measured."""
    games = defaultdict(list)
    for each, rows in found.items():
        measured = rows[FULL - 1]["measured"]
        seconds = measured.get("search_time")
        limit = f"{measured['nodes']} nodes" if seconds is None else f"{seconds:g} s"
        games[f"{limit} a move"].append(each)
    parts = [f"{limit} ({', '.join(names)})" for limit, names in games.items()]
    return (
        f"Level {FULL} was measured with one thread and {', '.join(parts)}; "
        f"{FULL_STRENGTH} thinks longer."
    )


def _levels_table(found: dict[str, list[dict[str, Any]]]) -> Table:
    """Return the ratings of all levels; only differences within a game mean something."""
    title = "engine:level=N, ratings with their 95 % errors"
    table = Table(
        "level", *found, title=title, title_justify="left", box=None, padding=(0, 1, 0, 0)
    )
    for rows in zip(*found.values(), strict=True):
        rated = [f"{row['rating']}±{row['error']}" for row in rows]
        table.add_row(f"{rows[0]['level']} {rows[0]['name']}", *rated)
    return table


def _elsewhere(name: str) -> dict[str, dict[str, Any]]:
    """Return the defaults of an agent that differ from game to game."""
    if not issubclass(class_of(name), MctsAgent):
        return {}
    made = {each: dict(game(each).mcts_defaults) for each in GAMES}
    return {each: others for each, others in made.items() if others}
