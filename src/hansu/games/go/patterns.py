"""The 3x3 patterns of MoGo's playouts: shapes around an empty point that call for a move there.

Gelly, Wang, Munos, Teytaud: Modification of UCT with patterns in Monte-Carlo Go (2006). A pattern
holds for both colours, turned and mirrored:

    X O    stones of either side        x o    anything but an X, an O
    .      empty                        ?      anything
    #      off the board
"""

import numpy as np

SHAPES = (
    "XOX ... ???",  # hane that encloses
    "XO. ... ?.?",  # hane that does not cut
    "XO? X.. x.?",  # hane, magari
    ".O. X.. ...",  # attachment from the side
    "XO? O.o ?o?",  # cut that nobody protects
    "XO? O.X ???",  # cut that was peeped at
    "?X? O.O ooo",  # push between two
    "OX? o.O ???",  # cut of a knight's move
    "X.? O.? ###",  # chase along the edge
    "OX? X.O ###",  # stop a cut at the edge
    "?X? x.O ###",  # stop a connection at the edge
    "?XO x.x ###",  # step down to the edge
    "?OX X.O ###",  # cut at the edge
)
MEANINGS = {"X": "X", "O": "O", ".": ".", "#": "#", "x": ".O#", "o": ".X#", "?": ".XO#"}
COLORS = ".XO#"  # in the order of the board's colours
AROUND = (0, 1, 2, 3, 5, 6, 7, 8)  # the places of a shape without its centre, as codes count them


def _turned(shape: str) -> set[str]:
    """Return the eight ways to see a shape of nine places, and those with the colours swapped."""
    seen = set()
    for _ in range(4):
        shape = "".join(shape[3 * (2 - i % 3) + i // 3] for i in range(9))
        for one in (shape, shape[2::-1] + shape[5:2:-1] + shape[8:5:-1]):
            seen |= {one, one.translate(str.maketrans("XOxo", "OXox"))}
    return seen


def _table() -> np.ndarray:
    """Return a bit for each code: two bits a neighbour, row by row, the first one lowest."""
    table = np.zeros(1024, np.uint64)
    for shape in SHAPES:
        for seen in _turned(shape.replace(" ", "")):
            codes = np.zeros(1, np.uint64)
            for i, place in enumerate(AROUND):
                colors = [COLORS.index(color) << 2 * i for color in MEANINGS[seen[place]]]
                codes = np.add.outer(codes, np.array(colors, np.uint64)).ravel()
            np.bitwise_or.at(table, codes >> np.uint64(6), np.uint64(1) << (codes & np.uint64(63)))
    return table


PATTERNS = _table()
