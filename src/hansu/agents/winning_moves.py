"""``winning_moves``: look for wins of both sides, two moves deep.

Its parts are functions that your own agents can use.
"""

import time
from collections.abc import Iterable
from typing import Any

from hansu.agents.agent import Agent
from hansu.agents.budget import move_seconds
from hansu.games.state import State, check_running
from hansu.search.playout import random_move
from hansu.search.wins import forced_wins, wins_at_once


def find_winning_move(state: State) -> Any | None:
    """Return a move that wins at once, or None.

    >>> import hansu
    >>> state = hansu.game("tictactoe").parse("XX. OO. ...")
    >>> state.move_text(find_winning_move(state))
    'c1'
    """
    return next(iter(wins_at_once(state)), None)


def eliminate_losing_moves(state: State, moves: Iterable[Any]) -> list[Any]:
    """Return the moves after which the opponent cannot win at once.

    >>> import hansu
    >>> state = hansu.game("tictactoe").parse("XX. O.. ...")
    >>> [state.move_text(move) for move in eliminate_losing_moves(state, state.legal_moves)]
    ['c1']
    """
    return [move for move in moves if not wins_at_once(state.forward(move))]


def find_two_step_win(state: State, moves: Iterable[Any]) -> Any | None:
    """Return a move after which every reply allows a win at once, or None."""
    winning = forced_wins(state)
    return next((move for move in moves if move in winning), None)


class WinningMoves(Agent):
    """Win if possible, stop the opponent from winning, then the same one move further."""

    def prepare(self, start: State) -> None:
        """Compile the search for wins."""
        forced_wins(start)
        random_move(start, 0)

    def act(self, state: State) -> Any:
        """Apply four rules in turn, as far as time allows; choose at random among what is left."""
        check_running(state)
        deadline = time.monotonic() + move_seconds(state)
        win = find_winning_move(state)
        if win is not None:
            return win
        moves = list(state.legal_moves)
        safe = eliminate_losing_moves(state, moves) or moves
        win = find_two_step_win(state, safe)
        if win is not None:
            return win
        quiet = []
        for move in safe:
            if time.monotonic() > deadline:  # the others have not been looked at
                break
            if not forced_wins(state.forward(move)):
                quiet.append(move)
        quiet = quiet or safe
        if len(quiet) == len(moves):
            return random_move(state, self.rng.getrandbits(64))  # go: not into an own eye
        return self.rng.choice(quiet)
