"""The limit in time of the commands that learn, and how they say that they stopped."""

import math
from typing import Annotated

import typer

INTERRUPTED = 130  # the exit status after Ctrl+C


def _above_zero(minutes: float) -> float:
    if math.isnan(minutes) or minutes <= 0:
        raise typer.BadParameter(f"{minutes:g} is not a time: more than 0 is expected")
    return minutes


MinutesOption = Annotated[
    float,
    typer.Option(
        callback=_above_zero,
        help="Stop after this time, loading included, wherever it is; run it again to resume.",
    ),
]


def left_in(what: str, number: int | None, asked: bool) -> str:
    """Say where the work was left, and how to resume it.

    >>> left_in("round", 3, asked=True)
    'stopped in round 3, which is kept: run the same command to resume'
    >>> left_in("epoch", None, asked=False)
    'the time is up: run the same command to go on'
    """
    why = "stopped" if asked else "the time is up"
    if number is None:
        return f"{why}: run the same command to go on"
    where = f"{what} {number}" if number else "learning from the records"
    return f"{why} in {where}, which is kept: run the same command to resume"
