"""An evaluation by patterns: discs along edges, in corners and on lines, looked up in tables.

The idea is Michael Buro's (Logistello, 1995). A pattern is a list of squares; their content, for
the side to move, is a number to base 3 (0 empty, 1 mine, 2 theirs), the index of a weight in the
pattern's table. Patterns that are equal by symmetry share a table. The sum of the weights of the
stage of the game is the expected lead in discs; further weights depend on the numbers of moves.
"""

import math
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.games.features import board_symmetries
from hansu.games.othello.notation import parse_square
from hansu.games.othello.rules import squares_to_play
from hansu.kernel import kernel, popcount

SHAPES = tuple(
    tuple(parse_square(name) for name in names.split())
    for names in (
        "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",  # an edge with the squares diagonally before its corners
        "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",  # a corner along one edge
        "a1 b1 c1 a2 b2 c2 a3 b3 c3",  # a corner
        "a2 b2 c2 d2 e2 f2 g2 h2",
        "a3 b3 c3 d3 e3 f3 g3 h3",
        "a4 b4 c4 d4 e4 f4 g4 h4",
        "a1 b2 c3 d4 e5 f6 g7 h8",  # the diagonals
        "b1 c2 d3 e4 f5 g6 h7",
        "c1 d2 e3 f4 g5 h6",
        "d1 e2 f3 g4 h5",
        "e1 f2 g3 h4",
    )
)


def _placings(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the squares of a shape in all its places on the board, each place once."""
    found: dict[frozenset[int], tuple[int, ...]] = {}
    for symmetry in board_symmetries(8, 8):
        squares = tuple(int(symmetry.cells[square]) for square in shape)
        found.setdefault(frozenset(squares), squares)
    return list(found.values())


PLACINGS = [
    (shape, squares) for shape in range(len(SHAPES)) for squares in _placings(SHAPES[shape])
]
PLACES = len(PLACINGS)
PADDED = (PLACES + 15) // 16 * 16  # so that a whole number of vectors is added

FIRST_OF_SHAPE = np.cumsum([0] + [3 ** len(shape) for shape in SHAPES])
FIRST = np.array([FIRST_OF_SHAPE[shape] for shape, _ in PLACINGS], np.int64)
"""Where the table of each placing begins."""

SHIPPED_WEIGHTS = resources.files(__package__) / "pattern_weights.npz"
"""Learnt by ``scripts/othello_patterns.py``; its card is with those of the networks."""

MOST_MOVES = 31  # more count as 31
MY_MOVES = int(FIRST_OF_SHAPE[-1])
THEIR_MOVES = MY_MOVES + MOST_MOVES + 1
EMPTIES = THEIR_MOVES + MOST_MOVES + 1  # a weight for each number of empty squares in the stage
STAGE_DISCS = 4  # of a stage
SCALE = EMPTIES + STAGE_DISCS  # the logistic scale of a lead
STAGE_SIZE = SCALE + 1
STAGES = 60 // STAGE_DISCS
SIZE = STAGES * STAGE_SIZE


def _digits() -> NDArray[np.uint16]:
    """Return [row, discs of the row, placing]: the sum of the powers of 3 of their squares."""
    digits = np.zeros((8, 256, PADDED), np.uint16)
    for place, (_, squares) in enumerate(PLACINGS):
        for power, square in enumerate(squares):
            has_disc = np.arange(256) >> (square % 8) & 1 == 1
            digits[square // 8, has_disc, place] += 3**power
    return digits


DIGITS = _digits()
BYTE, EIGHT = np.uint64(255), np.uint64(8)


@kernel(allocates=False)
def look_up(mine, theirs, places):
    """Write the index in its table for every placing."""
    for place in range(PADDED):
        places[place] = 0
    for row in range(8):
        my_row, their_row = DIGITS[row, mine & BYTE], DIGITS[row, theirs & BYTE]
        for place in range(PADDED):
            places[place] += my_row[place] + (their_row[place] << np.uint16(1))
        mine, theirs = mine >> EIGHT, theirs >> EIGHT


@kernel
def stage_of(mine: Any, theirs: Any) -> Any:
    """Return the stage of the game."""
    return min((np.int64(popcount(mine | theirs)) - 4) // STAGE_DISCS, STAGES - 1)


@kernel
def moves_of(mine, theirs):
    """Return how many squares can be played on, at most MOST_MOVES."""
    return min(np.int64(popcount(squares_to_play(mine, theirs))), MOST_MOVES)


@kernel
def lead_of(mine, theirs, my_moves, their_moves, weights):
    """Return the expected lead of the side to move, in discs."""
    places = np.empty(PADDED, np.uint16)
    return summed(mine, theirs, my_moves, their_moves, weights, places, weights[0] * 0)


@kernel(allocates=False)
def summed(mine, theirs, my_moves, their_moves, weights, places, nothing):
    """Return the sum of all weights of a position, in numbers like ``nothing``."""
    look_up(mine, theirs, places)
    begin, total = stage_of(mine, theirs) * STAGE_SIZE, nothing
    total += weights[begin + MY_MOVES + my_moves]
    total += weights[begin + THEIR_MOVES + their_moves]
    total += weights[begin + EMPTIES + np.int64(popcount(mine | theirs)) % STAGE_DISCS]
    for place in range(PLACES):
        total += weights[begin + FIRST[place] + np.int64(places[place])]
    return total


@kernel
def evaluate(pos, weights):
    """Return Black's chance to win, in [0, 1]."""
    mine, theirs, second = pos.mine, pos.theirs, pos.second
    my_moves, their_moves = moves_of(mine, theirs), moves_of(theirs, mine)
    if my_moves == 0:  # a pass: no weights were fitted for such positions
        mine, theirs, my_moves, their_moves = theirs, mine, their_moves, my_moves
        second = second ^ np.uint64(1)
    lead = lead_of(mine, theirs, my_moves, their_moves, weights)
    logistic_scale = weights[stage_of(mine, theirs) * STAGE_SIZE + SCALE]
    chance = 1.0 / (1.0 + math.exp(-np.float64(lead * logistic_scale)))
    return 1.0 - chance if second else chance
