"""Holds much more memory than is allowed, where it is hard to see, and then plays on."""

import ctypes
import gc
import mmap
import os
import platform
import sys
import threading
import time

import hansu
from hansu.arena.isolation.agent_host import AgentHost

libc = ctypes.CDLL(None, use_errno=True)
SIZE = 1 << 30
STEP = 1 << 24
EXIT = {"x86_64": 60, "aarch64": 93}[platform.machine()]
held = []


def fill(make, after=lambda page: None):
    for _ in range(SIZE // STEP):
        page = make()
        for place in range(0, STEP, 4096):
            page[place] = 1
        after(page)
        held.append(page)


def shared():
    return mmap.mmap(-1, STEP)


def private():
    return mmap.mmap(-1, STEP, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


def address(page):
    return ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(page)))


def lock_away(page):
    held.append(place := address(page))
    libc.mprotect(place, ctypes.c_size_t(STEP), 0)


def zero_device():
    descriptor = libc.open(b"/dev/zero", os.O_RDWR)
    try:
        return mmap.mmap(descriptor, STEP)
    finally:
        os.close(descriptor)


def printing():
    """Keeps the arena reading, so that it finds no time to look."""
    end = time.monotonic() + 1.5
    fill(shared)
    while time.monotonic() < end:
        sys.stdout.write("x")
        sys.stdout.flush()
        time.sleep(0.005)
    held.clear()


WAYS = {
    "shared": lambda: fill(shared),
    "dropped": lambda: fill(shared, lambda page: page.madvise(mmap.MADV_DONTNEED)),
    "locked_away": lambda: fill(shared, lock_away),
    "private_locked_away": lambda: fill(private, lock_away),
    "zero_device": lambda: fill(zero_device, lambda page: page.madvise(mmap.MADV_DONTNEED)),
    "printing": printing,
}


class Hoard(hansu.Agent):
    def __init__(self, name, color, way):
        super().__init__(name, color)
        self.way = way

    def act(self, state):
        move = next(iter(state.legal_moves))
        if self.way != "without_leader":
            WAYS[self.way]()
            return move
        host = next(o for o in gc.get_objects() if isinstance(o, AgentHost))

        def go_on():
            time.sleep(0.05)
            fill(shared)
            host.send({"move": state.move_id(move), "found": None})
            os.read(0, 1)
            time.sleep(1000)

        threading.Thread(target=go_on, daemon=True).start()
        libc.syscall(EXIT, 0)
