"""``hansu match``, also ``hansu benchmark``: many games, and who is stronger."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hansu.arena.match import match as play_match
from hansu.arena.match_result import MatchResult
from hansu.cli.arguments import (
    AgentArgument,
    ConcurrencyOption,
    GameArgument,
    IncrementOption,
    JsonOption,
    MoveSecondsOption,
    OpeningsOption,
    SaveOption,
    SecondsOption,
    SeedOption,
)
from hansu.cli.progress import games_bar
from hansu.errors import OptionError
from hansu.records.formats import format_by_suffix, save_games
from hansu.records.record import TimeControl
from hansu.statistics.sprt import Sprt


def match(
    which: GameArgument,
    a: AgentArgument,
    b: AgentArgument,
    games: Annotated[int, typer.Option("--games", "-n", min=1)] = 20,
    openings: OpeningsOption = None,
    seconds: SecondsOption = 400.0,
    move_seconds: MoveSecondsOption = None,
    increment: IncrementOption = 0.0,
    concurrency: ConcurrencyOption = 1,
    sprt: Annotated[
        str | None, typer.Option(help="Stop when sure: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA.")
    ] = None,
    seed: SeedOption = 0,
    save: SaveOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a match of A against B, half of the games with colours swapped."""
    test = read_sprt(sprt) if sprt else None
    chosen = format_by_suffix(save) if save else None  # an unknown ending is told before the games
    with games_bar(Console(stderr=True)) as bar:
        task = bar.add_task(f"{a} – {b}", total=games)

        def progress(result: MatchResult) -> None:
            done, words = len(result.played), f"{a} – {b}  {result.stats.tally}"
            bar.update(task, completed=done, description=words, refresh=True)

        result = play_match(
            which,
            a,
            b,
            games,
            openings=openings,
            control=TimeControl(seconds, move_seconds, increment),
            seed=seed,
            concurrency=concurrency,
            sprt=test,
            progress=progress,
        )
    if save and chosen:
        save_games(result.games, save, chosen)
    if as_json:
        typer.echo(json.dumps(result.facts()))
    else:
        print_result(result)


def read_sprt(text: str) -> Sprt:
    """The test that a text such as ``0,10`` or ``0,10,0.05,0.05`` describes."""
    try:
        numbers = [float(part) for part in text.split(",")]
        test = Sprt(*numbers)
    except (ValueError, TypeError):
        raise OptionError(f"--sprt {text!r}: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA expected") from None
    if not (test.elo0 < test.elo1 and 0 < test.alpha < 0.5 and 0 < test.beta < 0.5):
        raise OptionError(f"--sprt {text!r}: ELO0 below ELO1, ALPHA and BETA between 0 and 0.5")
    return test


def print_result(result: MatchResult) -> None:
    """The games, a line each, and the report."""
    screen = Console(highlight=False, markup=False)  # evidence is the agent's own words
    games = Table("game", "first", "second", "result", "turns", "reason", box=None)
    for played in result.played:
        record = played.record
        points = {1.0: "1 – 0", 0.5: "½ – ½", 0.0: "0 – 1"}[record.score_first]
        reason = record.outcome.reason + (f" ({record.evidence})" if record.evidence else "")
        games.add_row(
            str(played.number + 1),
            record.first,
            record.second,
            points,
            str(len(record.turns)),
            reason,
        )
    screen.print(games)
    print_report(result, screen)


def print_report(result: MatchResult, screen: Console) -> None:
    """Print what the games say."""
    title = Text(f"{result.a} against {result.b}, {result.game}")
    report = Table(title=title, show_header=False)
    for name, value in result.rows():
        report.add_row(Text(name), Text(value))
    screen.print(report)
