"""Count the leaves of the game tree: the classic test of a move generator."""

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from hansu.games.rules_on_words import holds_arrays, rules_on_words
from hansu.games.state import State
from hansu.kernel import kernel
from hansu.kernel.interruptible import interruptible
from hansu.options import whole_number

MAX_DEPTH = 64


def perft(state: State, depth: int) -> int:
    """Return the number of sequences of exactly ``depth`` moves.

    Only the board ends a line early (mate, a full row, two passes); adjudication does not. Such
    a line is not counted, except in othello, whose published counts include it once.

    >>> import hansu
    >>> [perft(hansu.game("tictactoe").start(), depth) for depth in range(4)]
    [1, 9, 72, 504]
    """
    depth = whole_number(depth, "depth", 0, MAX_DEPTH - 1)
    rules = state.game.rules
    moves = np.empty((depth + 1, rules.MAX_MOVES), np.int64)
    count = _make_perft(rules)
    stop = moves[0]  # the row that no ply needs; one more array would slow down every call
    stop.fill(0)
    given = (state.words, state.path_with_room(depth + 1), moves, depth)
    if depth < 2:
        return int(count(*given))  # too fast to need interrupting
    return int(interruptible(lambda: count(*given), stop=lambda: stop.fill(1)))


def divide(state: State, depth: int, tell: Callable[[], None] = lambda: None) -> dict[str, int]:
    """Return the same count for each first move; ``tell`` is called after each."""
    found = {}
    for move in map(state.move_from_id, state.move_ids()):
        found[state.move_text(move)] = perft(state.forward(move), depth - 1)
        tell()
    return found


@functools.cache
def _make_perft(rules: ModuleType) -> Any:
    legal_moves, play, key, uses_path = rules.legal_moves, rules.play, rules.key, rules.USES_PATH
    count_moves = getattr(rules, "count_moves", legal_moves)
    on_words = rules_on_words(rules)
    unpack, copy = on_words.unpack, on_words.copy
    finished = int(getattr(rules, "PERFT_COUNTS_FINISHED", False))

    @kernel(variant=rules, allocates=holds_arrays(rules))
    def count(pos, path, moves, depth):
        if depth == 1:
            n = count_moves(pos, path, moves[depth])
            return n if n else finished
        if moves[0, 0]:
            return 0  # nobody waits for the answer
        n = legal_moves(pos, path, moves[depth])
        if n == 0:
            return finished
        if uses_path:
            path[np.int64(pos.ply)] = key(pos)
        total = 0
        for i in range(n):
            total += count(play(copy(pos), moves[depth, i]), path, moves, depth - 1)
        return total

    @kernel(variant=rules)
    def perft_words(words, path, moves, depth):
        if depth == 0:
            return 1
        return count(unpack(words), path, moves, depth)

    return perft_words
