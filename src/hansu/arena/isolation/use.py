"""What a process uses, as the kernel tells it: threads, memory, CPU time."""

import contextlib
import functools
import mmap
import os
import sys
import time
from dataclasses import dataclass

from hansu.errors import HansuError

_PRIVATE = (b"RssAnon", b"VmSwap", b"VmPTE", b"HugetlbPages")
_NOT_SHARED = (b"VmData", b"VmStk", b"VmExe", b"VmLib")


@dataclass(frozen=True)
class Use:
    """One look at a process; all threads of it share their memory."""

    threads: int
    memory_bytes: int
    leader_ended: bool  # the first thread has ended: either all is over, or others go on


def look(pid: int, enough: int) -> Use:
    """Look at a process. Up to ``enough`` bytes, memory may be told a little too low.

    Raises OSError if there is no such process, or no ``/proc``.
    """
    status = read_status(pid)
    threads = int(status.get(b"Threads", b"0"))
    if b"VmSize" not in status:
        return Use(threads, 0, leader_ended=True)
    private = sum(_bytes(status, key) for key in _PRIVATE)
    # Shared memory stays when a process lets go of its pages, so the size of the mapping counts.
    # Finding it takes a while: only where everything that could be shared would be too much.
    at_most = _bytes(status, b"VmSize") - sum(_bytes(status, key) for key in _NOT_SHARED)
    shared = _shared_bytes(pid) if private + at_most > enough else _bytes(status, b"RssShmem")
    return Use(threads, private + shared, leader_ended=False)


def read_status(pid: int) -> dict[bytes, bytes]:
    """The fields of ``/proc/PID/status``."""
    with open(f"/proc/{pid}/status", "rb") as file:
        lines = file.read().split(b"\n")
    return {key: value for key, _, value in (line.partition(b":") for line in lines)}


def child_of(parent: int) -> int:
    """The only child of a process; raises HansuError."""
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if name.isdigit() and int(read_status(int(name))[b"PPid"]) == parent:
                return int(name)
    raise HansuError("the agent's process ended before it began")


def cpu_seconds(pid: int) -> float | None:
    """CPU time of all threads of a process, those that have ended too; None where unknown."""
    if sys.platform != "linux":
        return None
    try:
        return time.clock_gettime(~pid << 3 | 2)  # clock_getcpuclockid(3)
    except OSError:
        return None


def _bytes(status: dict[bytes, bytes], key: bytes) -> int:
    value = status.get(key)
    return 1024 * int(value.split()[0]) if value else 0


def _shared_bytes(pid: int) -> int:
    """The size of all mappings of shared memory; files have limits of their own."""
    device = _shared_memory_device()
    total = 0
    with open(f"/proc/{pid}/maps", "rb") as file:
        for line in file:
            span, flags, _, where = line.split(None, 4)[:4]
            if flags[3:4] == b"s" and where == device:
                start, _, end = span.partition(b"-")
                total += int(end, 16) - int(start, 16)
    return total


@functools.cache
def _shared_memory_device() -> bytes:
    """The device that shared memory without a file is said to lie on."""
    own = mmap.mmap(-1, mmap.PAGESIZE)  # shared, as this class makes it
    try:
        with open("/proc/self/maps", "rb") as file:
            found = [line.split(None, 5) for line in file]
    finally:
        own.close()
    return next(words[3] for words in found if words[1] == b"rw-s" and b"/dev/zero" in words[-1])
