"""The Hex board as a picture: a rhombus of hexagons, each player's edges in his colour."""

import functools
import math
from typing import TYPE_CHECKING, Any

from hansu.games.board_svg import FONT, HINT, INK, LAST, MARGIN, USUAL, Look, Picture, make_look
from hansu.games.game import BLACK, WHITE
from hansu.games.hex import notation

if TYPE_CHECKING:
    from hansu.games.hex.state import HexState

WIDE = 48.0  # a cell from side to side
RADIUS = WIDE / math.sqrt(3)  # from its middle to a corner
DOWN = 1.5 * RADIUS  # from a row to the next
EDGE = 9.0  # how broad a player's edge is drawn

CELL, LINE, RIM = "#efe6d2", "#a8987a", "#5f584b"
STONES = {BLACK: ("#2f3a4f", "#141a26"), WHITE: ("#fdfcf8", "#9a948a")}  # face, rim
EDGES = {BLACK: "#2f3a4f", WHITE: "#ffffff"}
PIECES = {BLACK: "black_stone", WHITE: "white_stone", None: ""}


class Rhombus(Picture):
    """Rows of hexagons, each half a cell further to the right than the one above."""

    def __init__(self, size: int, look: Look, label: str) -> None:
        super().__init__(size, size, look, label)
        self.size = size
        self.scale = size / USUAL  # large boards are wide: their coordinates are drawn larger
        if look.coordinates:
            self.margin = MARGIN * self.scale
        self.width = WIDE * (1.5 * size - 0.5) + 2 * self.margin + 2 * EDGE
        self.height = DOWN * (size - 1) + 2 * RADIUS + 2 * self.margin + 2 * EDGE

    def center(self, column: float, row: float) -> tuple[float, float]:
        """Return the middle of a cell; a flipped board is turned by 180 degrees."""
        if self.look.flip:
            column, row = self.size - 1 - column, self.size - 1 - row
        left, top = self.margin + EDGE + WIDE / 2, self.margin + EDGE + RADIUS
        return left + WIDE * (column + row / 2), top + DOWN * row

    def extent(self) -> tuple[float, float]:
        """Return the width and height of the picture."""
        return self.width, self.height

    def hexagon(self, column: int, row: int, attributes: str) -> None:
        """Draw a cell."""
        self.add(_hexagon(*self.center(column, row), attributes))

    def edges(self) -> None:
        """Draw a band along each edge in the colour of its player."""
        last = self.size - 1
        for color, along in (
            (BLACK, [[(i, 0) for i in range(self.size)], [(i, last) for i in range(self.size)]]),
            (WHITE, [[(0, i) for i in range(self.size)], [(last, i) for i in range(self.size)]]),
        ):
            for cells in along:
                for column, row in cells:
                    self.hexagon(
                        column,
                        row,
                        f'fill="{EDGES[color]}" stroke="{RIM}" stroke-width="1" '
                        f'transform="translate({self._outward(column, row, color)})"',
                    )

    def _outward(self, column: int, row: int, color: bool) -> str:
        """Return how far a cell is moved to show as a band beside the board."""
        sign = -1 if self.look.flip else 1
        if color == BLACK:
            away = (-0.5, -0.87) if row == 0 else (0.5, 0.87)
        else:
            away = (-1.0, 0.0) if column == 0 else (1.0, 0.0)
        return f"{sign * EDGE * away[0]:g} {sign * EDGE * away[1]:g}"

    def coordinates(self) -> None:
        """Write letters above the first row and numbers left of the first column."""
        if not self.look.coordinates:
            return
        style = f'font-size="{FONT * self.scale:g}" text-anchor="middle" fill="{INK}"'
        sign = -1 if self.look.flip else 1
        for i in range(self.size):
            x, y = self.center(i, 0)
            up = RADIUS + EDGE + 7 * self.scale
            above = (x - sign * 0.5 * (up + 3 * self.scale), y - sign * up + 4.5 * self.scale)
            self.add(
                f'<text x="{above[0]:g}" y="{above[1]:g}" {style}>{notation.COLUMNS[i]}</text>'
            )
            x, y = self.center(0, i)
            left = x - sign * (WIDE / 2 + EDGE + 11 * self.scale)
            self.add(f'<text x="{left:g}" y="{y + 4.5 * self.scale:g}" {style}>{i + 1}</text>')

    def pointable(self, cells: Any) -> None:
        """Lay clickable hexagons on top, if ``look.cells``, with each cell's name and stone."""
        if not self.look.cells:
            return
        rows = []
        for row in range(self.size):
            here = []
            for column in range(self.size):
                name, piece = cells[row * self.size + column]
                marks = (
                    f'role="gridcell" data-cell="{name}" data-piece="{piece}" fill="transparent"'
                )
                here.append(_hexagon(*self.center(column, row), marks))
            rows.append(f'<g role="row">{"".join(reversed(here) if self.look.flip else here)}</g>')
        grid = "".join(reversed(rows) if self.look.flip else rows)
        self.add(f'<g role="grid" aria-label="{self.label}">{grid}</g>')


