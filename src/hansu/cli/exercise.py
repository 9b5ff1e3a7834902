"""``hansu exercise``: the exercises of the tutorial."""

import json
from contextlib import closing
from typing import Annotated

import typer

from hansu.arena.exercises.exercise import Exercise, Verdict
from hansu.arena.exercises.table import EXERCISES, find_exercise
from hansu.arena.seat import check_player, seat
from hansu.cli.arguments import (
    JsonOption,
    NoIsolationOption,
    SeedOption,
    TrustOption,
    isolation_of,
)
from hansu.cli.terminal import Console, say
from hansu.games.game import COLOR_NAMES


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
    with (
        closing(seat(path, chosen.game, isolation=isolation)) as player,
        Console(stderr=True).status("checking; a match may take minutes"),
    ):
        check_player(player, path, chosen.game.start(), chosen.game.first_color)
        verdict = chosen.check(player, seed)
    if as_json:
        position = verdict.state.text() if verdict.state else None
        told = {"passed": verdict.passed, "sentence": verdict.sentence, "position": position}
        typer.echo(json.dumps(_facts(chosen) | told))
    else:
        _tell(number, verdict)
    if not verdict.passed:
        raise typer.Exit(1)


def _tell(number: int, verdict: Verdict) -> None:
    sentence = verdict.sentence.removesuffix(".") + "."
    if verdict.passed:
        say(f"Exercise {number} is solved: {sentence}", fg="green")
        return
    if verdict.state:
        say(verdict.state)
        say(f"{COLOR_NAMES[verdict.state.turn]} to move, position {verdict.state.text()}")
    say(f"Exercise {number} is not solved yet: {sentence}", fg="red")
    say(f"hints: hansu exercise {number}")


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
    say(f"time: {chosen.time}")
    for hint in chosen.hints:
        say(f"hint: {hint}")
    say(f"check it: hansu exercise {chosen.number} ./my_agent.py")


def _facts(chosen: Exercise) -> dict[str, object]:
    return {
        "exercise": chosen.number,
        "title": chosen.title,
        "game": chosen.which,
        "task": chosen.task,
        "time": chosen.time,
        "hints": chosen.hints,
    }
