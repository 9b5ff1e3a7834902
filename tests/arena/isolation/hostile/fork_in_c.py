import ctypes
import errno

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        libc = ctypes.CDLL(None, use_errno=True)
        found = {libc.fork() for _ in range(1000)}
        raise RuntimeError(f"fork: {found.pop()}, {errno.errorcode[ctypes.get_errno()]}")
