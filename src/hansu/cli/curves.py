"""``hansu curves``: how a training run went, in the terminal and as a picture."""

import json
from pathlib import Path
from typing import Annotated

import typer

from hansu.cli.arguments import JsonOption
from hansu.cli.terminal import say
from hansu.errors import HansuError
from hansu.learning.curves import training_log


def curves(
    folder: Annotated[Path, typer.Argument(help="A run's folder, of hansu train or learn.")],
    out: Annotated[
        Path | None, typer.Option(help="The SVG file; FOLDER/curves.svg if not given.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw how a run went: losses, scores against the best so far, Elo. It may be under way."""
    log = training_log(folder)
    picture = out or folder / "curves.svg"
    try:
        picture.write_text(log.svg(), encoding="utf-8")
    except OSError as error:
        raise HansuError(f"cannot write {picture}: {error.strerror}") from None
    if as_json:
        typer.echo(json.dumps({"picture": str(picture), **log.facts()}))
    else:
        say(f"{log}\n\n{log.text()}\n\n{picture}")
