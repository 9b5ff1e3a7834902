import ctypes

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        ctypes.CDLL(None).socket(2, 1, 0)
