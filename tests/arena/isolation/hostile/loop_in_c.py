import itertools

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        sum(itertools.repeat(0))  # a loop in C that never lets go of the interpreter lock
