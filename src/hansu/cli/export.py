"""``hansu export``: games from any format to any other."""

from pathlib import Path
from typing import Annotated

import typer

from hansu.cli.terminal import say
from hansu.errors import RecordError
from hansu.records.formats import FORMATS, format_by_name, read_games, save_games
from hansu.records.problems import shown


def export(
    place: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file of games, or a folder of such files.")
    ],
    to: Annotated[str, typer.Option("--to", "-t", help=f"One of {', '.join(FORMATS)}.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Where to write it.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Write nothing if anything would be left out.")
    ] = False,
) -> None:
    """Write games in another format; the format of FILE is told from its content.

    Without --out the games go to standard output. What FILE says and no game holds, such as the
    moves from an illegal one on, is left out and told.
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
        say(f"wrote {len(records)} games to {out}", err=True)
    tell_problems(problems)


def tell_problems(problems: list[RecordError]) -> None:
    """What a file says otherwise than its games, on standard error: the first few."""
    if problems:
        say("left out or put right:", err=True)
        for line in shown(problems):
            say(f"  {line}", err=True)
