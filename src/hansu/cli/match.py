"""``hansu match``, also ``hansu benchmark``: measure which of two agents is stronger."""

import json
from collections.abc import Mapping
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from hansu.arena.accuracy import TITLES, Accuracy, accuracies
from hansu.arena.match import match as play_match
from hansu.arena.match_result import MatchResult
from hansu.cli.arguments import (
    AgentArgument,
    ConcurrencyOption,
    EventSeedOption,
    GameArgument,
    IncrementOption,
    JsonOption,
    MoveSecondsOption,
    NoIsolationOption,
    OnOption,
    OpeningsOption,
    SaveOption,
    SecondsOption,
    TrustOption,
    UntrustedOption,
    isolation_of,
)
from hansu.cli.progress import games_bar
from hansu.cli.stopping import FinishOption, Stopping
from hansu.cli.terminal import Console, say
from hansu.errors import OptionError
from hansu.records.record import TimeControl
from hansu.statistics.sprt import Sprt


def match(
    which: GameArgument,
    a: AgentArgument,
    b: AgentArgument,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Number of games.")] = 20,
    openings: OpeningsOption = None,
    seconds: SecondsOption = 400.0,
    move_seconds: MoveSecondsOption = None,
    increment: IncrementOption = 0.0,
    concurrency: ConcurrencyOption = None,
    on: OnOption = "here",
    sprt: Annotated[
        str | None, typer.Option(help="Stop when sure (SPRT): ELO0,ELO1[,ALPHA,BETA].")
    ] = None,
    seed: EventSeedOption = None,
    save: SaveOption = None,
    no_isolation: NoIsolationOption = False,
    trust: TrustOption = False,
    untrusted: UntrustedOption = False,
    finish: FinishOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a match of A against B with colours swapped, and report who is stronger.

    Where perfect play is known it tells the accuracy of both, too.
    """
    test = read_sprt(sprt) if sprt else None
    isolation = isolation_of(no_isolation, trust)
    so_far, accuracy_of = MatchResult(which, a, b), dict[str, Accuracy]()
    stop, ended = Stopping(finish), None
    with stop:
        try:
            with games_bar(Console(stderr=True)) as bar:
                task = bar.add_task(f"{a} – {b}", total=games)

                def progress(result: MatchResult) -> None:
                    nonlocal so_far
                    so_far = result
                    done, words = len(result.played), f"{a} – {b}  {result.stats.tally}"
                    bar.update(task, completed=done, description=words, refresh=True)

                play_match(
                    *(which, a, b, games),
                    openings=openings,
                    control=TimeControl(seconds, move_seconds, increment),
                    seed=seed,
                    concurrency=concurrency,
                    on=on,
                    sprt=test,
                    isolation=isolation,
                    untrusted=untrusted,
                    save=save,
                    progress=progress,
                    stop=stop,
                )
            if not stop():
                accuracy_of = accuracies(so_far.games)
        except BaseException as error:  # whatever happened, report the games played
            ended = error
        stop.settle()
        if so_far.played:
            told = {name: accuracy.facts() for name, accuracy in accuracy_of.items()}
            facts = {**so_far.facts(), "accuracy": told}
            typer.echo(json.dumps(facts)) if as_json else print_result(so_far, accuracy_of)
        if stop():
            say(f"stopped after {len(so_far.played)} of {games} games; {stop.words}", err=True)
            ended = ended or KeyboardInterrupt()
    if ended is not None:
        raise typer.Exit(stop.status) if isinstance(ended, KeyboardInterrupt) and stop() else ended


def read_sprt(text: str) -> Sprt:
    """Return the test that a text such as ``0,10`` or ``0,10,0.05,0.05`` describes."""
    try:
        return Sprt(*map(float, text.split(",")))
    except OptionError as error:
        raise OptionError(f"--sprt {text!r}: {error}") from None
    except (ValueError, TypeError):
        raise OptionError(f"--sprt {text!r}: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA expected") from None


def print_result(result: MatchResult, accuracy_of: Mapping[str, Accuracy]) -> None:
    """Print one line per game, then the report, then the accuracy of the players."""
    screen = Console(highlight=False, markup=False)  # evidence is the agent's own words
    games = Table("game", "first", "second", "result", "turns", "reason", box=None)
    for played in result.played:
        record = played.record
        points = {1.0: "1 – 0", 0.5: "½ – ½", 0.0: "0 – 1"}[record.score_first]
        reason = record.outcome.reason + (f" ({record.evidence})" if record.evidence else "")
        number, turns = str(played.number + 1), str(len(record.turns))
        games.add_row(number, record.first, record.second, points, turns, reason)
    screen.print(games)
    print_report(result, screen)
    if accuracy_of:
        table = Table("agent", *TITLES, box=None)
        for name, accuracy in accuracy_of.items():
            table.add_row(name, *accuracy.cells())
        screen.print(table)


def print_report(result: MatchResult, screen: Console) -> None:
    """Print the score, the statistics and the verdict."""
    title = Text(f"{result.a} against {result.b}, {result.game}")
    report = Table(title=title, show_header=False)
    for name, value in result.rows():
        report.add_row(Text(name), Text(value))
    screen.print(report)
