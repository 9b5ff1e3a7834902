"""Othello's search to a depth, by the pattern evaluation; see ``midgame``."""

import functools
import math
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.games.depth_search import DepthSearch, MoveValue
from hansu.games.othello import endgame, midgame, patterns
from hansu.games.othello.midgame import UNIT, WORST, Memory
from hansu.games.othello.position_table import LEAST_BITS, scattered_pair
from hansu.games.othello.rules import PASS
from hansu.games.othello.solver import OthelloSolver
from hansu.games.solver import Solver, Work, new_table
from hansu.games.value_table import find_value, move_in

CUT = 13  # tenths of a standard deviation: what is that unlikely is left out
MIN_DEPTH = 4  # of a search that leaves something out


@functools.cache
def shipped_weights() -> tuple[NDArray[np.int16], float]:
    """Return the weights of the patterns and their unit, in discs."""
    with resources.as_file(patterns.SHIPPED_WEIGHTS) as path, np.load(path) as file:
        return file["weights"], float(file["unit"])


class OthelloDepthSearch(DepthSearch):
    """Principal variation search with ProbCut."""

    def __init__(
        self,
        memory: int,
        solver: Solver,
        weights: tuple[NDArray[np.int16], float] | None = None,  # and their unit
    ) -> None:
        assert isinstance(solver, OthelloSolver)
        self._weights, self._unit = weights or shipped_weights()
        self.values = new_table(memory, least=LEAST_BITS + 1)
        self._solver = solver
        self._own()

    def _own(self) -> None:
        self._lists = np.empty(65 * endgame.LIST, np.int64)
        self._places = np.empty(patterns.PADDED, np.uint16)

    def helper(self) -> "OthelloDepthSearch":
        """Return one for another thread, with the same tables."""
        made = object.__new__(OthelloDepthSearch)
        made.__dict__.update(self.__dict__)
        made._own()
        return made

    def deepest(self, state: Any) -> int:
        """Return the number of empty squares."""
        return 64 - int(state.words[2] | state.words[3]).bit_count()

    def value_moves(
        self, state: Any, depth: int, order: list[Any], exact: bool, work: Work
    ) -> list[MoveValue]:
        """Search the first move with a full window, the others with a null window."""
        memory, found = self._memory(work), list[MoveValue]()
        best = -WORST - 1
        for move in order:
            after = state.forward(move)
            if exact or best < -WORST:
                value = self._search(after, depth - 1, -WORST, WORST, memory)
            else:
                value = self._search(after, depth - 1, best, best + 1, memory)
                if best < value and work[0] <= work[1]:
                    value = self._search(after, depth - 1, value - 1, WORST, memory)
            if work[0] > work[1]:
                break
            found.append(MoveValue(move, value / UNIT, exact or value > best))
            best = max(best, value)
        return found

    def win_probability(self, state: Any, value: float) -> float:
        """Return the logistic function of the lead, as fitted for this stage of the game."""
        mine, theirs = state.words[2:4]
        stage = int(patterns.stage_of(mine, theirs))
        scale = self._weights[stage * patterns.STAGE_SIZE + patterns.SCALE] * self._unit
        return 1.0 / (1.0 + math.exp(-float(scale) * value))

    def variation(self, state: Any, most: int) -> list[Any]:
        """Follow the best moves in the table."""
        moves: list[Any] = []
        state = state.copy()
        bits = np.uint64(len(self.values).bit_length() - 2)
        while len(moves) < most and not state.is_game_over():
            legal = list(state.legal_moves)
            if legal == [PASS]:
                move = PASS
            else:
                pair = map(np.uint64, scattered_pair(*state.words[2:4]))
                data = find_value(self.values, bits, *pair)
                move = int(move_in(np.uint64(data))) if data else -1
            if move not in legal:
                break
            moves.append(move)
            state.push(move)
        return moves

    def _search(self, after: Any, depth: int, alpha: int, beta: int, memory: Memory) -> int:
        """Return the value for the side that has just moved."""
        cut = CUT if depth >= MIN_DEPTH else 0
        mine, theirs = after.words[2:4]
        left = self.deepest(after)
        return -int(midgame.search(mine, theirs, left, depth, -beta, -alpha, cut, memory))

    def _memory(self, work: Work) -> Memory:
        solver = self._solver
        value_bits = np.uint64(len(self.values).bit_length() - 2)
        return Memory(
            *(self._weights, self.values, value_bits),
            *(solver.table, solver.bits, solver.busy),
            *(self._lists, self._places, work),
        )
