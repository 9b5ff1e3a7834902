import hansu


class Unprintable(Exception):
    def __str__(self):
        raise self


class Hostile(hansu.Agent):
    def act(self, state):
        raise Unprintable
