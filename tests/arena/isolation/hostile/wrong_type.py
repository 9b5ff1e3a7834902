import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        return float(next(iter(state.legal_moves)))
