"""Boards as SVG pictures. Every ``state.svg()`` takes the options of ``Look``."""

import contextlib
import functools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from hansu.display.markup import ACCENT, joined
from hansu.errors import OptionError
from hansu.options import Range, make_options

if TYPE_CHECKING:
    from hansu.games.state import State

CELL = 48.0
MARGIN = 24.0
EDGE = 4.0
INK = "#3b3a36"
LAST = "#e8a33d"
HINT = ACCENT
PAPER = "#f4f1e8"


@dataclass(frozen=True)
class Look:
    """The options of a picture.

    ``arrows`` points out moves: a list of moves, or a mapping from move to weight (0 to 1).
    """

    size: Annotated[int, Range(1, 100_000, "pixels")] = 360  # of the longer side
    ground: bool = False  # a light background, for places that may be dark
    legal: bool = False  # mark the legal moves
    last: bool = True  # mark the last move
    arrows: Iterable[Any] | Mapping[Any, float] = ()
    flip: bool = False  # seen from the other side
    territory: bool = False  # mark the owners of empty points, in go
    dead: Collection[int] = ()  # stones that count as captured, in go
    coordinates: bool = True
    cells: bool = False  # lay a grid of clickable cells over it

    def weights(self) -> list[tuple[Any, float]]:
        """Return the moves to point out, each with its weight."""
        if isinstance(self.arrows, Mapping):
            return [(move, min(1.0, max(0.0, w))) for move, w in self.arrows.items()]
        return [(move, 1.0) for move in self.arrows]


def make_look(state: "State", options: dict[str, Any]) -> Look:
    """Return the options of a state's picture; raises HansuError for what does not fit."""
    look: Look = make_options(Look, "svg", options)
    try:
        for move, _ in look.weights():
            state.move_text(move)
    except TypeError:
        raise OptionError("svg option arrows: a weight is a number from 0 to 1") from None
    return look


