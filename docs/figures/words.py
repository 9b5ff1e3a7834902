"""A figure in two languages."""

from collections.abc import Callable

from hansu.display.chart import Chart, Curve, sheet

Word = Callable[[str, str], str]
"""Chooses between an English and a Korean text."""

Figure = Callable[[Word], str]

LANGUAGES: dict[str, Word] = {"": lambda en, ko: en, ".ko": lambda en, ko: ko}

COLORS = ("#2f8f6b", "#b3541e", "#3f6fb5", "#8a5aa8")


def chart(title: str, note: str, curves: list[Curve], **look: object) -> str:
    """Return one pair of axes as a picture; ``note`` says what goes upwards."""
    return sheet([Chart("", curves, **look)], title, note, columns=1, ground=True)  # type: ignore[arg-type]
