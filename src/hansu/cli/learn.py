"""``hansu learn``: learn a game from the records of experts."""

import importlib.util
import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from hansu.cli.arguments import GameArgument, JsonOption, SeedOption
from hansu.cli.plain_warnings import plain_warnings
from hansu.errors import HansuError, RecordError
from hansu.games.game import game
from hansu.records.problems import shown

if TYPE_CHECKING:
    from hansu.learning.experts.run import Epoch, Run


def learn(
    which: GameArgument,
    records: Annotated[
        list[Path],
        typer.Argument(metavar="RECORDS...", help="Files of games, or folders of such files."),
    ],
    net: Annotated[
        str,
        typer.Option(help="othello: historic or strong; other games: a network such as R32x3."),
    ] = "",
    draws: Annotated[
        Literal["drop", "count"],
        typer.Option(help="othello, historic: leave drawn games out, or count them as not won."),
    ] = "drop",
    epochs: Annotated[int, typer.Option(min=1, help="At most so many passes over all.")] = 300,
    minutes: Annotated[float, typer.Option(min=0, help="Stop after this time.")] = 30.0,
    out: Annotated[
        Path | None, typer.Option(help="The run's folder; runs/GAME-records-NET if not given.")
    ] = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Learn from recorded games. The same command again goes on where the last one stopped.

    othello learns a value for alpha-beta: play it with record_learning:model=FOLDER/value.npz.
    Other games learn to move as the experts do: self_learning:model=FOLDER/model.onnx.
    """
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
    last = _follow(run, console, time.monotonic() + 60 * minutes)
    if as_json:
        told = {"model": str(started.model), "left_out": len(bad), **run.told()}
        typer.echo(json.dumps({**told, **(asdict(last) if last else {})}))
    else:
        why = "it no longer gets better" if run.is_stuck else "the same command goes on"
        if run.epoch >= epochs:
            why = "these were all"
        console.print(f"{run.epoch} epochs, the best was {run.best_epoch}: {why}")
        who = f"{started.agent}:model={started.model}"
        console.print(f"hansu play {which} --agent {who}", soft_wrap=True)


def _follow(run: "Run", console: Console, deadline: float) -> "Epoch | None":
    """Learn until it is finished or the time is up; at least one epoch if there is any to do."""
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
        while not run.finished and (last is None or time.monotonic() < deadline):
            bar.reset(task, epoch=run.epoch + 1)
            last = run.run_epoch(lambda share: bar.update(task, completed=share))
            console.print(_line(last), soft_wrap=True)
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
