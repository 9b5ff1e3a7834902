"""Microchess's search to a depth; see ``alphabeta``."""

import math
from typing import Any

import numpy as np

from hansu.games.depth_search import DepthSearch, MoveValue
from hansu.games.microchess import alphabeta, nnue, rules
from hansu.games.microchess.alphabeta import HIGHEST, INFINITY, NO_MOVE, PROVED, SIDE, Memory
from hansu.games.solver import Work, new_table
from hansu.games.value_table import find_value, move_in

LEAST_BITS = 12  # of the table
DEEPEST = 60
CONTEMPT = 150  # so much less than an even game is a draw worth to who chooses a move


def _reductions() -> Any:
    """Return by how many plies a late move is searched less, by depth and number of the move."""
    depth, move = np.log(np.arange(1, 65))[:, None], np.log(np.arange(1, 65))[None, :]
    return (0.5 + depth * move / 2.2).astype(np.int64)


class MicrochessDepthSearch(DepthSearch):
    """Principal variation search on a small network."""

    def __init__(self, memory: int, network: nnue.Network | None = None) -> None:
        self._network = network or nnue.shipped_network()
        self._values = new_table(memory, least=LEAST_BITS)
        self._reductions = _reductions()
        self._contempt = 0
        self._own()

    def _own(self) -> None:
        self._moves = np.empty((HIGHEST, rules.MAX_MOVES), np.int64)
        self._order = np.empty((HIGHEST, rules.MAX_MOVES), np.int64)
        self._killers = np.full((HIGHEST + 1, 2), NO_MOVE, np.int64)
        self._history = np.zeros((2, SIDE), np.int64)
        self._room = nnue.fresh_room()

    def helper(self) -> "MicrochessDepthSearch":
        """Return one for another thread, with the same table."""
        made = object.__new__(MicrochessDepthSearch)
        made.__dict__.update(self.__dict__)
        made._own()
        return made

    def for_move(self) -> "MicrochessDepthSearch":
        """Return one that would rather play on than draw."""
        made = self.helper()
        made._contempt = CONTEMPT
        return made

    def deepest(self, state: Any) -> int:
        """Return the turns that are left, or far more than can be searched."""
        left: int = state.game.max_turns - len(state.move_stack)
        return min(max(1, left), DEEPEST)

    def value_moves(
        self, state: Any, depth: int, order: list[Any], exact: bool, work: Work
    ) -> list[MoveValue]:
        """Search the first move with a full window, the others with a null window."""
        memory, found = self.memory(state, work), list[MoveValue]()
        best = -INFINITY
        for move in order:
            words = state.forward(move).words
            if exact or not found:
                value = self._search(words, depth - 1, -INFINITY, INFINITY, memory)
            else:
                value = self._search(words, depth - 1, best, best + 1, memory)
                if best < value and work[0] <= work[1]:
                    value = self._search(words, depth - 1, best, INFINITY, memory)
            if work[0] > work[1]:
                break
            found.append(MoveValue(move, value, exact or value > best))
            best = max(best, value)
        return found

    def win_probability(self, state: Any, value: float) -> float:
        """Return the logistic function of the value; a draw is shown as what it is."""
        if 0 <= value + self._contempt <= HIGHEST * bool(self._contempt):
            return 0.5
        return 1.0 / (1.0 + math.exp(-max(-PROVED, min(PROVED, value)) / nnue.UNIT))

    def variation(self, state: Any, most: int) -> list[Any]:
        """Follow the best moves in the table."""
        moves: list[Any] = []
        state = state.copy()
        bits = self._bits
        while len(moves) < most and not state.is_game_over():
            key = np.uint64(
                alphabeta.table_key_of_words(state.words, len(moves) + 1, self._contempt)
            )
            data = find_value(self._values, bits, key, key)
            move_id = int(move_in(np.uint64(data))) if data else NO_MOVE
            if move_id not in state.move_ids():
                break
            move = state.move_from_id(move_id)
            moves.append(move)
            state.push(move)
        return moves

    @property
    def _bits(self) -> Any:
        return np.uint64(len(self._values).bit_length() - 2)

    def _search(self, words: Any, depth: int, alpha: int, beta: int, memory: Memory) -> int:
        """Return the value for the side that has just moved."""
        return -int(alphabeta.search_words(words, depth, -beta, -alpha, 1, memory))

    def memory(self, state: Any, work: Work) -> Memory:
        """Return what a search of a position works with."""
        path = state.path_with_room(HIGHEST + 1)
        played = len(state.move_stack)
        path[played] = state.key
        return Memory(
            *(self._network, self._values, self._bits, *self._room),
            *(self._moves, self._order, self._killers, self._history, self._reductions),
            *(path, np.array([played, self._contempt], np.int64), work),
        )
