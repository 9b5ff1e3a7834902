"""``hansu doctor``: check sandbox support."""

import json
from dataclasses import asdict

import typer
from rich.console import Console
from rich.table import Table

from hansu.arena.isolation.requirements import missing, requirements
from hansu.cli.arguments import JsonOption


def doctor(as_json: JsonOption = False) -> None:
    """Check sandbox support, and say what to install.

    Exit status 1: agents cannot be isolated here.
    """
    lacking = missing()
    if as_json:
        facts = {"isolation": not lacking, "facts": [asdict(fact) for fact in requirements()]}
        typer.echo(json.dumps(facts))
    else:
        table = Table("isolation needs", "here", "", "what to do")
        for fact in requirements():
            mark = "[green]yes[/]" if fact.ok else "[red]NO[/]" if fact.required else "no"
            name = fact.name if fact.required else f"({fact.name})"
            table.add_row(name, mark, fact.detail, "" if fact.ok else fact.remedy)
        screen = Console()
        screen.print(table)
        if lacking:
            screen.print("[red]Agents cannot be isolated here[/]: files run as plain processes.")
        else:
            screen.print("[green]Agents given as a file or dotted path are isolated.[/]")
    if lacking:
        raise typer.Exit(1)
