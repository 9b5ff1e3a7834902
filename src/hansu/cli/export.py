"""``hansu export``: convert games between formats."""

from pathlib import Path
from typing import Annotated

import typer

from hansu.cli.terminal import say
from hansu.errors import RecordError
from hansu.records.formats import FORMATS, Format, format_by_name, read_games, save_games
from hansu.records.problems import shown
from hansu.records.record import GameRecord


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

    What makes no sense, such as the moves after an illegal one, is left out and reported, and so
    are variations and comments where the format has no place for them.
    """
    chosen = format_by_name(to)
    problems: list[RecordError] = []
    records = read_games(place, problems)
    dropped = _dropped(records, chosen)
    if strict and (problems or dropped):
        raise problems[0] if problems else RecordError(f"not written: {dropped}")
    if out is None:
        typer.echo(chosen.write(records), nl=False)
    else:
        save_games(records, out, chosen)
        say(f"wrote {len(records)} games to {out}", err=True)
    if dropped:
        say(f"left out: {dropped}", fg="yellow", err=True)
    tell_problems(problems)


def _dropped(records: list[GameRecord], to: Format) -> str:
    """Return a sentence that counts what a format has no place for, or nothing."""
    if to.holds_variations:
        return ""
    kinds = {
        "variation": sum(record.variations for record in records),
        "comment": sum(len(record.comments) for record in records),
    }
    told = [f"{n:,} {kind}{'' if n == 1 else 's'}" for kind, n in kinds.items() if n]
    keeping = [each.name for each in FORMATS.values() if each.holds_variations]
    if not told:
        return ""
    fit = f"{', '.join(keeping[:-1])} and {keeping[-1]}"
    return f"{' and '.join(told)} that {to.name} cannot hold; {fit} can"


def tell_problems(problems: list[RecordError]) -> None:
    """Print the first few problems of a file to standard error."""
    if problems:
        say("left out or put right:", err=True)
        for line in shown(problems):
            say(f"  {line}", err=True)
