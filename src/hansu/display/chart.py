"""Line charts as SVG: axes with round numbers, curves, points with error bars."""

import math
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hansu.display.markup import Markup, joined, tag

LEFT, RIGHT, TOP, BOTTOM = 52.0, 14.0, 34.0, 34.0  # room around the curves for words
GRID, SOFT = 0.16, 0.72  # opacity of lines and of small print
STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Curve:
    """Points from left to right, joined by a line or standing alone."""

    name: str
    points: Sequence[tuple[float, float]]
    color: str
    dashed: bool = False
    stepped: bool = False  # a value holds until the next point
    line: bool = True
    bars: Sequence[tuple[float, float]] = ()  # each point's error bar: its lower and upper end
    filled: Sequence[bool] = ()  # which points are solid; without any there are no dots

    @property
    def dashes(self) -> str | None:
        """The dashes of its line, as SVG writes them."""
        return "4 3" if self.dashed else None

    def span(self) -> list[float]:
        """Return all heights that must be seen."""
        return [y for _, y in self.points] + [end for bar in self.bars for end in bar]


@dataclass(frozen=True)
class Chart:
    """A titled pair of axes with curves; ``level`` draws a line right across."""

    title: str
    curves: Sequence[Curve]
    x_name: str = ""
    y_text: Callable[[float], str] = field(default=lambda y: f"{y:g}")
    level: float | None = None
    zero: bool = False  # the axis includes 0

    def draw(self, x: float, y: float, width: float, height: float) -> Markup:
        """Draw the chart as SVG elements at a place, in the colour of the text around it."""
        curves = [curve for curve in self.curves if curve.points]
        title = tag("text", self.title, x=x + LEFT, y=y + 15, font_size=13, font_weight=600)
        if not curves:
            none = tag("text", "nothing yet", x=x + LEFT, y=y + height / 2, opacity=SOFT)
            return tag("g", title, none)
        across = Axis.over([px for curve in curves for px, _ in curve.points])
        heights = [h for curve in curves for h in curve.span()]
        heights += [] if self.level is None else [self.level]
        upward = Axis.over(heights + ([0.0] if self.zero else []))
        box = Box(x + LEFT, y + TOP, width - LEFT - RIGHT, height - TOP - BOTTOM, across, upward)
        return tag(
            "g",
            title,
            self._legend(x + width - RIGHT, y + 15),
            box.grid(self.x_name, self.y_text),
            None if self.level is None else box.level(self.level),
            *(part for curve in curves for part in _drawn(curve, box)),
        )

    def _legend(self, right: float, y: float) -> Markup:
        parts = []
        for curve in reversed([c for c in self.curves if c.name]):
            right -= 6.3 * _columns(curve.name)
            parts.append(tag("text", curve.name, x=right, y=y, font_size=11, opacity=SOFT))
            if curve.line:
                look = {"stroke_width": 2.2, "stroke_dasharray": curve.dashes}
                parts.append(_line(right - 22, y - 4, right - 5, y - 4, curve.color, **look))
            right -= 34
        return joined(*parts)


