"""``hansu review``: find the mistakes of a recorded game."""

import json
from pathlib import Path
from typing import Annotated

import typer

from hansu.arena.review import STRONGEST, Review, ReviewedTurn
from hansu.arena.review import review as walk_through
from hansu.arena.seat import load_agent
from hansu.cli.arguments import JsonOption, NoIsolationOption, TrustOption, isolation_of
from hansu.cli.completion import complete_agent
from hansu.cli.export import tell_problems
from hansu.cli.progress import games_bar
from hansu.cli.replay import chosen_game
from hansu.cli.terminal import Console
from hansu.errors import RecordError
from hansu.games.game import BLACK, COLOR_NAMES, WHITE
from hansu.records.formats import read_games
from hansu.records.replay import game_of
from hansu.search.limits import Limits


def review(
    file: Annotated[Path, typer.Argument(help="File of games in any format.")],
    number: Annotated[int, typer.Option("--game", "-g", min=1, help="Number of the game.")] = 1,
    who: Annotated[
        str,
        typer.Option("--agent", "-a", help="Agent that reviews.", autocompletion=complete_agent),
    ] = STRONGEST,
    seconds: Annotated[float, typer.Option(min=0.001, help="Seconds per position.")] = 1.0,
    no_isolation: NoIsolationOption = False,
    trust: TrustOption = False,
    as_json: JsonOption = False,
) -> None:
    """Review a recorded game: the accuracy of both sides, and every mistake with a better move.

    A mistake is measured by the win probability that it gave away: 5 % is an inaccuracy, 10 % a
    mistake, 15 % a blunder. Where the game is solved, the judgement is exact.
    """
    problems: list[RecordError] = []
    record = chosen_game(read_games(file, problems), number)
    tell_problems(problems)
    agent = load_agent(who, game_of(record), isolation_of(no_isolation, trust))
    with games_bar(Console(stderr=True)) as bar:
        task = bar.add_task("positions", total=len(record.turns) + 1)

        def tell(found: Review) -> None:
            bar.update(task, completed=found.done, refresh=True)

        found = walk_through(record, agent, Limits(seconds), tell=tell)
    if as_json:
        facts = {"game": record.game, "agent": who, "seconds": seconds, **found.facts()}
        typer.echo(json.dumps(facts))
    else:
        _print(found, who)


def _print(found: Review, who: str) -> None:
    screen, facts = Console(highlight=False, markup=False), found.facts()
    for color in (WHITE, BLACK):
        side = found.accuracy(color)
        name = f"{COLOR_NAMES[color]} ({found.record.player(color)})"
        share = f"{side.share:.0%} of {side.judged} moves kept the value" if side.judged else "–"
        screen.print(f"{name:<30} {share}", style="bold")
    screen.print(f"{who} proved {facts['proved']} of {facts['positions']} positions")
    for turn in found.mistakes():
        screen.print(_line(turn))


def _line(turn: ReviewedTurn) -> str:
    better = f"  better: {' '.join(turn.better)}" if turn.better else ""
    return (
        f"{turn.number:>4} {COLOR_NAMES[turn.color]} {turn.move:<6} {turn.size:<10} "
        f"{turn.before:4.0%} → {turn.after:4.0%}{better}"
    )
