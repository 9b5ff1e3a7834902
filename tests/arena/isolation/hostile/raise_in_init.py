import hansu


class Hostile(hansu.Agent):
    def __init__(self, name, color):
        raise RuntimeError("in init")
