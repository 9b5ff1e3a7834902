import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        return hansu.RESIGN

    def close(self):
        raise RuntimeError("in close")
