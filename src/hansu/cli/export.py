"""``hansu export``: games from any format to any other."""

from pathlib import Path
from typing import Annotated

import typer

from hansu.errors import RecordError
from hansu.records.formats import FORMATS, format_by_name, read_games, save_games


def export(
    place: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file of games, or a folder of such files.")
    ],
    to: Annotated[str, typer.Option("--to", "-t", help=f"One of {', '.join(FORMATS)}.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Where to write it.")] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave games out that break the rules.")
    ] = False,
) -> None:
    """Write games in another format; the format of FILE is told from its content.

    Without --out the games go to standard output.
    """
    chosen = format_by_name(to)
    bad: list[RecordError] = []
    records = read_games(place, bad if skip_bad else None)
    if out is None:
        typer.echo(chosen.write(records), nl=False)
    else:
        save_games(records, out, chosen)
        typer.echo(f"wrote {len(records)} games to {out}", err=True)
    if bad:
        typer.echo(f"left out {len(bad)} games; the first: {bad[0]}", err=True)
