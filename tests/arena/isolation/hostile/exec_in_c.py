import ctypes
import sys

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        libc = ctypes.CDLL(None)
        libc.execv(sys.executable.encode(), (ctypes.c_char_p * 2)(b"python", None))
