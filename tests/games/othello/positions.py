"""Othello boards to check the rules with: any at all, most of them out of reach."""

import random
from collections.abc import Iterator

CENTER = (27, 28, 35, 36)


def random_boards(count: int, seed: int, center: bool = False) -> Iterator[str]:
    """Boards from almost empty to full, even or with few discs of one colour, or none.

    With ``center`` its four squares hold discs, as programs expect.
    """
    rng = random.Random(seed)
    for _ in range(count):
        empty = rng.choice([0.0, 0.02, 0.1, 0.4, 0.8, 0.95])
        black = rng.choice([0.0, 0.05, 0.3, 0.5, 0.7, 0.95, 1.0])
        squares = [
            "-" if rng.random() < empty else "X" if rng.random() < black else "O" for _ in range(64)
        ]
        for square in CENTER if center else ():
            squares[square] = rng.choice("XO")
        yield f"{''.join(squares)} {rng.choice('XO')}"
