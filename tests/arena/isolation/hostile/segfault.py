import ctypes

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        ctypes.string_at(0)
