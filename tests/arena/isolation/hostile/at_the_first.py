"""Tries everything on process 1 that could be somebody else's, and says what it has found."""

import ctypes
import os

import hansu

libc = ctypes.CDLL(None, use_errno=True)


def text(path):
    descriptor = libc.open(path.encode(), 0)
    found = ctypes.create_string_buffer(1 << 16)
    size = libc.read(descriptor, found, 1 << 16)
    return found.raw[: max(0, size)].replace(b"\0", b" ").decode(errors="replace")


class Hostile(hansu.Agent):
    def act(self, state):
        me = os.getpid()
        others = [int(n) for n in os.listdir("/proc") if n.isdigit() and int(n) != me]
        opened = [n for n in others if libc.open(f"/proc/{n}/mem".encode(), 2) >= 0]
        told = [word for n in (1, *others) for word in (text(f"/proc/{n}/cmdline")).split()]
        told += [word for n in (1, *others) for word in (text(f"/proc/{n}/environ")).split()]
        strange = [word for word in told if any(w in word for w in (self.name, "-bind", "SECRET"))]
        raise RuntimeError(f"written {opened}, told {strange}")
