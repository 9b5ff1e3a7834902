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
class Fact:
    """One thing that isolation needs or could use."""

    name: str
    ok: bool
    detail: str
    remedy: str  # what to do where it is missing
    required: bool = True


@functools.cache
def probe() -> tuple[Fact, ...]:
    """Look at the machine, once."""
    linux = sys.platform == "linux"
    facts = [
        Fact("linux", linux, platform.platform(), "isolation needs Linux"),
        _bubblewrap(),
        _namespaces(),
        _seccomp(),
        Fact("stopping and killing", hasattr(os, "pidfd_open"), "pidfd", "needs Linux 5.3"),
        Fact(
            "resource limits",
            linux,
            "memory, file size, open files" if linux else "none",
            "isolation needs Linux",
        ),
        Fact(
            "thread limit in the kernel",
            counts_threads_alone(),
            f"Linux {platform.release()}",
            "needs Linux 5.14; before, threads are only counted from outside",
            required=False,
        ),
        Fact(
            "unprivileged user",
            linux,
            "root changes to an unused uid" if linux and os.geteuid() == 0 else "already one",
            "isolation needs Linux",
        ),
        Fact(
            "Landlock",
            os.path.isdir("/sys/kernel/security/landlock"),
            "not used: the mount namespace hides the disk",
            "nothing to do",
            required=False,
        ),
    ]
    return tuple(facts)


def missing() -> list[Fact]:
    """What isolation needs and this machine does not have."""
    return [fact for fact in probe() if fact.required and not fact.ok]


def _bubblewrap() -> Fact:
    found = shutil.which("bwrap")
    return Fact("bubblewrap", found is not None, found or "not found", "apt install bubblewrap")


def _namespaces() -> Fact:
    """Whether bubblewrap may make the namespaces; and root, a user namespace for somebody else."""
    remedy = "allow user namespaces: sysctl kernel.unprivileged_userns_clone=1"
    command = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Fact("namespaces", False, f"bubblewrap does not run: {error}", remedy)
    said = done.stderr.strip() or f"exit status {done.returncode}"
    works = done.returncode == 0
    return Fact("namespaces", works, "user, pid, net, ipc, uts, mount" if works else said, remedy)


def _seccomp() -> Fact:
    remedy = "pip install pyseccomp; apt install libseccomp2"
    if platform.machine() not in SECCOMP_CALL:
        return Fact("system-call filter", False, f"not known for {platform.machine()}", "none")
    if load_seccomp() is None:
        return Fact("system-call filter", False, "pyseccomp or libseccomp is missing", remedy)
    return Fact("system-call filter", True, "seccomp", remedy)
