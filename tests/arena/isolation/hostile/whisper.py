import ctypes
import errno
import fcntl
import os

import hansu

libc = ctypes.CDLL(None, use_errno=True)
F_GETLK, F_OFD_GETLK, F_NOTIFY, F_SETLEASE = 5, 36, 1026, 1024


class Whisper(hansu.Agent):
    """Locks on files that every agent sees would be a way to talk to another one."""

    def act(self, state):
        descriptor = os.open(os.__file__, os.O_RDONLY)
        other = os.open(os.__file__, os.O_RDONLY)  # a lock of its own
        said = [libc.flock(d, fcntl.LOCK_EX | fcntl.LOCK_NB) for d in (descriptor, other)]
        lock = ctypes.create_string_buffer(64)
        for command in (F_GETLK, F_OFD_GETLK, F_NOTIFY, F_SETLEASE):
            said.append(libc.fcntl(descriptor, command, lock))
        raise RuntimeError(f"{said} {errno.errorcode[ctypes.get_errno()]}")
