"""``hansu learn``: train on recorded games."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from hansu.cli.arguments import GameArgument, JsonOption, SeedOption
from hansu.cli.export import tell_problems
from hansu.cli.plain_warnings import plain_warnings
from hansu.cli.terminal import Console
from hansu.cli.training import (
    INTERRUPTED,
    MinutesOption,
    check_torch,
    clock_text,
    left_in,
    left_text,
)
from hansu.errors import HansuError, RecordError
from hansu.games.game import game
from hansu.learning.stopping import Stop

if TYPE_CHECKING:
    from hansu.learning.experts.run import Run
    from hansu.learning.log import Epoch


def learn(
    which: GameArgument,
    records: Annotated[
        list[Path],
        typer.Argument(metavar="RECORDS...", help="Files of games, or folders of files."),
    ],
    net: Annotated[
        str,
        typer.Option(help="Network: historic or strong (othello), else such as R32x3 or L1024r."),
    ] = "",
    draws: Annotated[
        Literal["drop", "count"],
        typer.Option(help="Drawn games of othello's historic network: drop, or count as not won."),
    ] = "drop",
    epochs: Annotated[int, typer.Option(min=1, help="Epochs, at most.")] = 300,
    minutes: MinutesOption = 30.0,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run (default: runs/GAME-records-NET)")
    ] = None,
    device: Annotated[
        str, typer.Option(help="Device of networks: auto, cpu or cuda; patterns learn on the CPU.")
    ] = "auto",
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Train on recorded games. Re-run the same command to resume.

    Training stops when the time is up or at Ctrl+C, also within an epoch, and loses nothing.
    Othello gets an evaluation for alpha-beta: play it with record_learning:model=FOLDER/value.npz.
    Other games imitate the experts' moves: self_learning:model=FOLDER/model.onnx.
    """
    stop = Stop(60 * minutes)
    check_torch()
    for place in records:
        if not place.exists():
            raise HansuError(f"there is no file or folder {place}")
    from hansu.learning.card_trouble import card_trouble
    from hansu.learning.evaluator import pick_device
    from hansu.learning.experts.start import LearnRequest, start_run

    pick_device(device)  # a wrong name is told before the games are read
    console = Console(stderr=as_json, highlight=False)
    bad: list[RecordError] = []
    with plain_warnings(), card_trouble(), console.status("reading the games"):
        request = LearnRequest(game(which), records, net, draws, epochs, out, seed, device)
        started = start_run(request, bad)
    run = started.run
    tell_problems(bad)
    facts = run.facts
    console.print(
        f"{facts['games']:,} games, {facts['positions']:,} positions, net {facts['net']}, "
        f"in {run.folder}",
        soft_wrap=True,
    )
    with card_trouble(), stop.on_interrupt():
        last = _follow(run, console, stop)
    if as_json:
        told = {"model": str(started.model), "left_out": len(bad), **run.summary()}
        told |= {"unfinished_epoch": run.unfinished, **(asdict(last) if last else {})}
        typer.echo(json.dumps(told))
    else:
        console.print(_why(run, epochs, stop.asked), soft_wrap=True)
        if run.best_epoch:
            who = f"{started.agent}:model={started.model}"
            console.print(f"hansu play {which} --agent {who}", soft_wrap=True)
    if stop.asked:
        raise typer.Exit(INTERRUPTED)


def _why(run: "Run", epochs: int, asked: bool) -> str:
    """Say why training ended, and what it leaves."""
    if run.finished:
        why = "all epochs done" if run.epoch >= epochs else "no further improvement"
    else:
        why = left_in("epoch", run.unfinished, asked)
    if not run.epoch:
        return f"{why}; no epoch is complete yet"
    return f"{run.epoch} epochs, the best was {run.best_epoch}: {why}"


def _follow(run: "Run", console: Console, stop: Stop) -> "Epoch | None":
    """Train until finished or stopped; return the last complete epoch."""
    last: Epoch | None = None
    bar = Progress(
        TextColumn("epoch {task.fields[epoch]}"),
        *(BarColumn(), TimeRemainingColumn()),
        TextColumn("{task.fields[left]}"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bar:
        task = bar.add_task("", total=1.0, epoch=run.epoch + 1, left=left_text(stop.left))
        going_on = True
        while going_on and not run.finished:
            bar.reset(task, epoch=run.epoch + 1)
            report = run.run_epoch(
                lambda share: bar.update(task, completed=share, left=left_text(stop.left)), stop
            )
            if report is not None:
                last = report
                console.print(_line(report), soft_wrap=True)
            going_on = report is not None and not stop()
    return last


def _line(report: "Epoch") -> str:
    right = "" if report.accuracy is None else f"  accuracy {report.accuracy:.1%}"
    best = "  best" if report.best_epoch == report.epoch else ""
    return (
        f"epoch {report.epoch}  {clock_text(report.seconds)}  training loss "
        f"{report.training_loss:.5f}  validation loss {report.validation_loss:.5f}{right}{best}"
    )
