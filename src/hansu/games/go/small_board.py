"""Positions of small go boards as df-pn has them: sets of bits, and the boards before."""

import functools
import hashlib
import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.games.game import BLACK
from hansu.games.go.bitboard import MAX_BITS, MOST_STRINGS, Frame
from hansu.games.go.dfpn import MAX_MOVES
from hansu.games.go.dfpn_tables import Room

MAX_POINTS = 25

# The parts of a solver's table, in eighths of it: where each begins and ends.
NUMBERS, PROOFS, CONDITIONAL, PATHS = (0, 4), (4, 6), (6, 7), (7, 8)


def part(table: NDArray[np.uint64], which: tuple[int, int]) -> NDArray[np.uint64]:
    """Return a part of a solver's table."""
    eighth = len(table) // 8
    return table[which[0] * eighth : which[1] * eighth]


def lead_above(state: Any, than: int) -> int:
    """Return the lead in area that a score above ``than`` takes the side to move more than."""
    komi = int(2 * state.game.komi)
    return (2 * than + (than < 0) + (komi if state.turn == BLACK else -komi)) // 2


def fits(width: int, height: int) -> bool:
    """Return whether a board has few enough points, and is not too long."""
    short, long = sorted((width, height))
    return short * long <= MAX_POINTS and (short + 1) * long - 1 <= MAX_BITS


class SmallBoard:
    """The points of a board as bits, along its shorter side."""

    def __init__(self, width: int, height: int) -> None:
        short, long = sorted((width, height))
        place = _places(short, long)
        self._bits = [
            place[(x, y) if width <= height else (y, x)]
            for y in range(height)
            for x in range(width)
        ]
        full = sum(1 << bit for bit in self._bits)
        self._frame = Frame(np.uint64(full), np.uint64(short + 1), np.uint64(width * height))
        self._before: tuple[Any, NDArray[np.uint64]] | None = None
        self._turned = _symmetries(short, long)

    def room(self, state: Any, left: int, table: NDArray[np.uint64], work: Any) -> Room:
        """Return what a search of a position needs."""
        before = self._boards_before(state)
        depth = left + 2
        room = Room(
            frame=self._frame,
            turned=self._turned,
            proofs=part(table, PROOFS),
            conditional=part(table, CONDITIONAL),
            numbers=part(table, NUMBERS),
            before=before,
            salt=np.uint64(_hash_of(before)),
            states=np.zeros((depth, 4), np.uint64),
            path=np.zeros((depth, 2), np.uint64),
            children=np.zeros((depth, MAX_MOVES, 4), np.uint64),
            keys=np.zeros((depth, MAX_MOVES), np.uint64),
            known=np.zeros((depth, MAX_MOVES, 5), np.int64),
            strings=np.zeros(MOST_STRINGS, np.uint64),
            vital=np.zeros(MOST_STRINGS, np.uint64),
            work=work,
            task=np.zeros(2, np.int64),
        )
        has_passed = bool(state.move_stack) and state.move_stack[-1] == state.pass_move
        room.states[0] = (*self._sets(state), 0, has_passed)
        return room

    def _sets(self, state: Any) -> tuple[int, int]:
        """Return the stones of the side to move, and of the other side."""
        mine = theirs = 0
        for bit, stone in zip(self._bits, state.stones(), strict=True):
            if stone is not None:
                mine |= (stone == state.turn) << bit
                theirs |= (stone != state.turn) << bit
        return mine, theirs

    def _boards_before(self, state: Any) -> NDArray[np.uint64]:
        """Return the boards before, where the side to move was to move, then the others.

        An empty board never comes back.
        """
        told = state.start_words.tobytes(), tuple(state.move_stack[:-1]), state.turn
        kept = self._before
        if kept is not None and kept[0] == told:
            return kept[1]
        found: tuple[list[tuple[int, int]], ...] = ([], [])
        earlier = state.copy()
        while earlier.move_stack:
            earlier.pop()
            sets = self._sets(earlier)
            if any(sets):
                found[earlier.turn != state.turn].append(sets)
        boards = np.zeros((2, max(map(len, found)), 2), np.uint64)
        for side, sets_of_side in enumerate(found):
            if sets_of_side:
                boards[side, : len(sets_of_side)] = sets_of_side
        self._before = told, boards
        return boards


def _hash_of(boards: NDArray[np.uint64]) -> int:
    """Return 0 without boards before, else a number for them."""
    if not boards.size:
        return 0
    return int.from_bytes(hashlib.blake2b(boards.tobytes(), digest_size=8).digest(), "little")


def _places(short: int, long: int) -> dict[tuple[int, int], int]:
    """Return the bit of each point."""
    return {(x, y): y * (short + 1) + x for y in range(long) for x in range(short)}


@functools.cache
def _symmetries(short: int, long: int) -> NDArray[np.uint64]:
    """Return what each value of each byte of a set becomes by each symmetry of the board."""
    place, values = _places(short, long), np.arange(256, dtype=np.uint64)
    swaps = (False, True) if short == long else (False,)
    turned = []
    for flip_x, flip_y, swap in itertools.product((False, True), (False, True), swaps):
        parts = np.zeros((4, 256), np.uint64)
        for (x, y), bit in place.items():
            there = (short - 1 - x if flip_x else x, long - 1 - y if flip_y else y)
            to = np.uint64(1 << place[there[::-1] if swap else there])
            parts[bit // 8] |= (values >> np.uint64(bit % 8) & np.uint64(1)) * to
        turned.append(parts)
    return np.stack(turned)
