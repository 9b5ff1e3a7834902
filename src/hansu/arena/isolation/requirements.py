"""What this machine offers for isolation; ``hansu doctor`` prints it."""

import functools
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass

from hansu.arena.isolation.cgroup import make_cgroup, own_cgroup
from hansu.arena.isolation.confine import SECCOMP_CALL, counts_threads_alone
from hansu.arena.isolation.sandbox import NAMESPACES, ROOT, USER, is_root
from hansu.arena.isolation.syscalls import load_seccomp
from hansu.arena.isolation.use import cpu_seconds


@dataclass(frozen=True)
class Requirement:
    """One thing that isolation needs or could use."""

    name: str
    ok: bool
    detail: str
    remedy: str  # what to do where it is missing
    required: bool = True


@functools.cache
def requirements() -> tuple[Requirement, ...]:
    """Look at the machine, once."""
    linux = sys.platform == "linux"
    needs_linux = "isolation needs Linux"
    return (
        Requirement("linux", linux, platform.platform(), needs_linux),
        _bubblewrap(),
        _namespaces(),
        _seccomp(),
        Requirement("stopping and killing", hasattr(os, "pidfd_open"), "pidfd", "needs Linux 5.3"),
        Requirement(
            "resource limits",
            linux,
            "memory, file size, files, open files" if linux else "none",
            needs_linux,
        ),
        _user(),
        Requirement(
            "CPU time of a stopped agent",
            cpu_seconds(os.getpid()) is not None,
            "compared at each turn",
            needs_linux,
        ),
        Requirement(
            "thread limit in the kernel",
            counts_threads_alone(),
            f"Linux {platform.release()}",
            "needs Linux 5.14; before, threads are only counted from outside",
            required=False,
        ),
        _control_groups(),
        Requirement(
            "Landlock",
            os.path.isdir("/sys/kernel/security/landlock"),
            "not used: the mount namespace hides the disk",
            "nothing to do",
            required=False,
        ),
    )


def missing() -> list[Requirement]:
    """What isolation needs and this machine does not have."""
    return [fact for fact in requirements() if fact.required and not fact.ok]


def _bubblewrap() -> Requirement:
    found = shutil.which("bwrap")
    return Requirement(
        "bubblewrap", found is not None, found or "not found", "apt install bubblewrap"
    )


def _namespaces() -> Requirement:
    """Whether bubblewrap may make the namespaces, with the capabilities that are needed inside."""
    remedy = "allow user namespaces: sysctl kernel.unprivileged_userns_clone=1"
    rights = ROOT if is_root() else USER
    command = ["bwrap", *NAMESPACES, *rights, "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Requirement("namespaces", False, f"bubblewrap does not run: {error}", remedy)
    said = done.stderr.strip() or f"exit status {done.returncode}"
    works = done.returncode == 0
    return Requirement(
        "namespaces", works, "user, pid, net, ipc, uts, mount" if works else said, remedy
    )


def _user() -> Requirement:
    """Whose rights an agent would have here."""
    if not hasattr(os, "geteuid"):
        return Requirement("unprivileged user", False, "yours", "isolation needs Linux")
    remedy = "run hansu as an ordinary user, or install bubblewrap"
    if not is_root():
        detail = "yours, in a user namespace of its own"
        return Requirement("unprivileged user", True, detail, remedy)
    works = _bubblewrap().ok and _namespaces().ok
    detail = "an unused uid for each agent" if works else "agents would be root: they are refused"
    return Requirement("unprivileged user", works, detail, remedy)


def _control_groups() -> Requirement:
    """Whether agents can be frozen; without, they are stopped by a signal."""
    place = own_cgroup()
    detail = "none: agents are stopped by signals, their memory is counted from outside"
    if place is not None:
        group = make_cgroup()
        bounded = group is not None and group.limit_memory(1 << 30)
        if group is not None:
            group.remove()
        counted = "freeze, kill, CPU time of all processes"
        detail = f"{counted}, memory.max" if bounded else f"{counted}; memory {_why_no_memory()}"
    remedy = "systemd-run --user --scope -p Delegate=yes hansu ..."
    return Requirement("control groups", place is not None, detail, remedy, required=False)


def _why_no_memory() -> str:
    """Why agents' memory is counted from outside and not by their control group."""
    try:
        with open("/proc/self/cgroup") as file:
            is_old = any("memory" in line.split(":")[1].split(",") for line in file)
    except (OSError, IndexError):
        is_old = False
    if is_old:
        return "from outside (cgroup v1 has it: boot with systemd.unified_cgroup_hierarchy=1)"
    return "from outside (start hansu alone in its group: systemd-run --scope -p Delegate=yes)"


def _seccomp() -> Requirement:
    remedy = "pip install pyseccomp; apt install libseccomp2"
    if platform.machine() not in SECCOMP_CALL:
        return Requirement(
            "system-call filter", False, f"not known for {platform.machine()}", "none"
        )
    if load_seccomp() is None:
        return Requirement(
            "system-call filter", False, "pyseccomp or libseccomp is missing", remedy
        )
    return Requirement("system-call filter", True, "seccomp", remedy)
