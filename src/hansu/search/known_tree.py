"""What is known well enough, as a tree: the value of a move is that of the best answer to it.

The rate of a sequence is an average over all that was simulated after it, bad answers included. But
where every answer has been simulated often enough, the best of them is what will be played.
"""

import functools
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.games.bridge import bridge
from hansu.games.state import State
from hansu.kernel import kernel
from hansu.search.prefix_table import Entries, prefix_key, slot_of


def known_values(
    state: State, keys: NDArray[np.uint64], table: Entries, enough: int
) -> list[float]:
    """The values of all moves, in their order, for the side to move; ``keys`` are theirs.

    A position counts as known where every move has ``enough`` games; its value is then that of its
    best move, and otherwise the rate of the sequence that led to it.
    """
    rules = state.game.compiled
    value = _make_value(rules)
    played = len(state.move_stack)
    path = np.zeros(max(state.game.max_turns, played + 1) + 1, np.uint64)
    found = []
    for move, key in zip(state.legal_moves, keys, strict=True):
        after = state.forward(move)
        if rules.USES_PATH:
            path[: played + 1] = after.path[: played + 1]
        first = float(value(after.words, path, key, table, enough))
        found.append(first if state.turn == state.game.first_color else 1.0 - first)
    return found


@kernel
def _rate(entry):
    """The share of the player who began; a half when nothing is known."""
    wins, draws = np.float64(entry["wins"]), np.float64(entry["draws"])
    games = wins + draws + np.float64(entry["losses"])
    return (wins + 0.5 * draws) / games if games > 0.0 else 0.5


@kernel
def _games(entry):
    return np.int64(entry["wins"]) + np.int64(entry["draws"]) + np.int64(entry["losses"])


@functools.cache
def _make_value(rules: ModuleType) -> Any:
    link = bridge(rules)
    unpack, copy, max_moves = link.unpack, link.copy, rules.MAX_MOVES
    play, position_key, score_first = rules.play, rules.key, rules.score_first
    legal_moves, ending, uses_path = rules.legal_moves, rules.ending, rules.USES_PATH

    @kernel(variant=rules)
    def value_below(pos, path, key, table, enough):
        """The value for the player who began: of the best move where all are known."""
        entry = table[slot_of(table, key)]
        moves = np.empty(max_moves, np.int64)
        n_moves = legal_moves(pos, path, moves)
        over = ending(pos, path, n_moves)
        if over:
            return 0.5 + 0.5 * score_first(pos, over)
        if np.int64(pos.ply) >= len(path):
            return _rate(entry)
        for i in range(n_moves):
            if _games(table[slot_of(table, prefix_key(key, moves[i]))]) < enough:
                return _rate(entry)
        best = -1.0
        if uses_path:
            path[np.int64(pos.ply)] = position_key(pos)
        for i in range(n_moves):
            child = prefix_key(key, moves[i])
            first = value_below(play(copy(pos), moves[i]), path, child, table, enough)
            best = max(best, 1.0 - first if pos.second else first)
        return 1.0 - best if pos.second else best

    @kernel(variant=rules)
    def value(words, path, key, table, enough):
        return value_below(copy(unpack(words)), path, key, table, enough)

    return value
