"""``Solver``: what a game provides so that its positions can be solved exactly.

A score is a whole number for the side to move, as the game counts it: above 0 a win, 0 a draw,
below 0 a loss, and the greater the better. What is not known exactly is known within bounds.
``search/solve.py`` asks a solver about the positions after every move.
"""

import contextlib
import math
import os
import re
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansu.atomic_write import atomic_file
from hansu.errors import HansuError
from hansu.games.state import State

Work = NDArray[np.int64]
"""[2] the positions that a search has visited, and those that it may visit: another thread ends
the search by writing -1 there."""

BEYOND = 1 << 30  # greater than every score


class Bounds(NamedTuple):
    """A position's score is at least ``lower`` and at most ``upper``."""

    lower: int
    upper: int

    @property
    def exact(self) -> bool:
        """Whether the score is known."""
        return self.lower == self.upper

    def decide(self, window: "Bounds") -> bool:
        """Return whether they tell the score inside a window, or that it is not inside."""
        return self.exact or self.upper <= window.lower or self.lower >= window.upper

    def __and__(self, other: "Bounds") -> "Bounds":
        """Return what both together tell."""
        return Bounds(max(self.lower, other.lower), min(self.upper, other.upper))

    def __neg__(self) -> "Bounds":
        return Bounds(-self.upper, -self.lower)


UNBOUNDED = Bounds(-BEYOND, BEYOND)


class NoRoom(HansuError):
    """A transposition table that is larger than the machine's memory."""


class Solver:
    """The exact solver of a game. Several threads may use it at the same time.

    ``table`` is its transposition table, if it has one: its only state that matters between two
    searches, so that a long search is resumed with it.
    """

    table: NDArray[np.uint64] | None = None
    shares_work: ClassVar[bool] = False  # whether threads search one position faster than one does
    few: ClassVar[int] = 5_000  # positions that are searched within milliseconds
    endings_only: ClassVar[bool] = False  # whether the start of a game is out of reach

    def bounds(self, state: State) -> Bounds:
        """Return what is known of a position without search; a finished game is known exactly."""
        raise NotImplementedError

    def narrow(self, state: State, known: Bounds, window: Bounds, work: Work) -> Bounds:
        """Search a position that is not over until the bounds decide the window.

        Return the narrowest valid bounds found, also when ``work`` is used up before.
        """
        raise NotImplementedError

    def prepare(self, start: State) -> None:
        """Compile what the start of a game does not call, but a later position may."""

    def next_test(self, bounds: Bounds) -> int:
        """Return the score to compare with next: is it a win, is it a draw, then half-way.

        >>> [Solver().next_test(Bounds(*pair)) for pair in ((-18, 18), (-18, 0), (1, 18))]
        [0, -1, 9]
        """
        lower, upper = bounds
        if lower <= 0 < upper:
            return 0
        if lower < 0 == upper:
            return -1
        return lower + (upper - lower) // 2

    def is_near(self, state: State) -> bool:
        """Return whether a short search has a chance; accuracy leaves other positions aside."""
        return True

    def order(self, state: State) -> list[Any]:
        """Return the legal moves, the most promising first."""
        evaluate, side = state.game.evaluator.eval, state.turn
        return sorted(state.legal_moves, key=lambda move: -evaluate(state.forward(move), side))

    def expected_nodes(self, state: State) -> float:
        """Return how many positions solving an ending takes, about: agents ask before they try.

        Only games that are too large to be solved from their start tell it.
        """
        return math.inf

    def plies(self, state: State, score: int) -> int | None:
        """Return after how many turns the game ends, if it is worth this to the side to move."""
        return None

    def save(self, file: Path) -> None:
        """Write the transposition table, also beside a search; raises HansuError."""
        if self.table is None:
            return
        try:
            with atomic_file(file, durable=True) as out:
                out.write(self._mark().data)
                out.write(self.table.data)
        except OSError as error:
            raise HansuError(f"cannot write {file}: {error.strerror}") from None

    def load(self, file: Path) -> None:
        """Read a transposition table of the same size; raises HansuError for any other file."""
        if self.table is None:
            return
        mark = self._mark()
        try:
            with file.open("rb") as found:
                size = os.fstat(found.fileno()).st_size
                is_ours = found.read(mark.nbytes) == mark.tobytes()
                if not is_ours or size != mark.nbytes + self.table.nbytes:
                    raise HansuError(
                        f"{file} holds another game's table or one of another size: choose a new "
                        "file, or the same memory"
                    )
                found.readinto(self.table.data)
        except OSError as error:
            raise HansuError(f"cannot read {file}: {error.strerror}") from None

    def _mark(self) -> NDArray[np.uint64]:
        """Return what the table belongs to, as the first words of its file."""
        text = f"hansu {type(self).__name__} {self.rules_text()}".encode().ljust(96)[:96]
        return np.frombuffer(text, np.uint64)

    def rules_text(self) -> str:
        """Return the rules that the table's scores depend on."""
        return ""


def new_table(memory: int, least: int = 16) -> NDArray[Any]:
    """Return an empty transposition table within so many megabytes: a power of two of entries.

    Raises NoRoom where it is larger than all memory: Linux would give it, and end the process when
    it fills.
    """
    entries = 1 << (max(memory * 2**20 // 8, 1 << least).bit_length() - 1)
    with contextlib.suppress(MemoryError):
        if entries * 8 <= memory_of_machine():
            return np.zeros(entries, np.uint64)
    raise NoRoom(f"there is no room for a table of {memory:,} MB: choose a smaller memory")


def memory_of_machine() -> float:
    """Return how many bytes of memory and swap there are; infinite where the system does not say.

    >>> memory_of_machine() > 2**28
    True
    """
    try:
        facts = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return math.inf
    sizes = re.findall(r"^(?:MemTotal|SwapTotal): +(\d+) kB$", facts, re.MULTILINE)
    return 1024 * sum(map(int, sizes)) or math.inf


def win_score(cells: int, stones: int) -> int:
    """Return what a win is worth by the stone that is played on a board with so many stones.

    In games that fill a board of ``cells``, as Pascal Pons counts Connect Four: 1 for winning with
    one's last stone, and one more for every stone that one keeps.

    >>> win_score(42, 41), win_score(42, 40), win_score(42, 6)
    (1, 1, 18)
    """
    return (cells + 1 - stones) // 2


def turns_to_end(cells: int, stones: int, score: int) -> int:
    """Return after how many stones a game ends that is worth ``score`` to the side to move.

    >>> turns_to_end(42, 6, 18), turns_to_end(42, 6, -18), turns_to_end(42, 6, 0)
    (1, 2, 36)
    """
    if score == 0:
        return cells - stones
    last = cells + 1 - 2 * abs(score)  # stones before the one that wins, or one less
    if (last - stones) % 2 != (score < 0):
        last -= 1
    return last - stones + 1