def board(state: "HexState", **options: Any) -> str:
    """Return the board as SVG; the options are those of ``Look``."""
    look = make_look(state, options)
    size, stones = state.game.size, state.stones()
    picture = Rhombus(size, look, f"Hex board, {size} by {size}")
    picture.edges()
    for cell in range(size * size):
        picture.hexagon(
            cell % size,
            cell // size,
            f'class="cell" fill="{CELL}" stroke="{LINE}" stroke-width="1.2"',
        )
    path = winning_path(stones, size)
    for cell, color in enumerate(stones):
        if color is not None:
            place = (cell % size, cell // size)
            if cell in path:
                picture.hexagon(*place, f'fill="{LAST}" fill-opacity="0.45"')
            with picture.piece(state.move_text(cell), PIECES[color]):
                picture.disc(*place, 0.36, *STONES[color])
    _mark_moves(picture, state, look)
    picture.coordinates()
    picture.pointable([(state.move_text(c), PIECES[color]) for c, color in enumerate(stones)])
    return picture.render()


def piece(picture: Picture, name: str) -> None:
    """Draw a piece by its name on the first cell."""
    picture.disc(0, 0, 0.36, *STONES[WHITE if name == PIECES[WHITE] else BLACK])


def _mark_moves(picture: Rhombus, state: "HexState", look: Look) -> None:
    """Mark the last move, the legal ones and arrows; the swap has no place on the board."""
    size, swap = state.game.size, state.game.cells
    if look.last and state.move_stack and state.move_stack[-1] != swap:
        last = state.move_stack[-1]
        picture.ring(last % size, last // size, 0.17, LAST, 0.06)
    if look.legal:
        for move in state.legal_moves:
            if move != swap:
                picture.disc(move % size, move // size, 0.1, HINT)
    for move, weight in look.weights():
        if move != swap:
            picture.point_out(move % size, move // size, weight)


def winning_path(stones: list[bool | None], size: int) -> set[int]:
    """Return the cells of a shortest winning chain; empty while nobody has won."""
    for color in (BLACK, WHITE):
        along = 1 if color == BLACK else size  # from a cell of the first edge to the next
        edge = [i * along for i in range(size) if stones[i * along] == color]
        before: dict[int, int | None] = dict.fromkeys(edge)
        for cell in edge:  # breadth first: the list grows during the loop
            if (cell // size if color == BLACK else cell % size) == size - 1:
                path: set[int] = set()
                at: int | None = cell
                while at is not None:
                    path.add(at)
                    at = before[at]
                return path
            for near in neighbours(cell, size):
                if stones[near] == color and near not in before:
                    before[near] = cell
                    edge.append(near)
    return set()


@functools.cache
def neighbours(cell: int, size: int) -> tuple[int, ...]:
    """Return the cells that touch a cell.

    >>> neighbours(4, 3)
    (1, 2, 5, 7, 6, 3)
    """
    row, column = divmod(cell, size)
    beside = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
    return tuple(
        (row + down) * size + column + right
        for down, right in beside
        if 0 <= row + down < size and 0 <= column + right < size
    )


@functools.lru_cache(4096)
def _hexagon(x: float, y: float, attributes: str) -> str:
    corners = " ".join(
        f"{x + dx * WIDE / 2:.2f},{y + dy * RADIUS:.2f}"
        for dx, dy in ((0, -1), (1, -0.5), (1, 0.5), (0, 1), (-1, 0.5), (-1, -0.5))
    )
    return f'<polygon points="{corners}" {attributes}/>'
