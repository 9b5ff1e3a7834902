"""Othello games replayed in compiled code, thousands at a time."""

from typing import Any

import numpy as np

from hansu.games.othello import rules
from hansu.games.othello.rules import PASS, play, squares_to_play
from hansu.games.rules_on_words import rules_on_words
from hansu.kernel import bit, kernel, popcount

NO_MOVE = -1  # after the last move of a game
UNKNOWN = 127  # as a lead in discs
FINE, ILLEGAL, NO_RESULT = 0, 1, 2  # verdicts on a game

unpack = rules_on_words(rules).unpack


@kernel
def passed(pos):
    """Return the position after a pass, if the side to move has to pass."""
    if not squares_to_play(pos.mine, pos.theirs) and squares_to_play(pos.theirs, pos.mine):
        return play(pos, PASS)
    return pos


@kernel
def final_lead(pos):
    """Return Black's lead in a finished game with the empty squares given to the winner."""
    lead = np.int64(popcount(pos.mine)) - np.int64(popcount(pos.theirs))
    empty = 64 - np.int64(popcount(pos.mine | pos.theirs))
    lead += empty * (int(lead > 0) - int(lead < 0))
    return -lead if pos.second else lead


@kernel
def check_games(start: Any, moves: Any, lead: Any) -> Any:
    """Replay every game; return verdicts and places of illegal moves, and fill in unknown leads."""
    verdicts, places = np.zeros(len(moves), np.int64), np.zeros(len(moves), np.int64)
    for game in range(len(moves)):
        pos = passed(unpack(start[game]))
        for at in range(moves.shape[1]):
            move = moves[game, at]
            if move == NO_MOVE:
                break
            if move >= PASS or not squares_to_play(pos.mine, pos.theirs) & bit(move):
                verdicts[game], places[game] = ILLEGAL, at
                break
            pos = passed(play(pos, move))
        over = not squares_to_play(pos.mine, pos.theirs)
        if verdicts[game] == FINE and lead[game] == UNKNOWN:
            if over:
                lead[game] = final_lead(pos)
            else:
                verdicts[game] = NO_RESULT
    return verdicts, places
