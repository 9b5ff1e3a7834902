import ctypes
import time

import hansu


class Hostile(hansu.Agent):
    """As many threads as it gets; then it hangs, as libraries do that are refused one."""

    def act(self, state):
        libc = ctypes.CDLL(None)
        sleep = ctypes.cast(libc.pause, ctypes.c_void_p)
        for _ in range(100):
            libc.pthread_create(ctypes.byref(ctypes.c_ulong()), None, sleep, None)
        time.sleep(1000)
