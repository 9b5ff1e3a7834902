"""``hansu curves``: plot a training run, in the terminal and as a picture."""

import json
from pathlib import Path
from typing import Annotated

import typer

from hansu.cli.arguments import JsonOption, write_text
from hansu.learning.curves import training_log


def curves(
    folder: Annotated[Path, typer.Argument(help="Folder of a run of train or learn.")],
    out: Annotated[Path | None, typer.Option(help="SVG file (default: FOLDER/curves.svg)")] = None,
    as_json: JsonOption = False,
) -> None:
    """Plot a training run, finished or not: losses, gating scores, Elo."""
    log = training_log(folder)
    picture = out or folder / "curves.svg"
    write_text(picture, log.svg())
    if as_json:
        typer.echo(json.dumps({"picture": str(picture), **log.facts()}))
    else:
        typer.echo(f"{log}\n\n{log.text()}\n\n{picture}")
