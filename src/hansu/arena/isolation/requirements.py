"""What this machine offers for isolation; ``hansu doctor`` prints it."""

import functools
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass

from hansu.arena.isolation.confine import SECCOMP_CALL, counts_threads_alone
from hansu.arena.isolation.syscalls import load_seccomp


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
    facts = [
        Requirement("linux", linux, platform.platform(), "isolation needs Linux"),
        _bubblewrap(),
        _namespaces(),
        _seccomp(),
        Requirement("stopping and killing", hasattr(os, "pidfd_open"), "pidfd", "needs Linux 5.3"),
        Requirement(
            "resource limits",
            linux,
            "memory, file size, open files" if linux else "none",
            "isolation needs Linux",
        ),
        Requirement(
            "thread limit in the kernel",
            counts_threads_alone(),
            f"Linux {platform.release()}",
            "needs Linux 5.14; before, threads are only counted from outside",
            required=False,
        ),
        _user(linux),
        Requirement(
            "Landlock",
            os.path.isdir("/sys/kernel/security/landlock"),
            "not used: the mount namespace hides the disk",
            "nothing to do",
            required=False,
        ),
    ]
    return tuple(facts)


def missing() -> list[Requirement]:
    """What isolation needs and this machine does not have."""
    return [fact for fact in requirements() if fact.required and not fact.ok]


def _user(linux: bool) -> Requirement:
    """Whether an agent is an unprivileged user: root can only change to one inside a sandbox."""
    name, remedy = "unprivileged user", "run hansu as an ordinary user, or install bubblewrap"
    if not linux:
        return Requirement(name, False, "not known", "isolation needs Linux")
    if os.geteuid() != 0:
        return Requirement(name, True, "already one", remedy)
    works = _bubblewrap().ok and _namespaces().ok
    what = "root changes to an unused uid" if works else "agents would be root: none is run"
    return Requirement(name, works, what, remedy)


def _bubblewrap() -> Requirement:
    found = shutil.which("bwrap")
    return Requirement(
        "bubblewrap", found is not None, found or "not found", "apt install bubblewrap"
    )


@functools.cache
def _namespaces() -> Requirement:
    """Whether bubblewrap may make the namespaces; and root, a user namespace for somebody else."""
    remedy = "allow user namespaces: sysctl kernel.unprivileged_userns_clone=1"
    command = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Requirement("namespaces", False, f"bubblewrap does not run: {error}", remedy)
    said = done.stderr.strip() or f"exit status {done.returncode}"
    works = done.returncode == 0
    return Requirement(
        "namespaces", works, "user, pid, net, ipc, uts, mount" if works else said, remedy
    )


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
