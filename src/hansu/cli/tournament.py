"""``hansu tournament``: round robin, gauntlet or Swiss, resumable at any moment."""

import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from hansu.arena.tournament.plan import Format
from hansu.arena.tournament.result import TournamentResult
from hansu.cli.arguments import (
    ConcurrencyOption,
    EventSeedOption,
    GameArgument,
    IncrementOption,
    JsonOption,
    MoveSecondsOption,
    NoIsolationOption,
    OnOption,
    OpeningsOption,
    SecondsOption,
    TrustOption,
    UntrustedOption,
    isolation_of,
)
from hansu.cli.match import print_report
from hansu.cli.progress import games_bar
from hansu.cli.stopping import FinishOption, Stopping
from hansu.cli.terminal import Console, say
from hansu.errors import HansuError
from hansu.records.record import GameRecord, TimeControl

if TYPE_CHECKING:
    from hansu.arena.tournament.tournament import Progress

POINTS = {1.0: "1", 0.5: "½", 0.0: "0"}
FAULTS = 10  # disqualifications that are printed; the report has them all


def tournament(
    which: GameArgument,
    agents: Annotated[
        list[str],
        typer.Argument(help="Two or more agents: mcts:n_simulations=500, ./my_agent.py …"),
    ],
    out: Annotated[Path, typer.Option(help="Folder for results, games and report.")],
    rounds: Annotated[
        int, typer.Option("--rounds", "-k", min=1, help="Rounds; each pairing plays both colours.")
    ] = 1,
    format: Annotated[
        Format, typer.Option(help="Pairing; in a gauntlet the first agent meets all others.")
    ] = "round-robin",
    openings: OpeningsOption = None,
    seconds: SecondsOption = 400.0,
    move_seconds: MoveSecondsOption = None,
    increment: IncrementOption = 0.0,
    concurrency: ConcurrencyOption = None,
    on: OnOption = "here",
    seed: EventSeedOption = None,
    untrusted: UntrustedOption = False,
    no_isolation: NoIsolationOption = False,
    trust: TrustOption = False,
    anchor: Annotated[
        str | None, typer.Option(help="Agent whose rating is fixed: NAME or NAME=ELO.")
    ] = None,
    database: Annotated[
        str | None, typer.Option(help="Database for the results: postgresql://USER@HOST/NAME.")
    ] = None,
    finish: FinishOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a tournament. Re-run the same command to resume."""
    # Here, because other commands need not load the database.
    from hansu.arena.tournament.tournament import so_far
    from hansu.arena.tournament.tournament import tournament as play_tournament

    isolation = isolation_of(no_isolation, trust)
    stop, result = Stopping(finish), None
    with stop:
        try:
            with _progress() as progress:
                result = play_tournament(
                    *(which, *agents),
                    rounds=rounds,
                    out=out,
                    format=format,
                    openings=openings,
                    control=TimeControl(seconds, move_seconds, increment),
                    seed=seed,
                    concurrency=concurrency,
                    on=on,
                    untrusted=untrusted,
                    isolation=isolation,
                    anchor=anchor,
                    database=database,
                    progress=progress,
                    stop=stop,
                )
        except KeyboardInterrupt:
            if not stop():
                raise
            stop.settle()
            with suppress(HansuError):  # it may not even have begun
                result = so_far(out, database, anchor)
        stop.settle()  # with --finish nothing was raised
        if result is not None and as_json:
            typer.echo(json.dumps(result.facts()))
        elif result is not None:
            say(str(result)) if stop() else print_result(result, out)
        if stop():
            _tell_how_to_resume(stop)
            raise typer.Exit(stop.status)


def _tell_how_to_resume(stop: Stopping) -> None:
    command = shlex.join(["hansu", *sys.argv[1:]])
    kept = f"stopped; every finished game is kept, {stop.words}. To resume:\n  {command}"
    say(f"\n{kept}", err=True)


@contextmanager
def _progress() -> "Iterator[Progress]":
    """Show a bar on a terminal, elsewhere print a line per game; both on stderr."""
    errors = Console(stderr=True, highlight=False, markup=False)
    with games_bar(errors) as bar:
        task = bar.add_task("", total=None)

        def tell(record: GameRecord | None, done: int, scheduled: int) -> None:
            words = "" if record is None else _in_words(record)
            bar.update(task, completed=done, total=scheduled, description=words, refresh=True)
            if record is not None and not errors.is_terminal:
                errors.print(f"{done}/{scheduled}  {words}", soft_wrap=True)

        yield tell


def _in_words(record: GameRecord) -> str:
    points = f"{POINTS[record.score_first]} – {POINTS[1.0 - record.score_first]}"
    return f"{record.first} – {record.second}  {points}  {record.outcome.reason}"


def print_result(result: TournamentResult, out: Path) -> None:
    """Print the standings, the cross-table or match report, and the disqualifications."""
    screen = Console(highlight=False)
    plan = result.plan
    screen.print(_table(f"{plan.game}, {plan.format}: {len(result.records)} games", result.rows()))
    if result.match:
        print_report(result.match, screen)
    else:
        screen.print(_table("\ncross-table", result.cross_rows()))
    if result.cycle:
        screen.print(f"\n{result.cycle}", markup=False, soft_wrap=True)
    faults = result.disqualified
    for row in faults[:FAULTS]:
        words = f"game {row['game']}: {row['reason']}: {row['evidence']}"
        screen.print(words, style="red", markup=False, soft_wrap=True)
    if len(faults) > FAULTS:
        screen.print(f"and {len(faults) - FAULTS} more games lost by disqualification", style="red")
    screen.print(f"\nreport: {out / 'report.html'}", markup=False, soft_wrap=True)


def _table(title: str, rows: list[tuple[str, ...]]) -> Table:
    titles, *lines = rows
    table = Table(title=title, title_justify="left", box=None)
    for name in titles:
        table.add_column(name, justify="left" if name == "agent" else "right")
    for line in lines:
        table.add_row(*map(escape, line))
    return table
