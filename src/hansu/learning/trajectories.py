"""The games of self-play as arrays: what was seen, searched and played at every turn."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansu.games.features import Features

RUNNING = 2  # the result of a running game
MOST_VISITS = 65535


class Trajectories(NamedTuple):
    """The games so far: [games] or [games, turns]."""

    seen: NDArray[np.uint64]  # [games, turns, packed words] the observations
    legal: NDArray[np.uint64]  # [games, turns, words] the actions that were legal, a bit each
    visits: NDArray[np.uint16]  # [games, turns, actions] of the root, or shares of MOST_VISITS
    value: NDArray[np.float32]  # [games, turns] what the search found, for the side to move
    action: NDArray[np.int16]  # [games, turns] what was played
    turns: NDArray[np.int32]
    result: NDArray[np.int8]  # +1, 0, -1 for the first player, or RUNNING
    would_resign: NDArray[np.int8]  # the first to fall below resign_below: +1, -1, 0
    resign_disabled: NDArray[np.int8]  # 1: played on, to measure false resignations
    random_plies: NDArray[np.int32]  # of the random opening, which gives no samples
    full: NDArray[np.int8]  # [games, turns] 0: a quick search, which gives no sample
    owners: NDArray[np.uint64]  # [games, words] sets: cells the first player has at the end, second


OF_TURNS = ("seen", "legal", "visits", "value")
OF_GAMES = ("turns", "result", "would_resign", "resign_disabled", "random_plies", "full", "owners")


def empty_trajectories(features: Features, games: int, turns: int) -> Trajectories:
    """Return room for so many games."""
    assert features.packing is not None
    return Trajectories(
        seen=np.zeros((games, turns, features.packing.words), np.uint64),
        legal=np.zeros((games, turns, (features.actions + 63) // 64), np.uint64),
        visits=np.zeros((games, turns, features.actions), np.uint16),
        value=np.zeros((games, turns), np.float32),
        action=np.zeros((games, turns), np.int16),
        turns=np.zeros(games, np.int32),
        result=np.zeros(games, np.int8),
        would_resign=np.zeros(games, np.int8),
        resign_disabled=np.zeros(games, np.int8),
        random_plies=np.zeros(games, np.int32),
        full=np.zeros((games, turns), np.int8),
        owners=np.zeros((games, 2 * features.set_words if features.has_owners else 1), np.uint64),
    )
