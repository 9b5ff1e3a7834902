"""Which moves win at once, and which force a win one step later."""

import functools
from types import ModuleType
from typing import Any

import numpy as np

from hansu.games.rules_on_words import bridge
from hansu.games.state import State
from hansu.kernel import kernel


def wins_at_once(state: State) -> list[Any]:
    """The moves that end the game with a win for the one who makes them."""
    return _moves(state, forced=False)


def forced_wins(state: State) -> list[Any]:
    """The moves after which every answer of the opponent allows a win at once.

    A move that itself ends the game is not among them.
    """
    return _moves(state, forced=True)


def _moves(state: State, forced: bool) -> list[Any]:
    if state.is_game_over():
        return []
    rules = state.game.rules
    played = len(state.move_stack)
    path = np.zeros(played + 4, np.uint64)
    path[:played] = state.path[:played] if rules.USES_PATH else 0
    moves = np.empty((4, rules.MAX_MOVES), np.int64)
    n = int(_make_wins(rules)(state.words, path, moves, forced))
    return [state.move_from_id(int(move_id)) for move_id in moves[0, :n]]


@functools.cache
def _make_wins(rules: ModuleType) -> Any:
    legal_moves, play, ending = rules.legal_moves, rules.play, rules.ending
    key, score_first, uses_path = rules.key, rules.score_first, rules.USES_PATH
    link = bridge(rules)
    unpack, copy = link.unpack, link.copy
    can_end = getattr(rules, "can_end", None) or always

    @kernel(variant=rules)
    def wins(pos, after, path, answers):
        """Whether the move from pos to after has won."""
        over = ending(after, path, legal_moves(after, path, answers))
        return over and score_first(after, over) == (-1 if pos.second else 1)

    @kernel(variant=rules)
    def can_win(pos, path, moves, level):
        """Whether the side to move has a win at once."""
        if not can_end(pos):
            return False
        n = legal_moves(pos, path, moves[level])
        if ending(pos, path, n):
            return False
        if uses_path:
            path[np.int64(pos.ply)] = key(pos)
        for i in range(n):
            if wins(pos, play(copy(pos), moves[level, i]), path, moves[level + 1]):
                return True
        return False

    @kernel(variant=rules)
    def forces_win(after, path, moves):
        """Whether every answer in this position, which is not over, allows a win at once."""
        n = legal_moves(after, path, moves[1])
        if ending(after, path, n):
            return False
        if uses_path:
            path[np.int64(after.ply)] = key(after)
        for i in range(n):  # noqa: SIM110 - Numba knows no all()
            if not can_win(play(copy(after), moves[1, i]), path, moves, 2):
                return False
        return True

    @kernel(variant=rules)
    def winning_moves(words, path, moves, forced):
        """Keep the winning moves at the front of moves[0]; how many there are."""
        pos = unpack(words)
        n = legal_moves(pos, path, moves[0])
        if uses_path:
            path[np.int64(pos.ply)] = key(pos)
        if not forced and not can_end(pos):
            return 0
        found = 0
        for i in range(n):
            after = play(copy(pos), moves[0, i])
            won = forces_win(after, path, moves) if forced else wins(pos, after, path, moves[1])
            if won:
                moves[0, found] = moves[0, i]
                found += 1
        return found

    return winning_moves


@kernel
def always(pos):
    """The ``can_end`` of rules that do not say: look every time."""
    return True
