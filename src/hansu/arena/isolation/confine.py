"""A process gives up its rights: user, limits, system calls; before any of the agent's code."""

import ctypes
import os
import platform
import secrets
import signal
import sys
from dataclasses import dataclass

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
CLONE_NEWUSER = 0x10000000
MS_RDONLY, MS_NOSUID_NODEV, MS_REMOUNT, MS_BIND = 1, 2 | 4, 32, 4096
CAPABILITY_VERSION_3 = 0x20080522
SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC = 1, 1
SECCOMP_CALL = {"x86_64": 317, "aarch64": 277}
ROOM_FOR_LIBRARIES = 6 << 30  # bytes mapped that cost no memory: PyTorch with CUDA maps 3.7 GiB


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def bound_scratch(folder: str, size: int, files: int) -> None:
    """Bound the number of files too: each costs the kernel memory, however empty it is."""
    options = f"size={size},nr_inodes={files}".encode()
    _linux("mount", b"tmpfs", folder.encode(), b"tmpfs", MS_REMOUNT | MS_NOSUID_NODEV, options)


def make_read_only(folder: str) -> None:
    """Make the mount of a folder read-only."""
    flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID_NODEV
    _linux("mount", None, folder.encode(), None, flags, None)


def change_user(user: int) -> None:
    """From root to a user that owns nothing."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    _linux("prctl", PR_SET_DUMPABLE, 1, 0, 0, 0)  # a change of user hides /proc/self, needed below


def enter_user_namespace() -> None:
    """Into a user namespace of its own, without capabilities there or anywhere else.

    Processes of the same user outside it cannot be read or written through ``/proc``, and the
    limit on threads counts those of this process alone.
    """
    user, group = os.geteuid(), os.getegid()
    _linux("unshare", CLONE_NEWUSER)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    nothing = (ctypes.c_uint32 * 6)()
    _linux("capset", (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0), nothing)


def die_with_parent() -> None:
    """Be killed when the thread that started this process ends; a change of user undoes it."""
    if sys.platform == "linux":
        _linux("prctl", PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def choose_cpus(most: int) -> None:
    """Keep to so many cores, so that a library that counts them makes no more threads."""
    if hasattr(os, "sched_setaffinity"):
        cpus = sorted(os.sched_getaffinity(0))
        first = secrets.randbelow(len(cpus))  # agents that run at once spread out
        os.sched_setaffinity(0, (cpus + cpus)[first : first + min(most, len(cpus))])


@dataclass(frozen=True)
class Caps:
    """The limits that the kernel keeps for us."""

    memory_bytes: int
    file_bytes: int
    open_files: int
    tasks: int | None  # threads and processes; None: those of other users would count too


def limit(caps: Caps) -> None:
    """Set the resource limits for good."""
    import resource  # here: Windows has none

    limits = {
        "RLIMIT_DATA": caps.memory_bytes,
        "RLIMIT_AS": caps.memory_bytes + ROOM_FOR_LIBRARIES,
        "RLIMIT_FSIZE": caps.file_bytes,
        "RLIMIT_NOFILE": caps.open_files,
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_NPROC": caps.tasks,
    }
    for name, most in limits.items():
        kind = getattr(resource, name, None)
        if kind is not None and most is not None:
            hard = resource.getrlimit(kind)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (most, most))


def filter_calls(program: bytes) -> None:
    """Install a system-call filter in every thread of this process."""
    _linux("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    described = _Program(len(program) // 8, program)
    call = SECCOMP_CALL[platform.machine()]
    _linux(
        "syscall", call, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, ctypes.byref(described)
    )


def counts_threads_alone() -> bool:
    """Whether RLIMIT_NPROC counts within a user namespace (Linux 5.14) and not over the machine."""
    if sys.platform != "linux":
        return False
    major, minor = os.uname().release.split(".")[:2]
    return (int(major), int("".join(filter(str.isdigit, minor)))) >= (5, 14)


def _linux(name: str, *arguments: object) -> None:
    """Call a function of the C library; raises OSError with the kernel's reason."""
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
