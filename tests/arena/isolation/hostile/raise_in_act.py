import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        raise RuntimeError("in act")
