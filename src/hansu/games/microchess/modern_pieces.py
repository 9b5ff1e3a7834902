"""A second set of chess pieces: plain shapes of our own, for a board of 45 by 45 units a square."""

import chess

BASE = "M11 39.5h23v-3.2q-3.5-1-4.3-4h-14.4q-.8 3-4.3 4z"  # what a piece stands on
BODIES = {
    chess.PAWN: "M22.5 12.2a5.6 5.6 0 0 1 3.7 9.8h2.1v3h-2.6q.4 4.6 3.2 7.3h-12.8q2.8-2.7 3.2-7.3"
    "h-2.6v-3h2.1a5.6 5.6 0 0 1 3.7-9.8z",
    chess.KNIGHT: "M15.6 32.3q-.6-6.2 5.2-10.4l-1.5-1.6-5.6 3.4q-2.6.4-3.2-2.3l5-8.6 1.2-5.3"
    " 3.5 2.7q12.6-.2 11.6 14-.4 4.6-1.9 8.1z",
    chess.BISHOP: "M22.5 6.4a2.5 2.5 0 0 1 1.6 4.4q5.9 4.3 5.5 9.2-.3 3.2-3 4.8h1.7v3h-2.2"
    "q.5 2.8 2.8 4.5h-12.8q2.3-1.7 2.8-4.5h-2.2v-3h1.7q-2.7-1.6-3-4.8-.4-4.9 5.5-9.2"
    "a2.5 2.5 0 0 1 1.6-4.4z",
    chess.ROOK: "M13.5 9.5h4.3v3.2h2.6v-3.2h4.2v3.2h2.6v-3.2h4.3v8.2l-3.2 2.5.9 12.1h-13.4l.9-12.1"
    "-3.2-2.5z",
    chess.QUEEN: "M22.5 6a2.4 2.4 0 0 1 1.3 4.4l4.1 8.2 4.6-6.4a2.2 2.2 0 1 1 2.5.3l-4.6 19.8h-15.8"
    "l-4.6-19.8a2.2 2.2 0 1 1 2.5-.3l4.6 6.4 4.1-8.2a2.4 2.4 0 0 1 1.3-4.4z",
    chess.KING: "M21 4.5h3v2.8h2.8v3h-2.8v3.6q7.6-1.7 10 3.2 2 5-3.8 11l-.7 4.2h-14l-.7-4.2"
    "q-5.8-6-3.8-11 2.4-4.9 10-3.2v-3.6h-2.8v-3h2.8z",
}
FILLS = {chess.WHITE: ("#fbf9f3", "#3b3a36"), chess.BLACK: ("#34363c", "#101113")}  # face, outline


def modern(piece: chess.Piece) -> str:
    """Return the drawing of a piece."""
    face, outline = FILLS[piece.color]
    return (
        f'<path d="{BODIES[piece.piece_type]}{BASE}" fill="{face}" stroke="{outline}" '
        'stroke-width="1.4" stroke-linejoin="round"/>'
    )
