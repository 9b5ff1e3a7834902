"""``hansu learn``: learn a game from the records of experts."""

import importlib.util
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from hansu.cli.arguments import GameArgument, JsonOption, SeedOption
from hansu.cli.minutes import INTERRUPTED, MinutesOption, left_in
from hansu.cli.plain_warnings import plain_warnings
from hansu.cli.terminal import Console
from hansu.errors import HansuError, RecordError
from hansu.games.game import game
from hansu.learning.stopping import Stop
from hansu.records.problems import shown

if TYPE_CHECKING:
    from hansu.learning.experts.run import Run
    from hansu.learning.log import Epoch


def learn(
    which: GameArgument,
    records: Annotated[
        list[Path],
        typer.Argument(metavar="RECORDS...", help="Files of games, or folders of such files."),
    ],
    net: Annotated[
        str,
        typer.Option(help="othello: historic or strong; other games: a network, R32x3 or L1024r."),
    ] = "",
    draws: Annotated[
        Literal["drop", "count"],
        typer.Option(help="othello, historic: leave drawn games out, or count them as not won."),
    ] = "drop",
    epochs: Annotated[int, typer.Option(min=1, help="At most so many passes over all.")] = 300,
    minutes: MinutesOption = 30.0,
    out: Annotated[
        Path | None, typer.Option(help="The run's folder; runs/GAME-records-NET if not given.")
    ] = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Learn from recorded games. Run the same command again to resume.

    It stops when the time is up or at Ctrl+C, in the middle of an epoch, and loses nothing.
    othello learns a value for alpha-beta: play it with record_learning:model=FOLDER/value.npz.
    Other games learn to move as the experts do: self_learning:model=FOLDER/model.onnx.
    """
    stop = Stop(60 * minutes)
    if importlib.util.find_spec("torch") is None:
        raise HansuError("learning needs PyTorch: pip install 'hansu[learn]'")
    for place in records:
        if not place.exists():
            raise HansuError(f"there is no file or folder {place}")
    from hansu.learning.experts.start import Wish, start_run

    console = Console(stderr=as_json, highlight=False)
    bad: list[RecordError] = []
    with plain_warnings(), console.status("reading the games"):
        wish = Wish(game(which), records, net, draws, epochs, out, seed)
        started = start_run(wish, bad)
    run = started.run
    _tell_bad(console, bad)
    facts = run.facts
    console.print(
        f"{facts['games']:,} games, {facts['positions']:,} positions, net {facts['net']}, "
        f"in {run.folder}",
        soft_wrap=True,
    )
    with stop.on_interrupt():
        last = _follow(run, console, stop)
    if as_json:
        told = {"model": str(started.model), "left_out": len(bad), **run.told()}
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
    """Why it ended, and what there is."""
    if run.finished:
        why = "these were all" if run.epoch >= epochs else "it no longer gets better"
    else:
        why = left_in("epoch", run.unfinished, asked)
    if not run.epoch:
        return f"{why}; no epoch has ended yet"
    return f"{run.epoch} epochs, the best was {run.best_epoch}: {why}"


def _follow(run: "Run", console: Console, stop: Stop) -> "Epoch | None":
    """Learn until it is finished or time to stop; return the last epoch that has ended."""
    last: Epoch | None = None
    bar = Progress(
        TextColumn("epoch {task.fields[epoch]}"),
        *(BarColumn(), TimeRemainingColumn()),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bar:
        task = bar.add_task("", total=1.0, epoch=run.epoch + 1)
        going_on = True
        while going_on and not run.finished:
            bar.reset(task, epoch=run.epoch + 1)
            report = run.run_epoch(lambda share: bar.update(task, completed=share), stop)
            if report is not None:
                last = report
                console.print(_line(report), soft_wrap=True)
            going_on = report is not None and not stop()
    return last


def _line(report: "Epoch") -> str:
    minutes, seconds = divmod(int(report.seconds), 60)
    right = "" if report.accuracy is None else f"  right {report.accuracy:.1%}"
    best = "  best" if report.best_epoch == report.epoch else ""
    return (
        f"epoch {report.epoch}  {minutes}:{seconds:02d}  training loss "
        f"{report.training_loss:.5f}  validation loss {report.validation_loss:.5f}{right}{best}"
    )


def _tell_bad(console: Console, bad: list[Any]) -> None:
    """What was left out: the first few, and how many more."""
    if bad:
        console.print("left out or put right:")
        for line in shown(bad):
            console.print(f"  {line}", markup=False, soft_wrap=True)
