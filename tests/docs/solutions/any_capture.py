"""Does not solve exercise 17: it takes stones, but not the most."""

import hansu


class AnyCapture(hansu.Agent):
    def act(self, state):
        theirs = state.stones().count(not self.color)
        takes = [m for m in state.legal_moves if self.left(state.forward(m)) < theirs]
        return self.rng.choice(takes or list(state.legal_moves))

    def left(self, after):
        return after.stones().count(not self.color)
