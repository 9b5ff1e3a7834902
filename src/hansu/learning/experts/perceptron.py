"""The historic network in compiled code: 64 cells -> 128 -> 256 -> 64 -> Black's chance to win.

A cell is 0 when empty, 1 with a black disc, 2 with a white one; the side to move is no input. All
57,857 numbers lie in one array, layer by layer: first the weights, those of each input together,
then the biases.
"""

import itertools
import math

import numpy as np

from hansu.kernel import below, kernel, lowest

LAYERS = (64, 128, 256, 64, 1)
WIDTHS = tuple(itertools.pairwise(LAYERS))
SIZE = sum((inputs + 1) * outputs for inputs, outputs in WIDTHS)
_, SECOND, THIRD, LAST = (
    sum((inputs + 1) * outputs for inputs, outputs in WIDTHS[:layer]) for layer in range(4)
)
BLACK_CELL, WHITE_CELL = np.float32(1), np.float32(2)
NOTHING = np.float32(0)


@kernel
def add_discs(discs, cell, weights, out):
    """Add what the discs of one colour contribute to the first layer."""
    while discs:
        row = np.int64(lowest(discs)) * len(out)
        for j in range(len(out)):
            out[j] += cell * weights[row + j]
        discs = below(discs)


@kernel
def add_layer(inputs, weights, begin, out):
    """Add the outputs of the layer before; those that are not positive count as 0 (ReLU)."""
    for i in range(len(inputs)):
        x = inputs[i]
        if x > NOTHING:
            row = begin + i * len(out)
            for j in range(len(out)):
                out[j] += x * weights[row + j]


@kernel
def start_layer(weights, begin, inputs, outputs):
    """Return a layer's outputs with the biases only."""
    out = np.empty(outputs, np.float32)
    for j in range(outputs):
        out[j] = weights[begin + inputs * outputs + j]
    return out


@kernel
def evaluate(pos, weights):
    """Return Black's chance to win, in [0, 1]."""
    black, white = (pos.theirs, pos.mine) if pos.second else (pos.mine, pos.theirs)
    first = start_layer(weights, 0, 64, 128)
    add_discs(black, BLACK_CELL, weights, first)
    add_discs(white, WHITE_CELL, weights, first)
    second = start_layer(weights, SECOND, 128, 256)
    add_layer(first, weights, SECOND, second)
    third = start_layer(weights, THIRD, 256, 64)
    add_layer(second, weights, THIRD, third)
    logit = weights[SIZE - 1]
    for i in range(64):
        logit += max(third[i], NOTHING) * weights[LAST + i]
    return 1.0 / (1.0 + math.exp(-np.float64(logit)))
