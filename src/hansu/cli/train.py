"""``hansu train``: train a network by self-play."""

import json
import warnings
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from hansu.cli.arguments import GameArgument, JsonOption, OnOption, SeedOption
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
from hansu.games.game import Game, game
from hansu.learning.model import model_path
from hansu.learning.stopping import Stop
from hansu.records.formats import read_games

if TYPE_CHECKING:
    from hansu.learning.log import Report

SHOWN_ROUNDS = 12


def train(
    which: GameArgument,
    preset: Annotated[str, typer.Option(help="Preset: historic or modern.")] = "modern",
    net: Annotated[
        str, typer.Option(help="Network such as R64x5 or L1024r (default: the preset's)")
    ] = "",
    minutes: MinutesOption = 30.0,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run (default: runs/GAME-PRESET[-NET])")
    ] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Rounds, at most.")] = None,
    records: Annotated[
        list[Path] | None,
        typer.Option(help="Files or folders of expert games to start from."),
    ] = None,
    model: Annotated[
        str, typer.Option("--from", help="Model to start from: a file, or shipped.")
    ] = "",
    workers: Annotated[
        int,
        typer.Option(
            min=0,
            help="Self-play workers; 0 plays and trains in turn, or on a cluster one per core.",
        ),
    ] = 0,
    on: OnOption = "here",
    device: Annotated[
        str, typer.Option(help="Device: auto, cpu or cuda (with the extra gpu: self-play too).")
    ] = "auto",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="A setting, such as forced_playouts=2; repeatable."
        ),
    ] = None,
    mirror: Annotated[
        bool, typer.Option(help="microchess: show the network the board as the mover sees it.")
    ] = True,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Train a network by self-play. Re-run the same command to resume.

    Training stops when the time is up or at Ctrl+C, also within a round, and loses nothing. Edit
    control.json in the folder to adjust the learning rate and simulations meanwhile. Play the
    model with self_learning:model=FOLDER/model.onnx.
    """
    stop = Stop(60 * minutes)
    check_torch()
    from hansu.learning.card_trouble import card_trouble
    from hansu.learning.first_weights import read_network
    from hansu.learning.training import MODEL, Training

    chosen = game(which)
    folder = out or Path("runs") / "-".join(filter(None, (chosen.name, preset, net)))
    first = read_network(model_path(model, chosen), chosen, mirror) if model else None
    if first and net not in ("", first.name):
        raise HansuError(
            f"the network of {model} is {first.name}, not {net}: leave out --net or --from"
        )
    changes = ({"network": net} if net else {}) | ({} if mirror else {"mirror": False})
    changes |= {"network": first.name} if first else {}
    with (
        plain_warnings(),
        card_trouble(),
        closing(
            Training(chosen, folder, preset, device, seed, changes, workers, on, settings or ())
        ) as run,
    ):
        last = run.round + rounds if rounds else None
        board = Dashboard(
            f"{chosen}, {run.settings.network} on {run.device}, in {folder}", as_json, stop
        )
        begin_with = _expert_games(chosen, records) if records and run.is_new else None
        if first and run.is_new:
            run.start_from(first)
        run.prepare()
        with board, stop.on_interrupt():
            going_on = run.pretrain(begin_with, board.progress, stop) if begin_with else True
            while going_on and run.round != last:
                report = run.run_round(board.progress, stop)
                if report is not None:
                    board.add(report)
                going_on = report is not None and not stop()
    if as_json:
        facts = {"model": str(folder / MODEL), "unfinished_round": run.unfinished}
        typer.echo(json.dumps({**facts, **(board.last or {})}))
    else:
        if run.round != last:
            board.console.print(left_in("round", run.unfinished, stop.asked), soft_wrap=True)
        board.console.print(_how_to_play(which, folder / MODEL), soft_wrap=True)
    if stop.asked:
        raise typer.Exit(INTERRUPTED)


def _how_to_play(which: str, model: Path) -> str:
    if not model.exists():
        return "no round is complete yet, so there is no model to play with"
    return f"hansu play {which} --agent self_learning:model={model}"


def _expert_games(chosen: Game, places: list[Path]) -> list[Any]:
    """Return recorded games as samples; warn of those that cannot be used."""
    from hansu.learning.experts.imitation import expert_samples

    bad: list[RecordError] = []
    games = read_games(places, bad)
    samples = expert_samples(chosen, games, bad)
    if bad:
        warnings.warn(f"left out {len(bad)} games; the first: {bad[0]}", stacklevel=2)
    if not samples:
        raise HansuError(f"the records hold no game of {chosen} to start from")
    return samples


class Dashboard:
    """The last rounds as a live table with progress; plain lines where there is no terminal."""

    def __init__(self, title: str, quiet: bool, stop: Stop) -> None:
        self.console = Console(stderr=quiet, highlight=False)
        self.last: dict[str, Any] | None = None
        self._title, self._stop = title, stop
        self._reports: list[Report] = []
        self._what, self._share = "starting", 0.0
        self._live = Live(console=self.console, auto_refresh=False, transient=True)
        self._watched = self.console.is_terminal

    def __enter__(self) -> "Dashboard":
        if self._watched:
            self._live.start()
        else:
            self.console.print(self._title)
        return self

    def __exit__(self, *error: object) -> None:
        if self._watched:
            self._live.stop()
            self.console.print(self._table())

    def progress(self, what: str, share: float) -> None:
        """Show the current phase and the share of it that is done."""
        if self._watched and (what != self._what or abs(share - self._share) >= 0.02):
            self._what, self._share = what, share
            self._show()

    def add(self, report: "Report") -> None:
        """Add a finished round."""
        self.last = asdict(report)
        self._reports = [*self._reports, report][-SHOWN_ROUNDS:]
        if self._watched:
            self._show()
        else:
            self.console.print(_line(report))

    def _show(self) -> None:
        doing = Table.grid(padding=(0, 1))
        left = left_text(self._stop.left)
        doing.add_row(self._what, ProgressBar(1.0, self._share, width=40), left)
        self._live.update(Group(self._table(), doing), refresh=True)

    def _table(self) -> Table:
        table = Table(
            *("round", "time", "games", "step", "sims/s", "policy loss", "value loss"),
            *("entropy", "accuracy", "gate", "Elo"),
            title=self._title,
            title_justify="left",
        )
        for report in self._reports:
            table.add_row(
                str(report.round),
                clock_text(report.seconds),
                f"{report.games:,}",
                f"{report.step:,}",
                f"{report.simulations_per_second:,.0f}",
                _pair(report.policy_loss, report.validation_policy_loss),
                _pair(report.value_loss, report.validation_value_loss),
                f"{report.entropy:.2f}",
                "" if report.accuracy is None else f"{report.accuracy:.1%}",
                _gate(report),
                f"{report.elo:.0f}",
            )
        return table


def _line(report: "Report") -> str:
    return (
        f"round {report.round}  {clock_text(report.seconds)}  {report.games:,} games  "
        f"step {report.step:,}  {report.simulations_per_second:,.0f} sims/s  "
        f"policy {_pair(report.policy_loss, report.validation_policy_loss)}  "
        f"value {_pair(report.value_loss, report.validation_value_loss)}  "
        + ("" if report.accuracy is None else f"accuracy {report.accuracy:.1%}  ")
        + _gate(report)
    ).rstrip()


def _pair(training: float, validation: float | None) -> str:
    return f"{training:.3f}" + ("" if validation is None else f" ({validation:.3f})")


def _gate(report: "Report") -> str:
    if report.gate_score is None:
        return ""
    verdict = "new best" if report.promoted else "rejected"
    return (
        f"{report.gate_score:.2f} ± {report.gate_error:.2f}, {report.gate_distinct} of "
        f"{report.gate_games} games distinct: {verdict}"
    )
