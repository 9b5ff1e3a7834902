import hansu


class Hostile(hansu.Agent):
    def __init__(self, name, color, path):
        super().__init__(name, color)
        self.path = path

    def act(self, state):
        with open(self.path) as file:
            raise RuntimeError(file.read())
