import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        return None