def _columns(text: str) -> int:
    """Return the width of a text in Latin letters: a Korean one is as wide as two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


@dataclass(frozen=True)
class Axis:
    """A range of numbers and the round ones to write beside it."""

    low: float
    high: float
    ticks: tuple[float, ...]

    @classmethod
    def over(cls, values: Sequence[float], count: int = 5) -> "Axis":
        """Return an axis that holds all values.

        >>> Axis.over([0.2, 9.1])
        Axis(low=0.0, high=10.0, ticks=(0.0, 2.0, 4.0, 6.0, 8.0, 10.0))
        """
        low, high = min(values), max(values)
        if high - low < 1e-9:
            low, high = low - 0.5, high + 0.5
        size = 10.0 ** math.floor(math.log10((high - low) / count))
        step = next(s * size for s in STEPS if (high - low) / (s * size) <= count)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        ticks = tuple(round(i * step, 12) for i in range(first, last + 1))
        return cls(ticks[0], ticks[-1], ticks)

    def share(self, value: float) -> float:
        """Return where a value lies, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Box:
    """The area between the axes."""

    left: float
    top: float
    width: float
    height: float
    across: Axis
    upward: Axis

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point is on the picture."""
        down = self.top + self.height * (1.0 - self.upward.share(y))
        return self.left + self.width * self.across.share(x), down

    def grid(self, x_name: str, y_text: Callable[[float], str]) -> Markup:
        """Lines and numbers."""
        parts, right, bottom = [], self.left + self.width, self.top + self.height
        for tick in self.upward.ticks:
            _, y = self.at(self.across.low, tick)
            parts.append(_line(self.left, y, right, y, opacity=GRID))
            parts.append(_small(y_text(tick), self.left - 7, y + 4, "end"))
        for tick in self.across.ticks:
            x, _ = self.at(tick, self.upward.low)
            last = tick == self.across.ticks[-1]
            words = f"{tick:g} {x_name}" if last and x_name else f"{tick:g}"
            parts.append(_small(words, x, bottom + 17, "end" if last else "middle"))
        return joined(*parts)

    def level(self, y: float) -> Markup:
        """Draw a dotted line right across."""
        _, down = self.at(self.across.low, y)
        return _line(
            self.left, down, self.left + self.width, down, stroke_dasharray="2 4", opacity=0.6
        )


def _drawn(curve: Curve, box: Box) -> list[Markup]:
    places = [box.at(x, y) for x, y in curve.points]
    parts = []
    if curve.line:
        if curve.stepped:
            corners = [(x, y) for (x, _), (_, y) in zip(places[1:], places[:-1], strict=True)]
            joints = [p for pair in zip(places, [*corners, places[-1]], strict=True) for p in pair]
        else:
            joints = places
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in joints)
        stroke = {
            "stroke": curve.color,
            "stroke_dasharray": curve.dashes,
            "stroke_linejoin": "round",
        }
        parts.append(tag("polyline", points=points, fill="none", stroke_width=2, **stroke))
    for (x, _), (bottom, top) in zip(curve.points, curve.bars, strict=False):
        (px, low), (_, high) = box.at(x, bottom), box.at(x, top)
        parts.append(_line(px, low, px, high, curve.color, stroke_width=1.5))
    for (x, y), solid in zip(places, curve.filled, strict=False):
        fill = curve.color if solid else "#ffffff"
        parts.append(
            tag("circle", cx=x, cy=y, r=3.6, fill=fill, stroke=curve.color, stroke_width=1.5)
        )
    return parts


def sheet(
    charts: Sequence[Chart], title: str, note: str = "", columns: int = 2, ground: bool = False
) -> Markup:
    """Charts side by side as one picture.

    Its words take the colour of the text around it; a picture that is a file of its own brings a
    ``ground``, light or dark as the reader likes.
    """
    width, height = 420.0, 240.0
    rows = math.ceil(len(charts) / columns)
    head = 54.0 if note else 34.0
    total = (columns * width, head + rows * height)
    places = [(width * (i % columns), head + height * (i // columns)) for i in range(len(charts))]
    return tag(
        "svg",
        tag("title", title),
        _GROUND if ground else None,
        tag("text", title, x=14, y=21, font_size=16, font_weight=650),
        tag("text", note, x=14, y=40, font_size=12, opacity=SOFT) if note else None,
        *(chart.draw(x, y, width, height) for chart, (x, y) in zip(charts, places, strict=True)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {total[0]:g} {total[1]:g}",
        width="100%" if not ground else f"{total[0]:g}",
        style=f"max-width:{total[0]:g}px;height:auto",
        role="img",
        aria_label=title,
        font_family="system-ui, sans-serif",
        fill="currentColor",
    )


_GROUND = Markup(
    "<style>svg{color:#26251f;background:#faf9f6}@media (prefers-color-scheme:dark)"
    "{svg{color:#e9e7e1;background:#17181a}}</style>"
)


def _line(
    x1: float, y1: float, x2: float, y2: float, color: str = "currentColor", **look: Any
) -> Markup:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=color, **look)


def _small(words: str, x: float, y: float, anchor: str) -> Markup:
    return tag("text", words, x=x, y=y, font_size=11, opacity=SOFT, text_anchor=anchor)
