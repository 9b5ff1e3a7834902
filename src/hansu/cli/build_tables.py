"""``hansu solve GAME --pieces N``: build the tables of all endings with few pieces."""

import json

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from hansu.cli.progress import Lines
from hansu.cli.terminal import Console
from hansu.cli.training import INTERRUPTED
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.learning.stopping import Stop

BUILD_MEMORY = 512  # megabytes


def build_tables(game: Game, pieces: int, memory: int, threads: int, as_json: bool) -> None:
    """Build what is not there yet and tell how far it is; after Ctrl+C the same command resumes."""
    errors = Console(stderr=True, highlight=False, markup=False)
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=errors,
        disable=not errors.is_terminal,
        transient=True,
        speed_estimate_period=600,
    )
    stop, lines = Stop(), Lines()
    with stop.on_interrupt(), bar:
        task = bar.add_task("tables", total=None)

        def report(done: int, total: int, text: str) -> None:
            bar.update(task, completed=done, total=total, description=text)
            if bar.disable:
                lines.tell(lambda: f"{text}: {done / max(total, 1):.0%}")

        try:
            said, facts = game.build_tables(pieces, memory, threads, report, stop)
        except HansuError:
            if not stop.asked:
                raise
            said, facts = "", {}
    if not said:
        typer.echo("stopped: run the same command again to resume", err=True)
        raise typer.Exit(INTERRUPTED)
    typer.echo(json.dumps(facts) if as_json else said)
