"""An evaluation of your own: one move ahead in Othello, with a value for every square."""

from typing import Any

import hansu

QUARTER = ((100, -20, 10, 5), (-20, -50, -2, -2), (10, -2, 1, 1), (5, -2, 1, 0))
VALUES = [QUARTER[min(y, 7 - y)][min(x, 7 - x)] for y in range(8) for x in range(8)]


def evaluate(state: hansu.State, color: bool) -> int:
    """Return my squares' worth less theirs: corners are good, the squares beside them bad."""
    mine, theirs = ("O", "X") if color == hansu.WHITE else ("X", "O")
    worth = {mine: 1, theirs: -1, "-": 0}
    return sum(worth[cell] * value for cell, value in zip(state.text()[:64], VALUES, strict=True))


class Squares(hansu.Agent):
    """Play the move after which the squares are worth most."""

    def act(self, state: hansu.State) -> Any:
        """Return the best move."""
        return max(state.legal_moves, key=lambda move: evaluate(state.forward(move), self.color))


if __name__ == "__main__":
    print(hansu.match("othello", Squares, "random", games=40, seed=1))
