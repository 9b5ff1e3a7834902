"""``hansu doctor``: check sandbox support, and what makes timing uneven."""

import json
from dataclasses import asdict

import typer
from rich.markup import escape
from rich.table import Table

from hansu.arena.isolation.fair_timing import fair_timing
from hansu.arena.isolation.requirements import Requirement, missing, requirements
from hansu.cli.arguments import JsonOption
from hansu.cli.terminal import Console


def doctor(as_json: JsonOption = False) -> None:
    """Check sandbox support and fair timing, and say what to do.

    Exit status 1: agents cannot be isolated here.
    """
    lacking = missing()
    if as_json:
        facts = {
            "isolation": not lacking,
            "facts": [asdict(fact) for fact in requirements()],
            "timing": [asdict(fact) for fact in fair_timing()],
        }
        typer.echo(json.dumps(facts))
    else:
        screen = Console()
        screen.print(_table("isolation needs", requirements()))
        screen.print(_table("even timing wants", fair_timing()))
        if lacking:
            screen.print(
                "[red]Agents cannot be isolated here[/]: agent files are refused. If you know "
                "their code, --trust runs them in hansu's own process, and --no-isolation as plain "
                "processes with your rights, but never as root."
            )
        else:
            screen.print("[green]Agents given as a file or dotted path are isolated.[/]")
    if lacking:
        raise typer.Exit(1)


def _table(title: str, facts: tuple[Requirement, ...]) -> Table:
    table = Table(title, "here", "", "what to do")
    for fact in facts:
        mark = "[green]yes[/]" if fact.ok else "[red]NO[/]" if fact.required else "no"
        optional = not fact.required and title == "isolation needs"
        name = f"({fact.name})" if optional else fact.name
        table.add_row(name, mark, escape(fact.detail), "" if fact.ok else escape(fact.remedy))
    return table
