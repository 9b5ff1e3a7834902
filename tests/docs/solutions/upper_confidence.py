"""Solves exercise 10: every move is an arm of a bandit."""

import math

import hansu

PULLS = 800


class UpperConfidence(hansu.Agent):
    def act(self, state):
        moves = list(state.legal_moves)
        after = [state.forward(move) for move in moves]
        won, pulled = [0.0] * len(moves), [0] * len(moves)

        def bound(arm):
            if not pulled[arm]:
                return math.inf
            return won[arm] / pulled[arm] + math.sqrt(2 * math.log(sum(pulled)) / pulled[arm])

        for _ in range(PULLS):
            arm = max(range(len(moves)), key=bound)
            won[arm] += self.play_out(after[arm])
            pulled[arm] += 1
        return moves[max(range(len(moves)), key=lambda arm: pulled[arm])]

    def play_out(self, state):
        outcome = state.outcome()
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner == self.color)
        counts = hansu.playouts(state, 1, self.rng.getrandbits(32))
        first = counts.wins + 0.5 * counts.draws
        return first if self.color == state.game.first_color else 1.0 - first
