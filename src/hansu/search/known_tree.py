"""Minimax over the simulated games in a prefix table: a move is worth its best answer.

The win rate of a sequence averages over all games after it, bad answers included. Where every
answer has been simulated often enough, the value of the best one replaces that average.
"""

import functools
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.games.rules_on_words import rules_on_words
from hansu.games.state import State
from hansu.kernel import kernel
from hansu.search.prefix_table import Entries, prefix_key, slot_of, visits_of


def known_values(
    state: State, keys: NDArray[np.uint64], table: Entries, enough: int
) -> list[float]:
    """Return the values of all moves, in their order, for the side to move; ``keys`` are theirs.

    A position is known where every move has ``enough`` games: its value is that of its best move,
    otherwise the win rate of the sequence that led to it.
    """
    value = _make_value(state.game.rules)
    children = [state.forward(move) for move in state.legal_moves]
    return [
        1.0 - float(value(after.words, after.path_with_room(), key, table, enough))
        for after, key in zip(children, keys, strict=True)
    ]


@kernel(allocates=False)
def _rate(entry, second):
    """Return the win rate of the side to move; a half without games."""
    games = visits_of(entry)
    if games == 0:
        return 0.5
    first = (np.float64(entry["wins"]) + 0.5 * np.float64(entry["draws"])) / games
    return 1.0 - first if second else first


@functools.cache
def _make_value(rules: ModuleType) -> Any:
    on_words = rules_on_words(rules)
    unpack, copy, max_moves = on_words.unpack, on_words.copy, rules.MAX_MOVES
    play, position_key, score_first = rules.play, rules.key, rules.score_first
    legal_moves, ending, uses_path = rules.legal_moves, rules.ending, rules.USES_PATH

    @kernel(variant=rules)
    def value_below(pos, path, key, table, enough, alpha, beta):
        """Return the value for the side to move, by alpha-beta, as far as all moves are known."""
        moves = np.empty(max_moves, np.int64)
        n_moves = legal_moves(pos, path, moves)
        over = ending(pos, path, n_moves)
        if over:
            score = score_first(pos, over)
            return 0.5 - 0.5 * score if pos.second else 0.5 + 0.5 * score
        rate = _rate(table[slot_of(table, key)], pos.second)
        if np.int64(pos.ply) >= len(path):
            return rate
        most = -1.0
        for i in range(n_moves):
            entry = table[slot_of(table, prefix_key(key, moves[i]))]
            if visits_of(entry) < enough:
                return rate
            if _rate(entry, pos.second) > most:  # the most promising move first cuts off most
                most = _rate(entry, pos.second)
                moves[0], moves[i] = moves[i], moves[0]
        if uses_path:
            path[np.int64(pos.ply)] = position_key(pos)
        best = 0.0
        for i in range(n_moves):
            child = prefix_key(key, moves[i])
            after = play(copy(pos), moves[i])
            best = max(
                best, 1.0 - value_below(after, path, child, table, enough, 1.0 - beta, 1.0 - alpha)
            )
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    @kernel(variant=rules)
    def value(words, path, key, table, enough):
        return value_below(copy(unpack(words)), path, key, table, enough, 0.0, 1.0)

    return value
