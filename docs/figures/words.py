"""A figure in two languages."""

from collections.abc import Callable
from typing import Any

import hansu
from hansu.display.chart import Chart, Curve, sheet

Word = Callable[[str, str], str]
"""Chooses between an English and a Korean text."""

Figure = Callable[[Word], str]

LANGUAGES: dict[str, Word] = {"": lambda en, ko: en, ".ko": lambda en, ko: ko}

Score = tuple[float, float, tuple[float, float]]
"""Where a score stands in a chart, the score, and its 95 % interval."""

COLORS = ("#2f8f6b", "#b3541e", "#3f6fb5", "#8a5aa8")


def chart(title: str, note: str, curves: list[Curve], **look: object) -> str:
    """Return one pair of axes as a picture; ``note`` says what goes upwards."""
    return sheet([Chart("", curves, **look)], title, note, columns=1, ground=True)  # type: ignore[arg-type]


def score_at(x: float, *match: Any, openings: str | None = None, seed: int = 1) -> Score:
    """Play a match; return its score, to stand at x."""
    result = hansu.match(*match, openings=openings, seed=seed)
    return x, result.score, result.stats.score_interval


def score_chart(title: str, note: str, scores: dict[str, list[Score]], x_name: str) -> str:
    """Return scores with their intervals, a colour a name; the dotted line is an even match."""
    curves = [
        Curve(
            name,
            [(x, score) for x, score, _ in measured],
            color,
            bars=[bar for _, _, bar in measured],
            filled=[True] * len(measured),
            line=len(scores) > 1,
        )
        for (name, measured), color in zip(scores.items(), COLORS, strict=False)
    ]
    return chart(
        *(title, note, curves), x_name=x_name, y_text=lambda y: f"{100 * y:.0f} %", level=0.5
    )
