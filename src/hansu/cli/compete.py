"""``hansu compete``: run a competition as a service."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from hansu.arena.executor import MOST_PROCESSES
from hansu.cli.arguments import EventSeedOption
from hansu.cli.serve import HostOption
from hansu.cli.stopping import FinishOption, Stopping
from hansu.cli.terminal import say
from hansu.protocols.program import under_watchdog
from hansu.records.record import GameRecord

FolderArgument = Annotated[Path, typer.Argument(help="Folder with a competition.toml.")]
DatabaseOption = Annotated[
    str | None, typer.Option(help="Database for the results: postgresql://USER@HOST/NAME.")
]
CORES = os.cpu_count() or 1


def compete(
    folder: FolderArgument,
    concurrency: Annotated[
        int,
        typer.Option(
            min=1,
            max=MOST_PROCESSES,
            help="Games played at the same time; one core is left for checks and the page.",
        ),
    ] = max(1, CORES - 1),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the page.")] = 8400,
    host: HostOption = "127.0.0.1",
    no_page: Annotated[bool, typer.Option("--no-page", help="Serve no page.")] = False,
    until_idle: Annotated[
        bool, typer.Option("--until-idle", help="Exit when there is nothing left to play.")
    ] = False,
    database: DatabaseOption = None,
    seed: EventSeedOption = None,
    finish: FinishOption = False,
) -> None:
    """Run a competition: take submissions, check, play and rate them. Re-run to go on."""
    from hansu.arena.competition.service import CompetitionService

    service = CompetitionService(folder, concurrency, database, seed, _tell)
    stop = Stopping(finish)
    with stop:
        try:
            with _page(folder, host, port, database, wanted=not no_page):
                service.run(until_idle, stop)
        except KeyboardInterrupt:
            if not stop():
                raise
        stop.settle()
    if stop():
        say(
            f"stopped; every finished game is kept, {stop.words}. The same command goes on.",
            err=True,
        )
        raise typer.Exit(stop.status)


@contextmanager
def _page(folder: Path, host: str, port: int, database: str | None, wanted: bool) -> Iterator[None]:
    """Serve the page in a process of its own, which ends with this one."""
    if not wanted:
        yield
        return
    options = ["--host", host, "--port", str(port), "--no-browser", "--competition", str(folder)]
    kept = [] if database is None else ["--competition-database", database]
    command = [sys.executable, "-P", "-m", "hansu", "serve", *options, *kept]
    page = subprocess.Popen(under_watchdog(command), start_new_session=os.name != "nt")
    try:
        yield
    finally:
        page.terminate()
        page.wait()


def _tell(stage: str, record: GameRecord | None) -> None:
    if record is None:
        say(f"{stage}: the final begins", err=True)
        return
    points = {1.0: "1 – 0", 0.5: "½ – ½", 0.0: "0 – 1"}[record.score_first]
    words = f"{record.first} – {record.second}  {points}  {record.outcome.reason}"
    say(f"{stage}: {words}", err=True)
