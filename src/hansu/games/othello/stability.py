"""Stable discs: those that can never be turned over. They bound the score without search.

A disc is safe along a line through it if the line is full, or ends there, or if the next disc on it
is of the same colour and stable. What is safe along all four lines is stable. Not all stable discs
are found.
"""

from typing import Any

import numpy as np

from hansu.games.othello.lines import SHIFTS, STEPS
from hansu.kernel import kernel


def _leaving(files: int, ranks: int) -> int:
    """Return the squares from which so many steps lead off the board."""
    return sum(
        1 << square
        for square in range(64)
        if not (0 <= square % 8 + files < 8 and 0 <= square // 8 + ranks < 8)
    )


LINES = tuple(
    tuple(
        np.uint64(number)
        for n in (1, 2, 4)
        for number in (
            n * shift,
            _leaving(n * files, n * ranks),
            _leaving(-n * files, -n * ranks),
        )
    )
    for (files, ranks), shift in zip(STEPS, SHIFTS, strict=True)
)
"""For each line: one, two and four steps as a shift, and where they lead off the board."""


@kernel(allocates=False)
def safe_line(discs, line):
    """Return the squares of full lines in one direction, and those where its lines end."""
    step, off_on, off_back, step_2, off_on_2, off_back_2, step_4, off_on_4, off_back_4 = line
    on = discs & (discs >> step | off_on)
    on &= on >> step_2 | off_on_2
    on &= on >> step_4 | off_on_4
    back = discs & (discs << step | off_back)
    back &= back << step_2 | off_back_2
    back &= back << step_4 | off_back_4
    return on & back | off_on | off_back


@kernel(allocates=False)
def stable(mine: Any, theirs: Any) -> Any:
    """Return discs of mine that stay mine to the end."""
    discs = mine | theirs
    right, down_left = safe_line(discs, LINES[0]), safe_line(discs, LINES[1])
    down, down_right = safe_line(discs, LINES[2]), safe_line(discs, LINES[3])
    found = mine & right & down_left & down & down_right
    while found:
        more = mine & (right | found << LINES[0][0] | found >> LINES[0][0])
        more &= down_left | found << LINES[1][0] | found >> LINES[1][0]
        more &= down | found << LINES[2][0] | found >> LINES[2][0]
        more &= down_right | found << LINES[3][0] | found >> LINES[3][0]
        if more == found:
            break
        found |= more
    return found
