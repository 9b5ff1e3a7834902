"""Games of Connect Four that lead to positions worth checking."""

import random
from collections.abc import Iterator

import hansu


def random_games(count: int, seed: int) -> Iterator[str]:
    """The columns of games up to somewhere on the way, or almost to the end.

    Half of them fill a few columns first, and most avoid a line while they can: so columns and
    boards fill up, and the last discs make two lines at once.
    """
    rng = random.Random(seed)
    for _ in range(count):
        state = hansu.game("connect4").start()
        order = rng.sample(range(1, 8), 7)
        ordered, careful = rng.random() < 0.5, rng.random() < 0.8
        for _ in range(rng.choice([rng.randrange(43), rng.randrange(38, 43)])):
            moves = rng.sample(state.legal_moves, len(state.legal_moves))
            if ordered and rng.random() < 0.7:
                moves.sort(key=order.index)
            quiet = (move for move in moves if not state.forward(move).is_game_over())
            if not moves:
                break
            state.push(next(quiet, moves[0]) if careful else moves[0])
        yield state.text()
