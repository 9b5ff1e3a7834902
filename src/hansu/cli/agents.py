"""``hansu agents``: who can play."""

import importlib
import json
from dataclasses import fields
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from hansu.agents.registry import AGENTS
from hansu.cli.arguments import JsonOption


def agents(as_json: JsonOption = False) -> None:
    """List the agents, what they do and their options."""
    rows = [_facts(name) for name in AGENTS]
    if as_json:
        typer.echo(json.dumps(rows))
        return
    table = Table("agent", "what it does", "options (defaults)")
    for row in rows:
        options = ", ".join(f"{name}={value}" for name, value in row["options"].items())
        table.add_row(row["agent"], row["description"], options)
    Console().print(table)
    Console().print(
        "Name one as random, mcts:n_simulations=500, ./my_agent.py, my_module.MyAgent, "
        "or any engine as uci:COMMAND or gtp:COMMAND."
    )


def _facts(name: str) -> dict[str, Any]:
    module, kind = AGENTS[name].split(":")
    found = getattr(importlib.import_module(module), kind)
    return {
        "agent": name,
        "description": (found.__doc__ or "").strip().splitlines()[0],
        "options": {field.name: field.default for field in fields(found.Options)},
    }
