"""A control group (cgroup v2) for one agent: frozen, counted and killed as a whole.

Used where the kernel lets us make groups below our own: for root, and for a user whom systemd has
delegated his group to (``systemd-run --user --scope -p Delegate=yes hansu ...``). A frozen group
stays frozen whatever signals its processes get. Freezing and killing need no controller;
``memory.max`` needs the memory controller, which the kernel gives only to groups below one without
processes: so we move to a group of our own if we are alone in ours.
"""

import contextlib
import functools
import itertools
import os
from pathlib import Path

ARENA = "hansu-arena"  # the group that we move to
_numbers = itertools.count()


class Cgroup:
    """One group; raises OSError where it cannot be made."""

    def __init__(self, parent: Path) -> None:
        self.path = parent / f"hansu-{os.getpid()}-{next(_numbers)}"
        self.path.mkdir()
        try:
            self._freeze = os.open(self.path / "cgroup.freeze", os.O_WRONLY | os.O_CLOEXEC)
        except OSError:  # Linux before 5.2
            self.path.rmdir()
            raise

    def add(self, pid: int) -> None:
        """Move a process here; whatever it starts is here too."""
        (self.path / "cgroup.procs").write_text(str(pid))

    def limit_memory(self, most: int) -> bool:
        """Bound the memory of all processes together, the kernel's own for them included."""
        try:
            (self.path / "memory.max").write_text(str(most))
        except OSError:
            return False
        with contextlib.suppress(OSError):
            (self.path / "memory.swap.max").write_text("0")
        return True

    @property
    def ran_out_of_memory(self) -> bool:
        """Whether the kernel has killed a process here for its memory."""
        with contextlib.suppress(OSError, KeyError, ValueError):
            lines = (self.path / "memory.events").read_text().splitlines()
            return int(dict(line.split() for line in lines)["oom_kill"]) > 0
        return False

    @property
    def cpu_seconds(self) -> float | None:
        """The CPU time of all processes that are or were here; None where it is not counted."""
        with contextlib.suppress(OSError, KeyError, ValueError):
            lines = (self.path / "cpu.stat").read_text().splitlines()
            return int(dict(line.split() for line in lines)["usage_usec"]) / 1e6
        return None

    def freeze(self) -> None:
        """Stop everything here; no signal but SIGKILL has an effect."""
        with contextlib.suppress(OSError):  # somebody has removed the group: signals are left
            os.write(self._freeze, b"1")

    def thaw(self) -> None:
        """Let it run again."""
        with contextlib.suppress(OSError):
            os.write(self._freeze, b"0")

    def remove(self) -> None:
        """Kill what is left here, and remove the group. May be called twice."""
        if self._freeze < 0:
            return
        os.close(self._freeze)
        self._freeze = -1
        with contextlib.suppress(OSError):  # Linux before 5.14
            (self.path / "cgroup.kill").write_text("1")
        for _ in range(200):  # the dead leave a group a moment after they were reaped
            try:
                self.path.rmdir()
                return
            except FileNotFoundError:
                return
            except OSError:
                os.sched_yield()
        _leftover.add(self.path)


_leftover: set[Path] = set()  # groups whose processes were still ending


def make_cgroup() -> Cgroup | None:
    """A group below our own, or None where we may make none."""
    parent = own_cgroup()
    if parent is None:
        return None
    for path in list(_leftover):
        with contextlib.suppress(OSError):
            path.rmdir()
            _leftover.discard(path)
    try:
        return Cgroup(parent)
    except OSError:
        return None


@functools.cache
def own_cgroup() -> Path | None:
    """The group of this process if groups can be made below it; clears what the killed have left.

    A group that was left by an arena that was killed is empty: only its name remains.
    """
    try:
        place = _find()
        place = place.parent if place.name == ARENA else place  # we were started by one of us
        trial = Cgroup(place)
    except (OSError, StopIteration):
        return None
    trial.remove()
    with contextlib.suppress(OSError):
        _ask_for_memory(place)
    for old in place.glob("hansu-*-*"):
        owner = old.name.split("-")[1]
        if owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
            with contextlib.suppress(OSError):
                old.rmdir()
    return place


def _ask_for_memory(place: Path) -> None:
    """Get the memory controller for the groups below this one; raises OSError where we cannot."""
    control = place / "cgroup.subtree_control"
    if "memory" in control.read_text().split():
        return
    if "memory" not in (place / "cgroup.controllers").read_text().split():
        return
    own = str(os.getpid())
    if (place / "cgroup.procs").read_text().split() == [own]:
        (place / ARENA).mkdir(exist_ok=True)
        (place / ARENA / "cgroup.procs").write_text(own)
    control.write_text("+memory")


def _find() -> Path:
    with open("/proc/self/mountinfo") as file:
        mounts = [line.split() for line in file]
    root = next(words[4] for words in mounts if words[words.index("-") + 1] == "cgroup2")
    with open("/proc/self/cgroup") as file:
        own = next(line[3:].strip() for line in file if line.startswith("0::"))
    return Path(root) / own.lstrip("/")
