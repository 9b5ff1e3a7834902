"""The microchess board as a picture, with python-chess's pieces, on pages also with ours."""

import functools
import re
from itertools import product
from typing import TYPE_CHECKING, Any

import chess
import chess.svg

from hansu.errors import UnknownName
from hansu.games.board_svg import CELL, HINT, LAST, Picture, make_look
from hansu.games.microchess.modern_pieces import modern
from hansu.games.microchess.tables import FILES, RANKS, SQUARES

if TYPE_CHECKING:
    from hansu.games.microchess.state import MicrochessState

LIGHT, DARK, EDGE, CHECK = "#f1e4c9", "#b98b62", "#7a5236", "#d0342c"
PIECE_SIZE = 45.0  # of the drawings
SETS = ("classic", "modern")  # python-chess's, and ours


def board(state: "MicrochessState", **options: Any) -> str:
    """Return the board as SVG; the options are those of ``Look``."""
    look = make_look(state, options)
    picture = Picture(FILES, RANKS, look, f"microchess board {state.compact_fen()}")
    picture.motion = "slide"
    picture.add(_edge(picture))
    last = state.move_stack[-1] if look.last and state.move_stack else chess.Move.null()
    for square in SQUARES:
        dark = (square + square // 8) % 2 == 0
        picture.cell(*_cell(square), DARK if dark else LIGHT, part="dark" if dark else "light")
        if last and square in (last.from_square, last.to_square):
            picture.cell(*_cell(square), LAST, 0.55)
    king = state.king(state.turn)
    if king is not None and state.is_check():
        picture.add(_glow(picture, king))
    for square, piece in state.piece_map().items():
        with picture.piece(chess.square_name(square), _name(piece)):
            picture.add(_piece(picture, square, piece))
    if look.legal:
        for target in {move.to_square for move in state.legal_moves}:
            if state.piece_at(target):
                picture.ring(*_cell(target), 0.44, HINT, 0.07)
            else:
                picture.disc(*_cell(target), 0.13, HINT)
    for move, weight in look.weights():
        picture.arrow(_cell(move.from_square), _cell(move.to_square), weight)
    picture.names("abcd", "54321")
    squares = [
        chess.square(column, RANKS - 1 - row) for row in range(RANKS) for column in range(FILES)
    ]
    picture.pointable([(chess.square_name(s), _name(state.piece_at(s))) for s in squares])
    return picture.render()


def _cell(square: int) -> tuple[int, int]:
    """Return the column and the row, counted from the top left."""
    return square % 8, RANKS - 1 - square // 8


def _edge(picture: Picture) -> str:
    """Return a wooden edge around the squares."""
    x, y = picture.margin - 3, picture.top - 3
    width, height = FILES * CELL + 6, RANKS * CELL + 6
    return (
        f'<rect class="edge" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" '
        f'fill="{EDGE}"/>'
    )


def _glow(picture: Picture, square: int) -> str:
    """Return a red light under a king in check."""
    x, y = picture.center(*_cell(square))
    return (
        f'<defs><radialGradient id="check" r="0.6"><stop offset="0%" stop-color="{CHECK}"/>'
        f'<stop offset="60%" stop-color="{CHECK}" stop-opacity="0.8"/>'
        f'<stop offset="100%" stop-color="{CHECK}" stop-opacity="0"/></radialGradient></defs>'
        f'<rect x="{x - CELL / 2:g}" y="{y - CELL / 2:g}" width="{CELL:g}" height="{CELL:g}" '
        'fill="url(#check)"/>'
    )


def _name(piece: chess.Piece | None) -> str:
    """Return the name of a piece, such as white_pawn."""
    if piece is None:
        return ""
    return f"{chess.COLOR_NAMES[piece.color]}_{chess.piece_name(piece.piece_type)}"


def _piece(picture: Picture, square: int, piece: chess.Piece) -> str:
    """Return a piece, scaled to fill its square."""
    x, y = picture.center(*_cell(square))
    scale = CELL / PIECE_SIZE
    at = f"translate({x - CELL / 2:g} {y - CELL / 2:g}) scale({scale:.4g})"
    usual = f'<g class="set-classic" transform="{at}">{_drawing(piece.symbol())}</g>'
    if not picture.look.cells:
        return usual
    return f'{usual}<g class="set-modern" display="none" transform="{at}">{modern(piece)}</g>'


def piece_svg(name: str, set_name: str = "classic") -> str:
    """Return a picture of one piece of a set, such as white_pawn; raises UnknownName."""
    both = product(chess.COLORS, chess.PIECE_TYPES)
    pieces = {_name(piece): piece for piece in (chess.Piece(k, c) for c, k in both)}
    if name not in pieces:
        raise UnknownName("piece", name, pieces)
    if set_name not in SETS:
        raise UnknownName("set of pieces", set_name, SETS)
    piece = pieces[name]
    drawing = _drawing(piece.symbol()) if set_name == "classic" else modern(piece)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PIECE_SIZE:g} {PIECE_SIZE:g}">'
        f"{drawing}</svg>"
    )


@functools.cache
def _drawing(symbol: str) -> str:
    """Return python-chess's drawing of a piece."""
    drawing = re.sub(' id="[^"]*"', "", chess.svg.PIECES[symbol])  # ids must be unique
    return re.sub('style="([^"]*)"', _attributes, drawing)  # pages may forbid inline styles


def _attributes(style: re.Match[str]) -> str:
    """Return an inline style as attributes."""
    pairs = (part.split(":") for part in style[1].split(";") if part.strip())
    return " ".join(f'{name.strip()}="{value.strip()}"' for name, value in pairs)
