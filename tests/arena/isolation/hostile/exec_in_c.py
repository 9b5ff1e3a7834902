import ctypes
import errno
import sys

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        libc = ctypes.CDLL(None, use_errno=True)
        found = libc.execv(sys.executable.encode(), (ctypes.c_char_p * 2)(b"python", None))
        raise RuntimeError(f"execv: {found}, {errno.errorcode[ctypes.get_errno()]}")
