"""Run an engine and make sure that it ends: ``python watchdog.py PARENT COMMAND ...``.

It stands between us and the engine, which talks to our pipes directly. When we ask (SIGTERM), or
when we are gone, however suddenly, it kills the engine with everything that the engine started.
It runs as a bare script: nothing of the package is imported.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

NOTICE = 0.5  # seconds between two checks that the parent is still there


def run(parent: int, command: list[str]) -> int:
    """Run the engine to its end; return its exit status."""
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
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(run(int(sys.argv[1]), sys.argv[2:]))
