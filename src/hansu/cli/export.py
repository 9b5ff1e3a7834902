"""``hansu export``: games from any format to any other."""

from pathlib import Path
from typing import Annotated

import typer

from hansu.errors import HansuError, RecordError
from hansu.records.formats import FORMATS, format_by_name, read_games
from hansu.records.wthor import write_players


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
    content = chosen.write(records)
    raw = content.encode(errors="replace") if isinstance(content, str) else content
    if out is None:
        typer.echo(raw, nl=False)
    else:
        write(out, raw)
        if chosen.name == "wthor":
            write(out.with_suffix(".jou"), write_players(records))
        typer.echo(f"wrote {len(records)} games to {out}", err=True)
    if bad:
        typer.echo(f"left out {len(bad)} games; the first: {bad[0]}", err=True)


def write(file: Path, content: bytes) -> None:
    """Write a file; what goes wrong is one sentence."""
    try:
        file.write_bytes(content)
    except OSError as error:
        raise HansuError(f"cannot write {file}: {error.strerror}") from None
