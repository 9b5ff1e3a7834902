"""A search of your own at engine speed: alpha–beta on the compiled rules, for every game.

``@kernel`` compiles a function when it is first called and keeps the machine code on disk.
``docs/design/kernel.md`` says what a rules module provides.
"""

import functools
from types import ModuleType
from typing import Any

import numpy as np

import hansu
from hansu.games.rules_on_words import rules_on_words
from hansu.kernel import kernel


@functools.cache
def make_search(rules: ModuleType, evaluate: Any) -> Any:
    """Return ``search(words, path, moves, depth, values)`` for the rules of a game."""
    legal_moves, play, ending, key = rules.legal_moves, rules.play, rules.ending, rules.key
    score_first, uses_path = rules.score_first, rules.USES_PATH
    on_words = rules_on_words(rules)
    unpack, copy = on_words.unpack, on_words.copy

    @kernel(variant=(rules, evaluate))
    def alphabeta(pos, path, moves, depth, alpha, beta):
        """Return the value for the side to move: 2 for a win, an evaluation from -1 to 1."""
        n = legal_moves(pos, path, moves[depth])
        over = ending(pos, path, n)
        if over or depth == 0:
            value = 2.0 * (score_first(pos, over) if over else evaluate(pos) - 0.5)
            return -value if pos.second else value
        if uses_path:
            path[np.int64(pos.ply)] = key(pos)
        for i in range(n):
            after = play(copy(pos), moves[depth, i])
            alpha = max(alpha, -alphabeta(after, path, moves, depth - 1, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha

    @kernel(variant=(rules, evaluate))
    def search(words, path, moves, depth):
        """Return the best move by its number."""
        pos = unpack(words)
        if uses_path:
            path[np.int64(pos.ply)] = key(pos)
        best, alpha = -1, -3.0
        n = legal_moves(pos, path, moves[depth])
        for i in range(n):
            after = play(copy(pos), moves[depth, i])
            value = -alphabeta(after, path, moves, depth - 1, -3.0, -alpha)
            if value > alpha:
                best, alpha = moves[depth, i], value
        return best

    return search


class CompiledAlphaBeta(hansu.Agent):
    """Alpha–beta to a fixed depth."""

    depth = 5

    def prepare(self, start: hansu.State) -> None:
        """Compile, off the clock."""
        self.act(start)

    def act(self, state: hansu.State) -> Any:
        """Return the best move."""
        rules = state.game.rules
        search = make_search(rules, state.game.evaluator.evaluate)
        moves = np.empty((self.depth + 1, rules.MAX_MOVES), np.int64)
        path = state.path_with_room(self.depth + 1)
        return state.move_from_id(int(search(state.words, path, moves, self.depth)))


if __name__ == "__main__":
    print(hansu.match("microchess", CompiledAlphaBeta, "negamax:depth=3", games=20, seed=1))
