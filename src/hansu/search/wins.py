"""Which moves win at once, which force a win one step later, and which lose at once."""

import functools
import itertools
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from hansu.games.rules_on_words import rules_on_words
from hansu.games.state import State
from hansu.kernel import kernel
from hansu.search.info import SearchInfo


def wins_at_once(state: State) -> list[Any]:
    """Return the moves that win the game at once."""
    return _moves(state, forced=False)


def forced_wins(state: State) -> list[Any]:
    """Return the moves after which every answer of the opponent allows a win at once.

    A move that itself ends the game is not among them.
    """
    return _moves(state, forced=True)


def look_ahead(state: State, info: SearchInfo) -> SearchInfo:
    """Return what a search found, put right by what the next two moves prove.

    A search may never try a move that its network or its playouts think nothing of, such as the
    pass that ends a game. Moves that win at once come first; the first moves come last where they
    lose at once: where they end the game with a loss, or the opponent's next move can.
    """
    winning = wins_at_once(state)
    won = [replace(each, value=1.0, proved=True) for each in info.lines if each.move in winning]
    others = [each for each in info.lines if each.move not in winning]
    lost = list(itertools.takewhile(lambda each: _loses(state.forward(each.move)), others))
    good = others[len(lost) :]
    return replace(info, lines=(*won, *good, *(replace(e, value=0.0, proved=True) for e in lost)))


def _loses(after: State) -> bool:
    """Return whether the side that has just moved has lost, or loses to the next move."""
    outcome = after.outcome()
    return bool(wins_at_once(after)) if outcome is None else outcome.winner == after.turn


def _moves(state: State, forced: bool) -> list[Any]:
    if state.is_game_over():
        return []
    rules = state.game.rules
    moves = np.empty((4, rules.MAX_MOVES), np.int64)
    n = int(_make_wins(rules)(state.words, state.path_with_room(4), moves, forced))
    return [state.move_from_id(int(move_id)) for move_id in moves[0, :n]]


@functools.cache
def _make_wins(rules: ModuleType) -> Any:
    legal_moves, play, ending = rules.legal_moves, rules.play, rules.ending
    key, score_first, uses_path = rules.key, rules.score_first, rules.USES_PATH
    on_words = rules_on_words(rules)
    unpack, copy = on_words.unpack, on_words.copy
    can_end = getattr(rules, "can_end", None) or always

    @kernel(variant=rules)
    def wins(pos, after, path, answers):
        """Return whether the move from pos to after has won."""
        over = ending(after, path, legal_moves(after, path, answers))
        return over and score_first(after, over) == (-1 if pos.second else 1)

    @kernel(variant=rules)
    def can_win(pos, path, moves, level):
        """Return whether the side to move can win at once."""
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
        """Return whether every answer in this position, which is not over, allows a win at once."""
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
        """Move the winning moves to the front of moves[0]; return how many there are."""
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
    """Stand in for ``can_end`` where the rules have none."""
    return True
