"""How long one move may take, by clock, increment and limit per move."""

import math

from hansu.games.state import State, check_state

MOVES_AT_MOST = 40  # plan for no more moves than this: most games end before the turn limit
RESERVE = 0.95  # the rest is for what happens around the search
LAG = 0.5  # seconds of the clock not to be planned with, or half of the last ones
MOVE_LAG = 0.2  # seconds of a single move's limit, likewise: a busy machine may be late
OF_INCREMENT = 0.8  # the rest of it fills the clock up


def move_seconds(state: State) -> float:
    """Return the seconds that the side to move may use now without losing on time.

    This is a fair share of the clock plus most of the increment, never more than the limit per
    move, with a reserve for a busy machine; infinite without any limit.

    >>> import hansu
    >>> move_seconds(hansu.game("microchess").start())
    9.488125
    """
    check_state(state)
    left, limit = state.remain_sec, state.max_move_sec
    usable = RESERVE * (left - min(LAG, left / 2))
    share = min(usable / moves_to_go(state) + OF_INCREMENT * state.increment_sec, usable)
    return min(share, limit - min(MOVE_LAG, limit / 2) if limit < math.inf else limit)


def moves_to_go(state: State) -> int:
    """Return for how many moves the clock has to last, this one included."""
    if state.timing.moves_to_go is not None:
        return max(1, state.timing.moves_to_go)
    turns_left = state.game.max_turns - len(state.move_stack)
    return max(1, min(MOVES_AT_MOST, math.ceil(turns_left / 2)))