class Picture:
    """An SVG under construction: a grid of cells, with room for coordinates at the left and below.

    Columns count from the left and rows from the top; ``flip`` turns the picture by 180 degrees.
    """

    motion: Literal["slide", "fall", "drop", "turn"] = "drop"  # how pages let pieces arrive

    def __init__(self, columns: int, rows: int, look: Look, label: str) -> None:
        self.columns, self.rows, self.look, self.label = columns, rows, look, joined(label)
        self.margin = MARGIN if look.coordinates else EDGE  # at the left and below
        self.top = EDGE  # and at the right
        self._parts: list[str] = []
        if look.ground:
            self.add(f'<rect width="100%" height="100%" rx="10" fill="{PAPER}"/>')

    def center(self, column: float, row: float) -> tuple[float, float]:
        """Return the middle of a cell, in the picture's own units."""
        if self.look.flip:
            column, row = self.columns - 1 - column, self.rows - 1 - row
        return self.margin + (column + 0.5) * CELL, self.top + (row + 0.5) * CELL

    def extent(self) -> tuple[float, float]:
        """Return the width and height of the picture, in its own units."""
        around = self.margin + self.top
        return self.columns * CELL + around, self.rows * CELL + around

    def add(self, svg: str) -> None:
        """Put an element on top of what is there."""
        self._parts.append(svg)

    @contextlib.contextmanager
    def piece(self, place: str, kind: str) -> Iterator[None]:
        """Hold together what is drawn of a piece, so that pages can move it; needs ``look.cells``.

        ``place`` is a name of its own on the board, ``kind`` the piece as ``pointable`` names it.
        """
        if self.look.cells:
            self.add(f'<g data-on="{place}" data-kind="{kind}">')
        yield
        if self.look.cells:
            self.add("</g>")

    def frame(self, fill: str, radius: float = 6.0, part: str = "ground") -> None:
        """Draw the background of the board; pages may colour a ``part`` otherwise."""
        self.add(
            f'<rect class="{part}" x="{self.margin:g}" y="{self.top:g}" '
            f'width="{self.columns * CELL:g}" height="{self.rows * CELL:g}" rx="{radius:g}" '
            f'fill="{fill}"/>'
        )

    def cell(
        self,
        column: int,
        row: int,
        fill: str,
        opacity: float = 1.0,
        part: str = "mark",
        radius: float = 0.0,
    ) -> None:
        """Colour a whole cell; pages may colour a ``part`` otherwise."""
        x, y = self.center(column, row)
        corners = f'rx="{radius:g}" ' if radius else ""
        self.add(
            f'<rect class="{part}" x="{x - CELL / 2:g}" y="{y - CELL / 2:g}" width="{CELL:g}" '
            f'height="{CELL:g}" {corners}fill="{fill}" fill-opacity="{opacity:g}"/>'
        )

    def disc(
        self, column: float, row: float, radius: float, fill: str, stroke: str = "none"
    ) -> None:
        """Draw a round piece, mark or hole; the radius is a share of a cell."""
        self.add(_disc(self.center(column, row), radius, fill, stroke))

    def ring(self, column: float, row: float, radius: float, color: str, width: float) -> None:
        """Draw a circle around something; radius and width are shares of a cell."""
        x, y = self.center(column, row)
        self.add(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius * CELL:g}" fill="none" '
            f'stroke="{color}" stroke-width="{width * CELL:g}"/>'
        )

    def line(
        self, start: tuple[float, float], end: tuple[float, float], color: str, width: float
    ) -> None:
        """Draw a line from cell to cell; the width is a share of a cell."""
        self.add(_line(self.center(*start), self.center(*end), color, width))

    def point_out(self, column: int, row: int, weight: float) -> None:
        """Point out a cell to play on: a dot, larger and stronger with more weight."""
        x, y = self.center(column, row)
        self.add(
            f'<circle cx="{x:g}" cy="{y:g}" r="{(0.1 + 0.18 * weight) * CELL:g}" fill="{HINT}" '
            f'fill-opacity="{0.45 + 0.45 * weight:g}"/>'
        )

    def arrow(self, start: tuple[float, float], end: tuple[float, float], weight: float) -> None:
        """Point out a move from one cell to another, broader with more weight."""
        (x1, y1), (x2, y2) = self.center(*start), self.center(*end)
        length = max(1e-9, ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        width = (0.06 + 0.1 * weight) * CELL
        head = 2.2 * width
        bx, by = x2 - ux * head, y2 - uy * head
        self.add(
            f'<g fill="{HINT}" stroke="{HINT}" opacity="{0.45 + 0.4 * weight:g}">'
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{bx:g}" y2="{by:g}" stroke-width="{width:g}" '
            f'stroke-linecap="round"/><polygon stroke="none" points="{x2:g},{y2:g} '
            f"{bx - uy * head * 0.75:g},{by + ux * head * 0.75:g} "
            f'{bx + uy * head * 0.75:g},{by - ux * head * 0.75:g}"/></g>'
        )

    def names(self, columns: Iterable[str], rows: Iterable[str]) -> None:
        """Write the coordinates along the left side and below the board."""
        if not self.look.coordinates:
            return
        bottom = self.top + self.rows * CELL + 18
        for i, name in enumerate(columns):
            self.add(_name(self.center(i, 0)[0], bottom, name))
        for i, name in enumerate(rows):
            self.add(_name(self.margin - 12, self.center(0, i)[1] + 4.5, name))

    def pointable(self, cells: Sequence[tuple[str, str]]) -> None:
        """Lay the clickable grid on top, if ``look.cells``: names and pieces from the top left.

        ``State.move_cells`` uses these names; pages listen to clicks on ``data-cell``.
        """
        if not self.look.cells:
            return
        left, _ = self.center(self.columns - 1 if self.look.flip else 0, 0)
        rows = []
        for row in range(self.rows):
            here = tuple(cells[row * self.columns : (row + 1) * self.columns])
            across = here[::-1] if self.look.flip else here
            rows.append(_cells(across, left, self.center(0, row)[1]))
        grid = "".join(reversed(rows) if self.look.flip else rows)
        self.add(f'<g role="grid" aria-label="{self.label}">{grid}</g>')

    def render(self) -> str:
        """Return the finished picture."""
        role = "group" if self.look.cells else "img"  # screen readers skip what is in an img
        motion = f'data-motion="{self.motion}" ' if self.look.cells else ""
        width, height = self.extent()
        scale = self.look.size / max(width, height)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width * scale:.0f}" height="{height * scale:.0f}" role="{role}" {motion}'
            f'aria-label="{self.label}" font-family="system-ui, sans-serif">'
            f"<title>{self.label}</title>{''.join(self._parts)}</svg>"
        )


# From one move to the next most of a picture stays the same: its parts are cached.


@functools.lru_cache(4096)
def _disc(center: tuple[float, float], radius: float, fill: str, stroke: str) -> str:
    x, y = center
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius * CELL:g}" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="1.5"/>'
    )


@functools.lru_cache(4096)
def _line(start: tuple[float, float], end: tuple[float, float], color: str, width: float) -> str:
    (x1, y1), (x2, y2) = start, end
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{color}" '
        f'stroke-width="{width * CELL:g}" stroke-linecap="round"/>'
    )


@functools.lru_cache(1024)
def _name(x: float, y: float, name: str) -> str:
    style = f'font-size="13" text-anchor="middle" fill="{INK}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{name}</text>'


@functools.lru_cache(4096)
def _cells(cells: tuple[tuple[str, str], ...], left: float, y: float) -> str:
    """Return a row of the clickable grid, from the left."""
    row = "".join(
        f'<rect role="gridcell" data-cell="{name}" data-piece="{piece}" '
        f'x="{left + (i - 0.5) * CELL:g}" y="{y - CELL / 2:g}" width="{CELL:g}" '
        f'height="{CELL:g}" fill="transparent"/>'
        for i, (name, piece) in enumerate(cells)
    )
    return f'<g role="row">{row}</g>'
