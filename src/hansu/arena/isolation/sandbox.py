"""The command and the environment of an isolated process: bubblewrap and the interpreter."""

import os
import shutil
import sys
from pathlib import Path

from platformdirs import user_cache_path

from hansu.arena.isolation.limits import SandboxLimits
from hansu.arena.isolation.view import AGENT, View, chosen_cache

SCRATCH = "/tmp"  # inside: a private folder in memory, the only place that can be written
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
CPU_FILES = tuple(f"/sys/devices/system/cpu/{name}" for name in ("online", "possible", "present"))
ONE_THREAD = (
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"),
    *("VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS", "RAYON_NUM_THREADS", "POLARS_MAX_THREADS"),
    *("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS", "TBB_NUM_THREADS"),
)
NAMESPACES = (
    *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
    "--unshare-cgroup-try",
)
# As root, the first process inside is bubblewrap's, and the agent becomes another user: it can
# neither read nor write that process, which dies with us. Anyone else's agent would have the same
# user as that process, so it is the first itself.
ROOT = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SYS_ADMIN")
USER = (
    *("--unshare-user", "--uid", "65534", "--gid", "65534"),
    *("--cap-add", "CAP_SYS_ADMIN", "--as-pid-1"),
)
BOOT = (
    "import sys; incoming, outgoing, *sys.path = sys.argv[1:];"
    "from hansu.arena.isolation.child import main; main(int(incoming), int(outgoing))"
)


def cpus_told(threads: int) -> int:
    """How many cores an agent is told of: a pool of that size and the main thread are allowed."""
    mine = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(threads - 1, mine or 1))


def environment(scratch: str, threads: int) -> dict[str, str]:
    """All that the agent's process gets: nothing of ours but how and where code is compiled."""
    kept = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")
    told = str(cpus_told(threads))
    return {
        "HOME": scratch,
        "TMPDIR": scratch,
        "PATH": "",
        "LANG": "C.UTF-8",
        "ORT_DISABLE_TELEMETRY": "1",  # it cannot report from there, and its threads count
        "NUMBA_CACHE_DIR": f"{scratch}/numba",
        "NUMBA_NUM_THREADS": told,
        "PYTHON_CPU_COUNT": told,
        # Each of these libraries has a pool of its own; together they must stay within the limit.
        **dict.fromkeys(ONE_THREAD, "1"),
        **{name: os.environ[name] for name in kept if name in os.environ},
        **dict(zip(["HANSU_CACHE_DIR"], chosen_cache(), strict=False)),
    }


def python_command(view: View, incoming: int, outgoing: int) -> list[str]:
    """The interpreter with the same packages as ours, and nothing from the environment."""
    flags = ["-I", "-S", "-B", "-X", "utf8"]
    interpreter = os.path.realpath(sys.executable)
    return [interpreter, *flags, "-c", BOOT, str(incoming), str(outgoing), *view.import_path]


def bwrap_command(options: int) -> list[str]:
    """bubblewrap that reads its options from a descriptor: commands can be read by everybody."""
    return [shutil.which("bwrap") or "bwrap", "--args", str(options)]


def bwrap_options(
    view: View, limits: SandboxLimits, info: int, cpu_files: dict[str, int]
) -> list[str]:
    """What bubblewrap is told: new namespaces, and what can be seen in them.

    The few capabilities are for the child to bound its scratch folder, put the agent's code in
    place and change its user (see ``child``), before it runs a line of the agent.
    """
    binds = {place: place for place in view.readable}
    compiled = user_cache_path("hansu") / "kernels"  # inside, the home folder is the scratch
    if compiled.is_dir():
        binds[f"{SCRATCH}/.cache/hansu/kernels"] = str(compiled)
    mounts = [
        word
        for place in sorted(binds, key=len)  # what contains others first
        for word in ("--ro-bind", binds[place], place)
    ]
    devices = [word for place in DEVICES for word in ("--dev-bind", place, place)]
    told = [
        word
        for place, source in cpu_files.items()
        for word in ("--perms", "0444", "--ro-bind-data", str(source), place)
    ]
    seen = (*binds, *DEVICES, *cpu_files)
    parents = {str(parent) for place in seen for parent in Path(place).parents}
    folders = [  # bubblewrap makes them for its own user alone
        word
        for place in sorted(parents - {"/", SCRATCH}, key=len)
        for word in ("--perms", "0755", "--dir", place)
    ]
    return [
        *NAMESPACES,
        *(ROOT if is_root() else USER),
        *("--hostname", "arena"),
        *("--die-with-parent", "--new-session", "--info-fd", str(info)),
        *("--perms", "1777", "--size", str(limits.scratch_bytes), "--tmpfs", SCRATCH),
        *("--perms", "0755", "--size", str(limits.code_bytes + limits.scratch_bytes)),
        *("--tmpfs", str(AGENT)),
        *folders,
        *mounts,
        *devices,
        *told,
        *("--proc", "/proc", "--chdir", SCRATCH, "--remount-ro", "/"),
    ]


def is_root() -> bool:
    """Whether this process runs as root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
