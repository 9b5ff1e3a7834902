"""Solves exercise 11: flat Monte Carlo."""

import hansu


class Flat(hansu.Agent):
    def act(self, state):
        rates = hansu.win_rate_map(state, 1000, self.rng.getrandbits(32))
        return max(rates, key=rates.get)
