"""``hansu games``: list the games."""

import json
from dataclasses import fields

import typer
from rich.console import Console
from rich.table import Table

from hansu.cli.arguments import JsonOption
from hansu.games.game import GAMES, game


def games(as_json: JsonOption = False) -> None:
    """List the games and their options."""
    made = [game(name) for name in sorted(GAMES)]
    rules = {g.name: {f.name: getattr(g.options, f.name) for f in fields(g.options)} for g in made}
    if as_json:
        facts = [{"game": g.name, "title": g.title, "rules": rules[g.name]} for g in made]
        typer.echo(json.dumps(facts, default=str))
        return
    table = Table("game", "title", "moves first", "options (defaults)")
    for g in made:
        begins = "White" if g.first_color else "Black"
        options = ", ".join(f"{name}={value}" for name, value in rules[g.name].items())
        table.add_row(g.name, g.title, begins, options or "none")
    Console().print(table)
