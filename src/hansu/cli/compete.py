"""``hansu compete``: run a competition as a service."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from hansu.arena.executor import MOST_PROCESSES
from hansu.cli.arguments import EventSeedOption, OnOption
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
PATIENCE = 30.0  # seconds between two starts of the page


def compete(
    folder: FolderArgument,
    concurrency: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_PROCESSES,
            help="Games played at the same time; by default one core is left for checks and the "
            "page, and a cluster plays one per core.",
        ),
    ] = None,
    on: OnOption = "here",
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

    if concurrency is None and on == "here":
        concurrency = max(1, CORES - 1)
    service = CompetitionService(folder, concurrency, database, seed, _tell, on)
    stop, page = Stopping(finish), _Page(folder, host, port, database)
    with stop:
        try:
            service.run(until_idle, stop, (lambda: None) if no_page else page.keep_alive)
        except KeyboardInterrupt:
            if not stop():
                raise
        finally:
            page.close()
        stop.settle()
    if stop():
        say(
            f"stopped; every finished game is kept, {stop.words}. The same command goes on.",
            err=True,
        )
        raise typer.Exit(stop.status)


class _Page:
    """The page's server, in a process of its own, which ends with this one."""

    def __init__(self, folder: Path, host: str, port: int, database: str | None) -> None:
        options = ["--host", host, "--port", str(port), "--no-browser"]
        kept = [] if database is None else ["--competition-database", database]
        where = ["--competition", str(folder), *kept]
        self._command = [sys.executable, "-P", "-m", "hansu", "serve", *options, *where]
        self._process: subprocess.Popen[bytes] | None = None
        self._next = 0.0

    def keep_alive(self) -> None:
        """Start it, also after its death, but not again and again where it cannot start."""
        if self._process is not None and self._process.poll() is None:
            return
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PATIENCE
            self._process = subprocess.Popen(
                under_watchdog(self._command), start_new_session=os.name != "nt"
            )

    def close(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


def _tell(stage: str, record: GameRecord | None) -> None:
    if record is None:
        say(f"{stage}: the final begins", err=True)
        return
    points = {1.0: "1 – 0", 0.5: "½ – ½", 0.0: "0 – 1"}[record.score_first]
    words = f"{record.first} – {record.second}  {points}  {record.outcome.reason}"
    say(f"{stage}: {words}", err=True)
