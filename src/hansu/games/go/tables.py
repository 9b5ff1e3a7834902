"""What the rules look up: codes for hashing, and where a point lies in the array of cells."""

import numpy as np

MAX_SIDE = 19
MAX_CELLS = (MAX_SIDE + 2) * (MAX_SIDE + 1) + 1
RECORD = 4  # numbers kept about each cell

_codes = np.random.PCG64(1971).random_raw(3 * MAX_CELLS + 3)
ZOBRIST = _codes[: 3 * MAX_CELLS].reshape(3, MAX_CELLS)
"""ZOBRIST[color, cell]: what a stone adds to the hash of a position."""

SIDE = _codes[-1]  # White is to move
PASSED = np.array([0, *_codes[-3:-1]], np.uint64)  # none, one or two passes just now

CELLS = np.zeros((MAX_SIDE + 1, MAX_SIDE * MAX_SIDE), np.uint16)
"""CELLS[width, point]: where the record of a point begins."""

POINTS = np.zeros((MAX_SIDE + 1, MAX_CELLS), np.uint16)
"""POINTS[width, cell]: the point of the cell with this number."""

for _width in range(1, MAX_SIDE + 1):
    for _point in range(MAX_SIDE * _width):
        _cell = (_point // _width + 1) * (_width + 1) + _point % _width + 1
        CELLS[_width, _point] = RECORD * _cell
        POINTS[_width, _cell] = _point
