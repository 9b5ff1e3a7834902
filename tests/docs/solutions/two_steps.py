"""Solves exercise 4: my move, then the opponent's best reply."""

import hansu


def value(state, color):
    return state.game.evaluator.eval(state, color)


class TwoSteps(hansu.Agent):
    def act(self, state):
        moves = list(state.legal_moves)
        self.rng.shuffle(moves)
        return max(moves, key=lambda move: self.worst(state.forward(move)))

    def worst(self, after):
        if after.is_game_over():
            return value(after, self.color)
        return min(value(after.forward(reply), self.color) for reply in after.legal_moves)
