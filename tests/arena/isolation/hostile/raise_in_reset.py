import hansu


class Hostile(hansu.Agent):
    def reset(self):
        raise RuntimeError("in reset")
