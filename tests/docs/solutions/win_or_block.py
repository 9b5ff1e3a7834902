"""Solves exercises 1 and 2."""

import hansu


def wins(state, move):
    outcome = state.forward(move).outcome()
    return outcome is not None and outcome.winner == state.turn


class WinOrBlock(hansu.Agent):
    def act(self, state):
        moves = list(state.legal_moves)
        for move in moves:
            if wins(state, move):
                return move
        safe = []
        for move in moves:
            after = state.forward(move)
            if not any(wins(after, reply) for reply in after.legal_moves):
                safe.append(move)
        return self.rng.choice(safe or moves)
