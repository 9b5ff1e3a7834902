import ctypes
import time

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        libc = ctypes.CDLL(None)
        if libc.fork() == 0:
            libc.setsid()
            if libc.fork() == 0:
                time.sleep(10**9)
