"""Positions to search, reached by random play."""

import random

import hansu
from hansu.games.state import State


def random_positions(name: str, count: int, seed: int = 0) -> list[State]:
    """Positions that are not over, from random games, at random turns."""
    rng = random.Random(seed)
    game = hansu.game(name)
    found: list[State] = []
    while len(found) < count:
        state = game.start()
        for _ in range(rng.randrange(40)):
            if state.is_game_over():
                break
            state.push(rng.choice(list(state.legal_moves)))
        if not state.is_game_over():
            found.append(state)
    return found
