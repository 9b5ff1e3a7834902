"""Notices what an agent's Python code attempts, so that the game is lost with the line as evidence.

The kernel has the last word (namespaces, system-call filter): there these attempts fail anyway.
This hook is what turns an attempt into a clear reason; code that goes around Python meets the
kernel alone. Starting a process only fails: who does not expect that loses by it.
"""

import errno
import os
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

HARMLESS = (  # what libraries look at to know the machine; next to nothing of it is there
    "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/proc/self/", "/proc/cpuinfo",
    "/proc/meminfo", "/proc/stat", "/proc/sys/", "/sys/", "/usr/share/", "/usr/lib/locale/",
    "/etc/os-release", "/etc/localtime", "/etc/mime.types", "/etc/ld.so.cache",
)  # fmt: skip

PROCESSES = {  # refused rather than reported: libraries try to run ldconfig, gcc or lscpu
    "subprocess.Popen", "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn",
    "os.system", "os.startfile", "pty.spawn",
}  # fmt: skip

ONE, OTHER, BOTH = slice(0, 1), slice(1, 2), slice(0, 2)
CHANGES = {  # which arguments are the paths that change
    "os.remove": ONE, "os.rmdir": ONE, "os.mkdir": ONE, "os.truncate": ONE, "os.chmod": ONE,
    "os.chown": ONE, "os.utime": ONE, "os.setxattr": ONE, "os.removexattr": ONE,
    "os.rename": BOTH, "os.link": BOTH, "os.symlink": OTHER,
}  # fmt: skip


class ProcessRefused(PermissionError):
    """An agent, or a library of its, tried to start another process."""


def watch(
    readable: Sequence[str], writable: Sequence[str], code: str, report: Callable[[str], None]
) -> None:
    """Report every forbidden attempt from now on; ``report`` does not return."""
    pycache = os.path.join(code, "__pycache__")  # where imports look first, seen or not
    may_read = tuple(_folder(path) for path in (*readable, *writable, pycache)) + HARMLESS
    may_write = (*(_folder(path) for path in writable), "/dev/null")
    own_pid = os.getpid()

    def inside(path: Any, allowed: tuple[str, ...]) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return True  # a descriptor: it was opened under these rules
        full = os.path.abspath(os.fsdecode(path))
        return full.startswith(allowed) or full + os.sep in allowed

    def forbidden(event: str, arguments: tuple[Any, ...]) -> str | None:
        if event == "open":
            path, mode, flags = arguments
            writing = flags & WRITING or (isinstance(mode, str) and set(mode) & set("wax+"))
            if not inside(path, may_write if writing else may_read):
                return f"tried to {'write' if writing else 'read'} {path!r}"
        elif event == "sqlite3.connect":
            if arguments[0] != ":memory:" and not inside(arguments[0], may_write):
                return f"tried to open the database {arguments[0]!r}"
        elif event in CHANGES:
            for path in arguments[CHANGES[event]]:
                if not inside(path, may_write):
                    return f"tried to change {path!r} ({event})"
        elif event.startswith("socket.") and event != "socket.gethostname":
            return f"tried to use the network ({event} {arguments[1:]!r})"
        elif event == "os.killpg" or (event == "os.kill" and arguments[0] != own_pid):
            return f"tried to signal other processes ({event}{arguments!r})"
        return None

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in PROCESSES:
            raise ProcessRefused(errno.EPERM, f"tried to start another process ({event})")
        what = forbidden(event, arguments)
        if what is not None:
            report(what + _line(code))

    sys.addaudithook(hook)


def _folder(path: str) -> str:
    return path.rstrip(os.sep) + os.sep


def _line(code: str) -> str:
    """Which line of the agent led here."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename.startswith(code):
            return f" at {frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return ""
