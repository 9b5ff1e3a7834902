"""A curve as text, for terminals: Braille characters, which have two by four dots each."""

from collections.abc import Sequence

DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # by row and column of a character
BLANK = 0x2800


def text_chart(
    title: str, points: Sequence[tuple[float, float]], unit: str, width: int = 60, height: int = 5
) -> str:
    """Points (x from 0, y) as some lines of text, the highest and lowest y at the left.

    >>> print(text_chart("Speed", [(0, 0), (1, 3), (2, 1)], "s", width=8, height=2))
    Speed
       3 ⠀⠀⡠⠊⠑⠤⣀⠀
       0 ⡠⠊⠀⠀⠀⠀⠀⠑
         0    2 s
    """
    low, high = min(y for _, y in points), max(y for _, y in points)
    end = points[-1][0] or 1.0
    cells = [[BLANK] * width for _ in range(height)]
    columns, rows = 2 * width - 1, 4 * height - 1
    for column in range(columns + 1):
        share = (_height(points, end * column / columns) - low) / ((high - low) or 1.0)
        row = round((1.0 - share) * rows)
        cells[row // 4][column // 2] |= DOTS[row % 4][column % 2]
    marks = [f"{high:.4g}", *[""] * (height - 2), f"{low:.4g}"]
    margin = max(4, *map(len, marks))
    lines = [
        f"{mark:>{margin}} " + "".join(map(chr, line))
        for mark, line in zip(marks, cells, strict=True)
    ]
    last = f"{end:.3g} {unit}"
    return "\n".join([title, *lines, f"{' ' * margin} 0{last:>{width - 1}}"])


def _height(points: Sequence[tuple[float, float]], x: float) -> float:
    """Return the height of the line through the points."""
    before = points[0]
    for after in points:
        if after[0] >= x:
            wide = after[0] - before[0]
            share = (x - before[0]) / wide if wide else 1.0
            return before[1] + share * (after[1] - before[1])
        before = after
    return before[1]
