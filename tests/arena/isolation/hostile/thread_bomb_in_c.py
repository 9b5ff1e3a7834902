import ctypes

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        libc = ctypes.CDLL(None)
        sleep = ctypes.cast(libc.pause, ctypes.c_void_p)
        made = 1  # this one
        for _ in range(100):
            made += libc.pthread_create(ctypes.byref(ctypes.c_ulong()), None, sleep, None) == 0
        raise RuntimeError(f"{made} threads")
