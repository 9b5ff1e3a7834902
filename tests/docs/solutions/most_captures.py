"""Solves exercise 17: count the opponent's stones after every move."""

import hansu


class MostCaptures(hansu.Agent):
    def act(self, state):
        return min(state.legal_moves, key=lambda move: self.left(state.forward(move)))

    def left(self, after):
        return after.stones().count(not self.color)
