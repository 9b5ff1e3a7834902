"""A game of your own, outside the repository: take one, two or three stones; the last one wins.

Every agent and command plays it: ``hansu match own_game:Nim mcts random`` in this folder.
"""

import functools
import sys
from typing import Any, NamedTuple

import numpy as np

import hansu
from hansu.errors import MoveError, PositionError
from hansu.games.features import Features, same_action, same_move
from hansu.games.state import PlainState
from hansu.kernel import kernel, mix

# The rules, compiled: docs/design/kernel.md lists what they provide.

STONES = 21
MAX_MOVES = 3
USES_PATH = False
ENDINGS = ("", "last_stone")
ZERO, ONE = np.uint64(0), np.uint64(1)
action, move = same_action, same_move


class Position(NamedTuple):
    """How many stones are left."""

    ply: np.uint64
    second: np.uint64
    stones: np.uint64


@kernel
def legal_moves(pos, path, out):
    """Write 0, 1, 2 for one, two, three stones."""
    n = 3 if pos.stones > np.uint64(3) else np.int64(pos.stones)
    for i in range(n):
        out[i] = i
    return n


@kernel
def play(pos, move):
    """Take the stones."""
    return Position(pos.ply + ONE, pos.second ^ ONE, pos.stones - np.uint64(move) - ONE)


@kernel
def ending(pos, path, n_moves):
    """Whoever took the last stone has won."""
    return 0 if n_moves else 1


@kernel
def score_first(pos, ending):
    """+1 for the first player if the second is left without a stone."""
    return 1 if pos.second else -1


@kernel
def key(pos):
    """A hash of the position."""
    return mix(mix(ZERO, pos.second), pos.stones)


@kernel
def evaluate(pos):
    """Nobody knows better than a half."""
    return 0.5


@kernel
def planes(pos, out):
    """One plane: a one for every stone that is left."""
    for i in range(np.int64(pos.stones)):
        out[0, 0, i] = np.float32(1)


class NimState(PlainState):
    """A heap of stones."""

    def text(self) -> str:
        """Return the number of stones, and who is to move."""
        return f"{int(self.words[2])} {'W' if self.turn == hansu.WHITE else 'B'}"

    def format_move(self, move: int) -> str:
        """Return how many stones a move takes."""
        if not 0 <= move < MAX_MOVES:
            raise MoveError(f"{move} is not a move: 0, 1 and 2 take one, two and three stones")
        return str(move + 1)

    def read_move(self, text: str) -> int:
        """Return the move that takes so many stones."""
        if text.strip() not in ("1", "2", "3"):
            raise MoveError(f"{text!r} is not a move: take 1, 2 or 3 stones")
        return int(text) - 1

    def svg(self, **options: Any) -> str:
        """Return the heap as a picture."""
        dots = "".join(
            f'<circle cx="{10 + 16 * i}" cy="12" r="6"/>' for i in range(int(self.words[2]))
        )
        size = f'viewBox="0 0 {16 * STONES + 8} 24"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{dots}</svg>'

    def __str__(self) -> str:
        return "o" * int(self.words[2]) or "no stone"


class Nim(hansu.Game):
    """One heap; the last stone wins."""

    name = "own_game:Nim"
    title = "Nim"
    rules = sys.modules[__name__]
    evaluate = staticmethod(evaluate)

    @property
    def max_turns(self) -> int:
        """A stone a turn."""
        return STONES

    def start(self) -> NimState:
        """Return the whole heap."""
        return self.parse(f"{STONES} W")

    def parse(self, text: str) -> NimState:
        """Read a number of stones and who is to move, such as ``13 B``."""
        stones, _, side = text.strip().partition(" ")
        if not stones.isdigit() or int(stones) > STONES or side not in ("W", "B"):
            raise PositionError(f"{text!r} is no heap: try '{STONES} W'")
        return NimState(self, np.array([0, side == "B", int(stones)], np.uint64))

    @functools.cached_property
    def features(self) -> Features:
        """One plane, three actions."""
        return Features(self, sys.modules[__name__], (1, 1, STONES), 3, ())


if __name__ == "__main__":
    print(hansu.match(Nim(), "negamax:depth=8", "random", games=20, seed=1))
