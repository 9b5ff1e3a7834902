"""How long may one move take? A fair share of what is left on the clock."""

import math

from hansu.games.game import WHITE
from hansu.games.state import State

MOVES_AT_MOST = 40  # plan for no more moves than this: most games end earlier than they could
RESERVE = 0.95  # the rest is for what happens around the search
LAG = 0.5  # seconds not to be planned with, or half of the last ones: a busy machine may be late


def fair_share(state: State) -> float:
    """Seconds that the side to move may use now and still have as much for every later move.

    >>> import hansu
    >>> fair_share(hansu.game("microchess").start())
    9.488125
    """
    left = state.white_remain_sec if state.turn == WHITE else state.black_remain_sec
    turns_left = state.game.max_turns - len(state.move_stack)
    return share(left, max(1, min(MOVES_AT_MOST, math.ceil(turns_left / 2))))


def share(left: float, moves: int) -> float:
    """Seconds for one of so many moves.

    >>> share(0.4, 1)
    0.19
    """
    return RESERVE * (left - min(LAG, left / 2)) / moves
