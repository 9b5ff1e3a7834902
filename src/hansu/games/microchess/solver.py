"""The exact solver of microchess: tablebases, and proofs by search that end in them."""

import functools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hansu.errors import HansuError
from hansu.games.microchess import proof, rules
from hansu.games.microchess.tablebase.files import tables_folder
from hansu.games.microchess.tablebase.indexing import ILLEGAL, LISTED
from hansu.games.microchess.tablebase.opened import Tablebase
from hansu.games.microchess.tablebase.verdict import BY_MATERIAL, CHESS, LONGEST, Judge
from hansu.games.solver import Bounds, Solver, Work

if TYPE_CHECKING:
    from pathlib import Path

    from hansu.games.microchess import Microchess

ENDING = "k3/4/4/4/K2R w - - 0 1"  # as few pieces as the smallest tables have


def judge_of(game: "Microchess") -> Judge:
    """Return who wins a stopped game under the rules of a game."""
    return Judge(game.options.material if game.options.adjudication else CHESS)


def folder_of(game: "Microchess") -> "Path":
    """Return where the tables for the rules of a game lie."""
    return tables_folder() / f"microchess-{judge_of(game).text}"


@functools.lru_cache(maxsize=4)
def _opened(folder: "Path", rules_text: str, memory: int) -> Tablebase:
    return Tablebase(folder, rules_text, memory)


def open_tablebase(game: "Microchess", memory: int) -> Tablebase:
    """Return the tables that are there for the rules of a game."""
    found = _opened(folder_of(game), judge_of(game).text, memory)
    if not found.pieces:
        _opened.cache_clear()  # they may be built meanwhile
    return found


class MicrochessSolver(Solver):
    """Proves what it can: an ending in the tables at once, another position by search."""

    def __init__(self, game: "Microchess", memory: int) -> None:
        self.tablebase = open_tablebase(game, memory)
        if not self.tablebase.pieces:
            raise HansuError(
                f"{game} has no tablebases yet: hansu solve {game} --pieces 4 builds them"
            )
        self._horizon = game.options.max_turns or LONGEST

    def bounds(self, state: Any) -> Bounds:
        """Return what the rules and the tables tell."""
        words, path = state.words, state.path_with_room(1)
        moves, squares = _room(0)
        directory, loaded = self.tablebase.directory, self.tablebase.loaded
        if not state.is_game_over():
            which, rights, place = proof.place_of_words(words, directory, squares)
            if which != ILLEGAL:
                entry = self.tablebase.entry(which, rights, place)
                return Bounds(*proof.entry_bounds_of_words(words, path, *entry))
        return Bounds(*proof.bounds_of_words(words, path, moves, squares, loaded))

    def prepare(self, start: Any) -> None:
        """Compile what is told of an ending in the tables, and of another position."""
        for state in (start, start.game.parse(ENDING)):
            self.bounds(state)

    def narrow(self, state: Any, known: Bounds, window: Bounds, work: Work) -> Bounds:
        """Search deeper and deeper until the window is decided."""
        moves, squares = _room(proof.MAX_DEPTH)
        words, path = state.words, state.path_with_room(proof.MAX_DEPTH + 1)
        for depth in range(1, proof.MAX_DEPTH + 1):
            while not known.decide(window) and work[0] < work[1]:
                than = _next_test(known & window)
                answer = proof.compare_words(
                    *(words, than, depth, path, moves, squares, self.tablebase.loaded, work)
                )
                if answer == proof.UNKNOWN:
                    break
                known &= Bounds(than + 1, known.upper) if answer > 0 else Bounds(known.lower, than)
        return known

    def is_near(self, state: Any) -> bool:
        """Return whether a capture leads into the tables, at the latest."""
        return bool(state.occupied.bit_count() <= self.tablebase.pieces + 1)

    def plies(self, state: Any, score: int) -> int | None:
        """Return after how many turns there is mate; None: material decides."""
        if abs(score) <= BY_MATERIAL:
            return None
        return self._horizon + 2 - abs(score) - len(state.move_stack)


def _room(depth: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return np.empty((depth + 1, rules.MAX_MOVES), np.int64), np.empty(LISTED, np.int64)


def _next_test(open_bounds: Bounds) -> int:
    """Return a score to compare with: first who wins, then whether by mate, then by halves."""
    lower, upper = open_bounds
    for than in (0, -1, BY_MATERIAL, -BY_MATERIAL - 1):
        if lower <= than < upper:
            return than
    return lower + (upper - lower) // 2
