"""The Othello board as a picture."""

from typing import TYPE_CHECKING, Any

from hansu.games.board_svg import CELL, LAST, Picture, make_look
from hansu.games.othello.notation import FILES, RANKS, format_square
from hansu.games.othello.rules import PASS

if TYPE_CHECKING:
    from hansu.games.othello.state import OthelloState

CLOTH, EDGE, GRID = "#2c8a57", "#1d5e3b", "#1f6e44"
DISCS = (("#23262b", "#0d0f12", "#4a4f58"), ("#f7f5ef", "#c9c5b8", "#ffffff"))  # face, edge, shine
PIECES = {(1, 0): "black_disc", (0, 1): "white_disc", (0, 0): ""}
LEGAL = "#9fe0b8"
POINTED = "#ffd166"


def board(state: "OthelloState", **options: Any) -> str:
    """Return the board as SVG; the options are those of ``Look``."""
    look = make_look(state, options)
    picture = Picture(8, 8, look, f"Othello board {state.text()}")
    picture.motion = "turn"
    picture.frame(EDGE, radius=0, part="edge")
    _cloth(picture)
    for discs, colors, kind in zip(state.discs(), DISCS, ("black_disc", "white_disc"), strict=True):
        for square in range(64):
            if discs >> square & 1:
                with picture.piece(format_square(square), kind):
                    _disc(picture, square % 8, square // 8, *colors)
    last = state.move_stack[-1] if look.last and state.move_stack else PASS
    if last != PASS:
        picture.disc(last % 8, last // 8, 0.09, LAST)
    if look.legal:
        for square in state.legal_moves:
            if square != PASS:
                picture.disc(square % 8, square // 8, 0.1, LEGAL)
    for square, weight in look.weights():
        if square != PASS:
            picture.ring(square % 8, square // 8, 0.2 + 0.2 * weight, POINTED, 0.05 + 0.07 * weight)
    picture.names(FILES, RANKS)
    black, white = state.discs()
    on = [(black >> s & 1, white >> s & 1) for s in range(64)]
    picture.pointable([(format_square(s), PIECES[here]) for s, here in enumerate(on)])
    return picture.render()


def _cloth(picture: Picture) -> None:
    """Draw the green squares and the four points of an Othello board."""
    for column in range(8):
        for row in range(8):
            x, y = picture.center(column, row)
            picture.add(
                f'<rect x="{x - CELL / 2 + 0.75:g}" y="{y - CELL / 2 + 0.75:g}" '
                f'width="{CELL - 1.5:g}" height="{CELL - 1.5:g}" class="cloth" fill="{CLOTH}"/>'
            )
    for point in ((1.5, 1.5), (5.5, 1.5), (1.5, 5.5), (5.5, 5.5)):
        picture.disc(*point, 0.07, EDGE)


def piece(picture: Picture, name: str) -> None:
    """Draw a piece by its name on the first cell."""
    _disc(picture, 0, 0, *DISCS[name == "white_disc"])


def _disc(picture: Picture, column: int, row: int, face: str, edge: str, shine: str) -> None:
    """Draw a disc lit from above, with its shadow on the cloth."""
    x, y = picture.center(column, row)
    for dx, dy, radius, fill, opacity in (
        (1.0, 2.4, 19.7, "#000", 0.25),
        (0.0, 0.0, 19.7, edge, 1.0),
        (0.0, -1.4, 18.5, face, 1.0),
    ):
        picture.add(
            f'<circle cx="{x + dx:g}" cy="{y + dy:g}" r="{radius:g}" fill="{fill}" '
            f'fill-opacity="{opacity:g}"/>'
        )
    picture.add(
        f'<ellipse cx="{x:g}" cy="{y - 9.6:g}" rx="10.5" ry="4.8" fill="{shine}" '
        'fill-opacity="0.55"/>'
    )
