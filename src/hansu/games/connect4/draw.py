"""The Connect Four board as a picture."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hansu.games.board_svg import CELL, HINT, Picture, make_look
from hansu.games.connect4.rules import COLUMNS, ROWS, STRIDE, line_cells

if TYPE_CHECKING:
    from hansu.games.connect4.state import Connect4State

BOARD, EDGE, HOLE, SHADE = "#2b62b8", "#1d4688", "#f3f6fb", "#17386d"
DISCS = (("#f7cf4a", "#e0ac23", "#fbe391"), ("#dd4a40", "#b5302b", "#ee8a80"))  # face, edge, shine
LAST = ("#6b4e00", "#5c100d")  # the dot on the last disc, for the first and the second player
PIECES = ("yellow_disc", "red_disc")
LINE = "#ffffff"


def board(state: "Connect4State", **options: Any) -> str:
    """Return the board as SVG; the options are those of ``Look``.

    Discs fall down from either side, so ``flip`` only mirrors the board.
    """
    look = make_look(state, options)
    picture = Picture(
        COLUMNS, ROWS, replace(look, flip=False), f"Connect Four board {state.text()}".strip()
    )
    players = state.stones()
    line = int(line_cells(np.uint64(players[0])) | line_cells(np.uint64(players[1])))
    drops = state.move_stack
    last = (drops[-1], drops.count(drops[-1]) - 1) if look.last and drops else None

    def place(move: int, height: int) -> tuple[int, int]:
        return COLUMNS - move if look.flip else move - 1, ROWS - 1 - height

    def landing(move: int) -> tuple[int, int]:
        return place(move, min(drops.count(move), ROWS - 1))

    picture.frame(EDGE, radius=16)
    picture.add(_inset(picture))
    for move in range(1, COLUMNS + 1):
        for height in range(ROWS):
            cell = _bit(move, height)
            at = place(move, height)
            picture.disc(*at, 0.41, HOLE, SHADE)
            for stones, colors, dot in zip(players, DISCS, LAST, strict=True):
                if stones & cell:
                    _disc(picture, at, *colors, faded=bool(line) and not line & cell)
                    if line & cell:
                        picture.ring(*at, 0.39, LINE, 0.06)
                    if (move, height) == last:
                        picture.disc(*at, 0.08, dot)
    if look.legal:
        for move in state.legal_moves:
            picture.disc(*landing(move), 0.1, HINT)
    for move, weight in look.weights():
        picture.point_out(*landing(move), weight)
    numbers = [str(move) for move in range(1, COLUMNS + 1)]
    picture.names(reversed(numbers) if look.flip else numbers, ())
    columns = range(1, COLUMNS + 1)[:: -1 if look.flip else 1]
    cells = [
        (
            str(move),
            next((p for s, p in zip(players, PIECES, strict=True) if s & _bit(move, h)), ""),
        )
        for h in reversed(range(ROWS))
        for move in columns
    ]
    picture.pointable(cells)
    return picture.render()


def _bit(move: int, height: int) -> int:
    return 1 << (STRIDE * (move - 1) + height)


def _inset(picture: Picture) -> str:
    """Return the board's face, a little smaller than its edge."""
    at, width, height = picture.margin + 3, COLUMNS * CELL - 6, ROWS * CELL - 6
    return (
        f'<rect x="{at:g}" y="{at:g}" width="{width:g}" height="{height:g}" rx="13" '
        f'fill="{BOARD}"/>'
    )


def _disc(
    picture: Picture, at: tuple[int, int], face: str, edge: str, shine: str, faded: bool
) -> None:
    """Draw a disc with a raised rim, lit from above; faded beside a winning line."""
    column, row = at
    picture.add(f'<g opacity="{0.55 if faded else 1:g}">')
    picture.disc(column, row, 0.4, edge)
    picture.disc(column, row - 0.015, 0.375, face)
    picture.ring(column, row + 0.012, 0.262, shine, 0.03)
    picture.ring(column, row - 0.012, 0.262, edge, 0.03)
    picture.add("</g>")
