import ctypes

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        ctypes.PyDLL(None).sleep(10**9)  # PyDLL keeps the interpreter lock
