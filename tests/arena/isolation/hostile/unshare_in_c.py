import ctypes

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        ctypes.CDLL(None).unshare(0x10000000)
