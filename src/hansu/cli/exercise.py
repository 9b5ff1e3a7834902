"""``hansu exercise``: the exercises of the tutorial."""

import json
from contextlib import closing
from typing import Annotated

import typer

from hansu.arena.exercises.exercise import Exercise
from hansu.arena.exercises.table import EXERCISES, find_exercise
from hansu.arena.seat import check_player, seat
from hansu.cli.arguments import (
    JsonOption,
    NoIsolationOption,
    SeedOption,
    TrustOption,
    isolation_of,
)
from hansu.cli.terminal import say


def exercise(
    number: Annotated[int | None, typer.Argument(help="Exercise; without one, list all.")] = None,
    path: Annotated[
        str | None, typer.Argument(help="Agent: ./my_agent.py or my_module.MyAgent.")
    ] = None,
    seed: SeedOption = 0,
    no_isolation: NoIsolationOption = False,
    trust: TrustOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show an exercise of the tutorial, or check an agent that solves it.

    Exit status 1: not solved yet.
    """
    isolation = isolation_of(no_isolation, trust)
    if number is None:
        _list(as_json)
        return
    chosen = find_exercise(number)
    if path is None:
        _show(chosen, as_json)
        return
    with closing(seat(path, chosen.game, isolation=isolation)) as player:
        check_player(player, path, chosen.game.start(), chosen.game.first_color)
        verdict = chosen.check(player, seed)
    if as_json:
        typer.echo(json.dumps(_facts(chosen) | verdict._asdict()))
    elif verdict.passed:
        say(f"Exercise {number} is solved: {verdict.sentence}.", fg="green")
    else:
        say(f"Exercise {number} is not solved yet: {verdict.sentence}.", fg="red")
        say(f"hints: hansu exercise {number}")
    if not verdict.passed:
        raise typer.Exit(1)


def _list(as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps([_facts(each) for each in EXERCISES.values()]))
        return
    for each in EXERCISES.values():
        say(f"{each.number:3}  {each.title} ({each.which})")


def _show(chosen: Exercise, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(_facts(chosen)))
        return
    say(f"Exercise {chosen.number}: {chosen.title}")
    say(chosen.task)
    for hint in chosen.hints:
        say(f"hint: {hint}")
    say(f"check it: hansu exercise {chosen.number} ./my_agent.py")


def _facts(chosen: Exercise) -> dict[str, object]:
    return {
        "exercise": chosen.number,
        "title": chosen.title,
        "game": chosen.which,
        "task": chosen.task,
        "hints": chosen.hints,
    }
