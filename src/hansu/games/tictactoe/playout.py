"""Heavy playouts: complete a line, stop the other side's."""

import numpy as np

from hansu.games.tictactoe.rules import FULL, HAS_LINE
from hansu.kernel import kernel, nth_bit, popcount, random_below

COMPLETING = np.array(
    [sum(1 << i for i in range(9) if HAS_LINE[cells | 1 << i]) for cells in range(512)], np.uint64
)
"""The cells that make a line with a set of cells; some may be taken."""


@kernel
def heavy_move(pos, path, moves, rng):
    """Return a move of a heavy playout, or minus the ending; the contract of ``random_move``."""
    if HAS_LINE[pos.theirs]:
        return -1
    cells = FULL & ~(pos.mine | pos.theirs)
    if not cells:
        return -2
    wins, threats = COMPLETING[pos.mine] & cells, COMPLETING[pos.theirs] & cells
    if wins:
        cells = wins
    elif threats:
        cells = threats
    return np.int64(nth_bit(cells, random_below(rng, popcount(cells))))
