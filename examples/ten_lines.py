"""An agent in ten lines: win at once if you can, else play at random."""

from typing import Any

import hansu


class TenLines(hansu.Agent):
    """Look one move ahead for a win."""

    def act(self, state: hansu.State) -> Any:
        """Return a winning move, or a random one."""
        moves = list(state.legal_moves)
        for move in moves:
            outcome = state.forward(move).outcome()
            if outcome is not None and outcome.winner == self.color:
                return move
        return self.rng.choice(moves)


if __name__ == "__main__":
    print(hansu.match("connect4", TenLines, "random", games=40, seed=1))
