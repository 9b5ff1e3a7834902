"""``hansu agents``: list the agents."""

import json
from dataclasses import fields
from typing import Any

import typer
from rich.table import Table

from hansu.agents.engine import Engine
from hansu.agents.levels import levels
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
    Console().print(_levels_table())
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
    """Return the levels of every game, with their English names."""
    english = words(FALLBACK)
    return {
        each: [{**row, "name": english[row["name"]]} for row in levels(game(each))]
        for each in GAMES
    }


def _levels_table() -> Table:
    """Return the ratings of all levels; only differences within a game mean something."""
    found = _levels()
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
