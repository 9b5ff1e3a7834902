"""Random system calls by number and random bytes on every descriptor, by a seed."""

import contextlib
import ctypes
import os
import random
import signal
import time

import hansu

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
CALLS = 470
ENDS = {60, 231, 93, 94}  # exit and exit_group, on x86 and arm: too easy
MEMORY = {9, 10, 11, 12, 25, 28, 215, 214, 216, 222, 226, 233}  # mmap, munmap, brk, ...: suicide


class Fuzz(hansu.Agent):
    def __init__(self, name, color, seed, way="calls", seconds="1.0"):
        super().__init__(name, color)
        self.random = random.Random(int(seed))
        self.way, self.seconds = way, float(seconds)
        self.room = ctypes.create_string_buffer(1 << 16)
        self.done = 0

    def reset(self):
        signal.signal(signal.SIGALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)  # whatever blocks is interrupted

    def act(self, state):
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            for _ in range(20):
                getattr(self, self.way)()
        return next(iter(state.legal_moves))

    def calls(self):
        number = self.random.randrange(CALLS)
        if number in ENDS or (number in MEMORY and self.random.random() < 0.99):
            return
        libc.syscall(ctypes.c_long(number), *(self.argument() for _ in range(6)))

    def harmless(self):
        """Only what does not end the game at once: what is behind the filter gets more of it."""
        from hansu.arena.isolation.syscalls import ALLOWED, SOME, load_seccomp

        sc = load_seccomp()
        name = self.random.choice([*ALLOWED, *SOME])
        number = sc.resolve_syscall(sc.Arch.NATIVE, name)
        if number < 0 or number in ENDS or (number in MEMORY and self.random.random() < 0.99):
            return
        libc.syscall(ctypes.c_long(number), *(self.argument() for _ in range(6)))

    def descriptors(self):
        data = self.random.randbytes(self.random.randrange(1, 300))
        for descriptor in range(64):
            with contextlib.suppress(OSError):
                os.write(descriptor, data)

    def argument(self):
        place = ctypes.addressof(self.room)
        pick = self.random.random()
        if pick < 0.3:
            return ctypes.c_long(self.random.randrange(-2, 24))
        if pick < 0.6:
            self.room[self.random.randrange(1 << 12)] = self.random.randrange(256)
            return ctypes.c_long(place + self.random.randrange(1 << 15))
        if pick < 0.7:
            self.room.value = self.random.choice(
                [b"/", b"/proc/1/mem", b"/proc/self/fd/3", b"..", b"/agent", b"/tmp/x", b"x"]
            )
            return ctypes.c_long(place)
        if pick < 0.85:
            return ctypes.c_long(1 << self.random.randrange(63))
        return ctypes.c_long(self.random.getrandbits(63))
