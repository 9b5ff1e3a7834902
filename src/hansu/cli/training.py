"""What the training commands share: the time limit, and what they say when they stop."""

import importlib.util
import math
from typing import Annotated

import typer

from hansu.errors import HansuError

INTERRUPTED = 130  # the exit status after Ctrl+C


def _above_zero(minutes: float) -> float:
    if math.isnan(minutes) or minutes <= 0:
        raise typer.BadParameter(f"{minutes:g} is not a time: more than 0 is expected")
    return minutes


MinutesOption = Annotated[
    float,
    typer.Option(
        callback=_above_zero,
        help="Minutes to train, loading included.",
    ),
]


def left_in(what: str, number: int | None, asked: bool) -> str:
    """Say where training stopped, and how to resume it.

    >>> left_in("round", 3, asked=True)
    'stopped in round 3; re-run the same command to resume'
    >>> left_in("epoch", None, asked=False)
    'time is up; re-run the same command to resume'
    """
    where = "" if number is None else f" in {what} {number}" if number else " in the records"
    return f"{'stopped' if asked else 'time is up'}{where}; re-run the same command to resume"


def check_torch() -> None:
    """Raise HansuError without PyTorch."""
    if importlib.util.find_spec("torch") is None:
        raise HansuError("training needs PyTorch: pip install 'hansu[learn]'")


def left_text(seconds: float) -> str:
    """Say how much of the time is left, where there is a limit.

    >>> left_text(125.9), left_text(math.inf)
    ('2:05 of training left', '')
    """
    return "" if math.isinf(seconds) else f"{clock_text(seconds)} of training left"


def clock_text(seconds: float) -> str:
    """Return seconds as minutes and seconds.

    >>> clock_text(125.9)
    '2:05'
    """
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"
