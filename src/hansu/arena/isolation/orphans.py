"""What bubblewrap may leave behind: its inner process, if the outer one is killed as it starts.

Until the inner process has asked the kernel to be killed with its parent, it waits for a word of
the outer one, and would wait for ever. It has not run a line of the agent, and it holds nothing;
the next arena ends it.
"""

import contextlib
import functools
import os
import signal
from pathlib import Path

from hansu.arena.isolation.use import read_status

MARK = b"hansu.arena.isolation.child"  # in the command line of every sandbox of ours
BUBBLEWRAP = b"bwrap"


@functools.cache
def sweep_orphans() -> None:
    """End the orphans of arenas that were killed; once in each process."""
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, KeyError):
            if not _is_orphan(int(entry.name)):
                continue
            handle = os.pidfd_open(int(entry.name))
            try:
                if _is_orphan(int(entry.name)):  # the same one still has this number
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
            finally:
                os.close(handle)


def _is_orphan(pid: int) -> bool:
    """Whether it is the first process of a sandbox of ours, without the one that made it."""
    status = read_status(pid)
    if status[b"Name"].strip() != BUBBLEWRAP or status[b"NSpid"].split()[1:] != [b"1"]:
        return False
    if int(status[b"Uid"].split()[0]) != os.getuid():
        return False
    if MARK not in Path(f"/proc/{pid}/cmdline").read_bytes():
        return False
    return read_status(int(status[b"PPid"]))[b"Name"].strip() != BUBBLEWRAP
