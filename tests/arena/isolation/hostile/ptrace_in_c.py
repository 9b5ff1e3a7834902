import ctypes

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        ctypes.CDLL(None).ptrace(0, 0, 0, 0)
