"""``hansu export``: convert games between formats."""

from pathlib import Path
from typing import Annotated

import typer

from hansu.errors import RecordError
from hansu.records.formats import FORMATS, format_by_name, read_games, save_games
from hansu.records.problems import shown


def export(
    place: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="File of games in any format, or folder of files."),
    ],
    to: Annotated[str, typer.Option("--to", "-t", help=f"Format: {', '.join(FORMATS)}.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File to write (default: standard output)")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Write nothing if anything would be left out.")
    ] = False,
) -> None:
    """Convert games to another format.

    What makes no sense, such as the moves after an illegal one, is left out and reported.
    """
    chosen = format_by_name(to)
    problems: list[RecordError] = []
    records = read_games(place, problems)
    if strict and problems:
        raise problems[0]
    if out is None:
        typer.echo(chosen.write(records), nl=False)
    else:
        save_games(records, out, chosen)
        typer.echo(f"wrote {len(records)} games to {out}", err=True)
    tell_problems(problems)


def tell_problems(problems: list[RecordError]) -> None:
    """Print the first few problems of a file to standard error."""
    if problems:
        typer.echo("left out or put right:", err=True)
        for line in shown(problems):
            typer.echo(f"  {line}", err=True)
