"""Thinks on, whoever is to move, and tries not to be stopped."""

import ctypes
import fcntl
import mmap
import os
import platform
import signal
import threading

import hansu

libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
TIMER_CREATE, TIMER_SETTIME = (222, 223) if X86 else (107, 110)
KILL, TGKILL = (62, 234) if X86 else (129, 131)
F_SETSIG, F_NOTIFY, FIOSETOWN, FIOASYNC = 10, 1026, 0x8901, 0x5452
kept = []
WIDE = 1 << 32  # the kernel drops the upper half of an int


def burn():
    while True:
        pass


def timer(clock=1, notify=0):
    event = (ctypes.c_int * 16)()
    event[2], event[3], event[4] = signal.SIGCONT, notify, libc.gettid()
    made = ctypes.c_int()
    libc.syscall(TIMER_CREATE, clock, event, ctypes.byref(made))
    every = (ctypes.c_long * 4)(0, 1_000_000, 0, 1_000_000)
    libc.syscall(TIMER_SETTIME, made, 0, every, None)


def descriptor_signals():
    """What the arena writes to us, or anybody to a pipe of ours, would wake us up."""
    ends = os.pipe()
    for descriptor in (*range(20), *ends):
        for command, argument in (
            (fcntl.F_SETOWN, os.getpid()),
            (F_SETSIG, signal.SIGCONT),
            (fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK),
        ):
            if descriptor in ends or command != fcntl.F_SETFL:
                libc.fcntl(descriptor, command, argument)
        for command in (FIOSETOWN, FIOASYNC):
            libc.ioctl(descriptor, command, ctypes.byref(ctypes.c_int(os.getpid())))


def folder_signals():
    folder = os.open(".", os.O_RDONLY)
    libc.fcntl(folder, F_SETSIG, signal.SIGCONT)
    libc.fcntl(folder, F_NOTIFY, ctypes.c_long(0x8000003F))


def interval_timers():
    for number in (signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF):
        signal.signal(number, lambda *_: None)
    for which in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(which, 0.001, 0.001)


def machine_code(number, *arguments):
    """An endless loop of one system call, without Python: always on its way to the next signal."""
    loads = (b"\x48\xbf", b"\x48\xbe", b"\x48\xba")  # movabs to rdi, rsi, rdx
    code = b"".join(
        load + v.to_bytes(8, "little") for load, v in zip(loads, arguments, strict=False)
    )
    code += b"\xb8" + number.to_bytes(4, "little") + b"\x0f\x05"  # mov eax, number; syscall
    code += b"\xe9" + (-(len(code) + 5)).to_bytes(4, "little", signed=True)
    page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
    page.write(code)
    kept.append(page)
    call = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    threading.Thread(target=call, daemon=True).start()


def in_a_loop(number, *arguments):
    if X86:
        machine_code(number, *arguments)


WAYS = {
    "none": lambda: None,
    "timer": timer,
    "timer_of_thread": lambda: timer(notify=4),
    "cpu_timer": lambda: timer(clock=2),
    "descriptor": descriptor_signals,
    "folder": folder_signals,
    "interval": interval_timers,
    "kill": lambda: in_a_loop(KILL, os.getpid(), signal.SIGCONT),
    "kill_wide": lambda: in_a_loop(KILL, os.getpid(), signal.SIGCONT + WIDE),
    "kill_wide_pid": lambda: in_a_loop(KILL, os.getpid() + WIDE, signal.SIGCONT),
    "tgkill": lambda: in_a_loop(TGKILL, os.getpid(), libc.gettid(), signal.SIGCONT),
    "tgkill_wide": lambda: in_a_loop(TGKILL, os.getpid(), libc.gettid(), signal.SIGCONT + WIDE),
}


class Awake(hansu.Agent):
    def __init__(self, name, color, way="none"):
        super().__init__(name, color)
        self.way = way

    def reset(self):
        signal.signal(signal.SIGCONT, lambda *_: None)
        if threading.active_count() == 1:  # one for all games: more threads are another offence
            threading.Thread(target=burn, daemon=True).start()
        WAYS[self.way]()

    def act(self, state):
        if self.way == "timer":
            timer()  # another one: the kernel drops a timer's signals while one of them is pending
        return next(iter(state.legal_moves))
