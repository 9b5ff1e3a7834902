"""The go board as a picture: wood, slate and shell."""

import functools
from itertools import product
from typing import TYPE_CHECKING, Any

from hansu.games.board_svg import CELL, HINT, INK, Picture, make_look
from hansu.games.game import BLACK, COLOR_NAMES, WHITE

if TYPE_CHECKING:
    from hansu.games.go.state import GoState

WOOD, WOOD_DARK, GRID = "#e6bd73", "#d3a253", "#5d4320"
STONE = 0.475  # radius, in cells
DEFINITIONS = (
    "<defs>"
    f'<linearGradient id="go-wood" x1="0" y1="0" x2="1" y2="1"><stop offset="0" '
    f'stop-color="#efcb86"/><stop offset="0.55" stop-color="{WOOD}"/>'
    f'<stop offset="1" stop-color="{WOOD_DARK}"/></linearGradient>'
    '<radialGradient id="go-black" cx="0.36" cy="0.3" r="0.8"><stop offset="0" '
    'stop-color="#7d8087"/><stop offset="0.35" stop-color="#34363b"/>'
    '<stop offset="1" stop-color="#0b0c0e"/></radialGradient>'
    '<radialGradient id="go-white" cx="0.36" cy="0.3" r="0.85"><stop offset="0" '
    'stop-color="#ffffff"/><stop offset="0.6" stop-color="#f3f1ea"/>'
    '<stop offset="1" stop-color="#c9c4b6"/></radialGradient>'
    "</defs>"
)
FILL = {BLACK: "url(#go-black)", WHITE: "url(#go-white)"}
STONES = {BLACK: "black_stone", WHITE: "white_stone", None: ""}
PLAIN = {BLACK: "#1b1c1f", WHITE: "#f7f5ef"}


def board(state: "GoState", **options: Any) -> str:
    """Return the board as SVG; the options are those of ``Look``."""
    look = make_look(state, options)
    width, height = state.game.width, state.game.height
    picture = Picture(width, height, look, f"go board, {width} by {height}")
    picture.add(DEFINITIONS)
    large = max(width, height) / 9  # letters are read at any size of the board
    around = 8.0 + 13.0 * max(1.0, large) if look.coordinates else 8.0
    picture.margin = picture.below = picture.top = around
    picture.add('<rect class="wood" width="100%" height="100%" rx="10" fill="url(#go-wood)"/>')
    _grid(picture)
    stones = state.stones()

    def place(point: int) -> tuple[int, int]:
        return point % width, point // width

    for point, color in enumerate(stones):
        if color is not None:
            with picture.piece(state.move_text(point), STONES[color]):
                _stone(picture, *place(point), color, dead=point in look.dead)
    if look.territory:
        for point, owner in enumerate(state.owners(look.dead)):
            if owner is not None and (stones[point] is None or point in look.dead):
                _square(picture, *place(point), PLAIN[owner])
    passes = []
    if look.last and state.move_stack:
        last = state.move_stack[-1]
        if last == state.pass_move:
            name = COLOR_NAMES[not state.turn]
            passes.append(f'<tspan data-passed="{name}">{name} passed</tspan>')  # for the page
        elif (stone := stones[last]) is not None:
            picture.ring(*place(last), 0.24, PLAIN[not stone], 0.06)
    if look.legal:
        for move in state.legal_moves:
            if move != state.pass_move:
                picture.disc(*place(move), 0.09, HINT)
    for move, weight in look.weights():
        if move == state.pass_move:
            passes.append(f"pass {weight:.0%}")
        else:
            picture.point_out(*place(move), weight)
    if passes:
        _note(picture, ", ".join(passes))
    if look.coordinates:
        _names(picture, [state.move_text(p)[0] for p in range(width)], 13.0 * max(1.0, large))
    picture.pointable([(state.move_text(p), STONES[color]) for p, color in enumerate(stones)])
    return picture.render()


def _grid(picture: Picture) -> None:
    """Draw lines through the middle of the cells, and the star points."""
    right, bottom = picture.columns - 1, picture.rows - 1
    for column in range(picture.columns):
        edge = column in (0, right)
        picture.line((column, 0), (column, bottom), GRID, 0.035 if edge else 0.022)
    for row in range(picture.rows):
        edge = row in (0, bottom)
        picture.line((0, row), (right, row), GRID, 0.035 if edge else 0.022)
    for column, row in star_points(picture.columns, picture.rows):
        picture.disc(column, row, 0.075, GRID)


def star_points(width: int, height: int) -> list[tuple[int, int]]:
    """Return the star points, as (column, row): corners and centre, on large boards the sides too.

    >>> len(star_points(19, 19)), len(star_points(13, 13)), star_points(5, 5)
    (9, 5, [(2, 2)])
    """
    across, down = _star_lines(width), _star_lines(height)
    large = width >= 15 and height >= 15
    return [
        (column, row)
        for column, row in product(across, down)
        if large or (2 * column == width - 1) == (2 * row == height - 1)
    ]


def _star_lines(side: int) -> list[int]:
    middle = [side // 2] if side % 2 else []
    if side < 7:
        return middle
    edge = 2 if side < 12 else 3
    return [edge, *(middle if side > 7 else []), side - 1 - edge]


def _names(picture: Picture, columns: list[str], size: float) -> None:
    """Write the coordinates on the wood, at the left and below."""
    bottom, left = picture.extent()[1] - 0.36 * size, picture.margin / 2 + 2
    texts = [(picture.center(i, 0)[0], bottom, name) for i, name in enumerate(columns)]
    rows = range(picture.rows)
    texts += [(left, picture.center(0, i)[1] + size / 3, str(picture.rows - i)) for i in rows]
    written = "".join(f'<text x="{x:g}" y="{y:g}">{name}</text>' for x, y, name in texts)
    picture.add(
        f'<g class="names" font-size="{size:g}" text-anchor="middle" fill="{GRID}">{written}</g>'
    )


def piece(picture: Picture, name: str) -> None:
    """Draw a piece by its name on the first cell."""
    picture.add(DEFINITIONS)
    _stone(picture, 0, 0, WHITE if name == STONES[WHITE] else BLACK, dead=False)


def _stone(picture: Picture, column: int, row: int, color: bool, dead: bool) -> None:
    picture.add(_stone_at(*picture.center(column, row), color, dead))


@functools.lru_cache(4096)
def _stone_at(x: float, y: float, color: bool, dead: bool) -> str:
    radius = STONE * CELL
    if dead:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{FILL[color]}" opacity="0.5"/>'
    return (
        f'<ellipse cx="{x + 1.6:g}" cy="{y + 2.4:g}" rx="{radius:g}" ry="{radius:g}" '
        'fill="#3a2606" fill-opacity="0.28"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{FILL[color]}"/>'
    )


def _square(picture: Picture, column: int, row: int, fill: str) -> None:
    """Draw a small square on a point in its owner's colour."""
    (x, y), side = picture.center(column, row), 0.26 * CELL
    picture.add(
        f'<rect x="{x - side / 2:g}" y="{y - side / 2:g}" width="{side:g}" height="{side:g}" '
        f'rx="2" fill="{fill}" fill-opacity="0.85"/>'
    )


def _note(picture: Picture, text: str) -> None:
    """Write above the board about a pass, which has no place on it."""
    x = picture.margin + picture.columns * CELL / 2
    picture.add(
        f'<g font-size="{0.62 * picture.top:g}" text-anchor="middle" fill="{INK}">'
        f'<text x="{x:g}" y="{0.8 * picture.top:g}">{text}</text></g>'
    )
