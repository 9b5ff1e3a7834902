"""The Connect Four board as a picture."""

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from hansu.games.board_svg import CELL, HINT, Picture, make_look
from hansu.games.connect4.rules import line_cells

if TYPE_CHECKING:
    from hansu.games.connect4.state import Connect4State

BOARD, EDGE, HOLE = "#2b62b8", "#1d4688", "#f3f6fb"
DISCS = (("#f7cf4a", "#e0ac23", "#fbe391"), ("#dd4a40", "#b5302b", "#ee8a80"))  # face, edge, shine
LAST = ("#6b4e00", "#5c100d")  # the dot on the last disc, for the first and the second player
PIECES = ("yellow_disc", "red_disc")
LINE = "#ffffff"


def board(state: "Connect4State", **options: Any) -> str:
    """Return the board as SVG; the options are those of ``Look``.

    Discs fall down from either side, so ``flip`` only mirrors the board.
    """
    look = make_look(state, options)
    width, height = state.game.board.width, state.game.board.height
    stride = state.game.board.stride
    picture = Picture(
        width, height, replace(look, flip=False), f"Connect Four board {state.text()}".strip()
    )
    players = state.stones()
    line = sum(int(line_cells(np.uint64(stones), np.uint64(height))) for stones in players)
    drops = state.move_stack
    last = (drops[-1], drops.count(drops[-1]) - 1) if look.last and drops else None

    def place(move: int, row: int) -> tuple[int, int]:
        return width - move if look.flip else move - 1, height - 1 - row

    def landing(move: int) -> tuple[int, int]:
        return place(move, min(drops.count(move), height - 1))

    def bit(move: int, row: int) -> int:
        return 1 << (stride * (move - 1) + row)

    picture.motion = "fall"
    picture.margin = picture.top  # columns alone have names
    picture.frame(HOLE, radius=16)
    for move, row in product(range(1, width + 1), range(height)):
        cell, at = bit(move, row), place(move, row)
        for stones, colors, kind in zip(players, DISCS, PIECES, strict=True):
            if stones & cell:
                with picture.piece(f"{move}-{row}", kind):
                    _disc(picture, at, *colors, faded=bool(line) and not line & cell)
    picture.add(_face(picture, width, height))
    for move, row in product(range(1, width + 1), range(height)):
        cell, at = bit(move, row), place(move, row)
        if line & cell:
            picture.ring(*at, 0.39, LINE, 0.06)
        if (move, row) == last:
            picture.disc(*at, 0.08, LAST[bool(players[1] & cell)])
    if look.legal:
        for move in state.legal_moves:
            picture.disc(*landing(move), 0.1, HINT)
    for move, weight in look.weights():
        picture.point_out(*landing(move), weight)
    numbers = [str(move) for move in range(1, width + 1)]
    picture.names(reversed(numbers) if look.flip else numbers, ())
    columns = range(1, width + 1)[:: -1 if look.flip else 1]
    cells = [
        (
            str(move),
            next((p for s, p in zip(players, PIECES, strict=True) if s & bit(move, row)), ""),
        )
        for row in reversed(range(height))
        for move in columns
    ]
    picture.pointable(cells)
    return picture.render()


def _face(picture: Picture, columns: int, rows: int) -> str:
    """Return the board's face with its holes: discs fall behind it."""
    width, height, radius = columns * CELL, rows * CELL, 0.4 * CELL
    outline = (
        f"M{picture.margin + 16:g} {picture.top:g}h{width - 32:g}a16 16 0 0 1 16 16v{height - 32:g}"
        f"a16 16 0 0 1 -16 16h{32 - width:g}a16 16 0 0 1 -16 -16v{32 - height:g}"
        "a16 16 0 0 1 16 -16z"
    )
    holes = "".join(
        f"M{x - radius:g} {y:g}a{radius:g} {radius:g} 0 1 0 {2 * radius:g} 0"
        f"a{radius:g} {radius:g} 0 1 0 {-2 * radius:g} 0z"
        for x, y in (picture.center(*at) for at in product(range(columns), range(rows)))
    )
    return (
        f'<path class="face" d="{outline}{holes}" fill="{BOARD}" fill-rule="evenodd" '
        f'stroke="{EDGE}" stroke-width="3"/>'
    )


def piece(picture: Picture, name: str) -> None:
    """Draw a piece by its name on the first cell."""
    _disc(picture, (0, 0), *DISCS[PIECES.index(name)], faded=False)


def _disc(
    picture: Picture, at: tuple[int, int], face: str, edge: str, shine: str, faded: bool
) -> None:
    """Draw a disc, lit from above, with a ring or a cross on it; faded beside a winning line."""
    column, row = at
    picture.add(f'<g opacity="{0.55 if faded else 1:g}">')
    picture.disc(column, row, 0.4, edge)
    picture.disc(column, row - 0.015, 0.375, face)
    if face == DISCS[0][0]:
        picture.ring(column, row + 0.012, 0.262, shine, 0.03)
        picture.ring(column, row - 0.012, 0.262, edge, 0.03)
    else:  # told apart without colours, too
        for turn in (1, -1):
            ends = (column - 0.17, row - 0.17 * turn), (column + 0.17, row + 0.17 * turn)
            picture.line(*ends, edge, 0.09)
    picture.add("</g>")
