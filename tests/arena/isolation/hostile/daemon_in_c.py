import ctypes
import errno
import platform
import time

import hansu

CLONE = {"x86_64": 56, "aarch64": 220}[platform.machine()]
CLONE_VM, CLONE_PARENT, SIGCHLD = 0x100, 0x8000, 17


class Hostile(hansu.Agent):
    """A process that would be the arena's child, not the agent's."""

    def act(self, state):
        libc = ctypes.CDLL(None, use_errno=True)
        found = libc.syscall(CLONE, CLONE_PARENT | SIGCHLD, None, None, None, None)
        if found == 0:
            time.sleep(10**9)
        raise RuntimeError(f"clone: {found}, {errno.errorcode[ctypes.get_errno()]}")
