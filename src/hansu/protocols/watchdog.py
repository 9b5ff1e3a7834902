"""Runs an engine and sees to it that it ends: ``python watchdog.py PARENT COMMAND ...``.

It stands between us and the engine, which talks to our pipes directly. When we ask (SIGTERM), or
when we are gone, however suddenly, it kills the engine with everything that the engine started.
On Linux that includes daemons: processes whose parents have ended become children of the watchdog.
It runs as a bare script: nothing of the package is imported.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time

NOTICE = 0.5  # seconds between two looks whether the parent is still there
ENDING = 5.0  # seconds that the last of the engine's processes may take to end
PR_SET_CHILD_SUBREAPER = 36


def run(parent: int, command: list[str]) -> int:
    """Run the engine to its end; its exit status."""
    engine: subprocess.Popen[bytes] | None = None
    ending = threading.Event()

    def end(*_: object) -> None:
        ending.set()
        if engine is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(engine.pid, signal.SIGKILL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(NOTICE)
        end()

    signal.signal(signal.SIGTERM, end)
    adopt_orphans()
    try:
        engine = subprocess.Popen(command, process_group=0)
    except OSError as error:
        sys.stderr.write(f"cannot run {command[0]}: {error.strerror}\n")
        return 127
    if ending.is_set():
        end()
    threading.Thread(target=watch, daemon=True).start()
    status = engine.wait()
    end()  # what it has started may live on
    end_children()
    return status if status >= 0 else 128 - status


def adopt_orphans() -> None:
    """Become the parent of every process below whose own parent ends; on Linux alone."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_children() -> None:
    """Kill our children, and theirs as they become ours, until there are none."""
    deadline = time.monotonic() + ENDING
    while time.monotonic() < deadline:
        for pid in children():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:  # none is left
            return
        time.sleep(0.01)


def children() -> list[int]:
    """The processes whose parent we are; none where there is no /proc."""
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else []:
        with contextlib.suppress(OSError, ValueError):
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
            if parent == os.getpid():
                found.append(int(name))
    return found


if __name__ == "__main__":
    sys.exit(run(int(sys.argv[1]), sys.argv[2:]))
