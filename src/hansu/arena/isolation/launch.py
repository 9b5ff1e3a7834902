"""Start an isolated process and have it give up its rights, before it has seen the agent."""

import base64
import os
import warnings
from dataclasses import asdict

from hansu.arena.isolation import sandbox
from hansu.arena.isolation.confine import Caps, counts_threads_alone
from hansu.arena.isolation.framing import Inbox, Message, pack
from hansu.arena.isolation.limits import SandboxLimits
from hansu.arena.isolation.orphans import sweep_orphans
from hansu.arena.isolation.process import BOOT, SandboxProcess
from hansu.arena.isolation.requirements import missing
from hansu.arena.isolation.syscalls import filter_program, load_seccomp
from hansu.arena.isolation.view import AGENT, View
from hansu.arena.player import Fault
from hansu.errors import HansuError
from hansu.kernel.cache_folders import safe_cache_folders, user_cache_folder


class NotIsolatedWarning(UserWarning):
    """An agent runs as an ordinary process: what it does to this machine is up to it."""


class IsolationError(HansuError):
    """This machine cannot run an agent as it is asked to."""


class Messages:
    """Our own framing of what goes through the pipes: one message for each question."""

    def __init__(self, process: SandboxProcess) -> None:
        self._process = process
        self._inbox = Inbox()

    def ask(self, message: Message, seconds: float | None) -> Message:
        """Let the process run until it has answered; raises Fault, and past the time kills."""
        with self._process.running(seconds):
            self._process.send(pack(message))
            while (reply := self._inbox.add(self._process.receive())) is None:
                pass
        return reply


def launch(view: View, limits: SandboxLimits, isolated: bool, start: Message) -> SandboxProcess:
    """Return a stopped process that is confined and knows what ``start`` says, and no more."""
    if isolated:
        sweep_orphans()
    process = SandboxProcess(view, limits, isolated)
    try:
        Messages(process).ask({**_confinement(process, limits, "command" in start), **start}, BOOT)
    except Fault as fault:  # none of the agent's code has run yet
        raise HansuError(f"isolation does not work here: {fault.evidence}") from None
    except BaseException:
        process.kill()
        raise
    return process


def _confinement(process: SandboxProcess, limits: SandboxLimits, may_exec: bool) -> Message:
    """What a process is told about the rights that it gives up."""
    program = filter_program(process.pid_inside, may_exec) if load_seccomp() else b""
    # One more than is allowed, so that it shows: whoever is refused a thread may just hang.
    tasks = limits.threads + 1 if counts_threads_alone() else None
    caps = Caps(
        memory_bytes=limits.memory_bytes,
        file_bytes=limits.scratch_bytes,
        open_files=limits.open_files,
        tasks=tasks,
    )
    return {
        "id": 0,
        "op": "start",
        "isolated": process.isolated,
        "caches": _caches(),
        "user": process.user,
        "archive": process.archive,
        "agents_folder": str(AGENT),
        "scratch": {
            "folder": process.scratch,
            "bytes": limits.scratch_bytes,
            "files": limits.scratch_files,
        },
        "caps": asdict(caps),
        "cpus": sandbox.cpus_told(limits.threads),
        "threads": limits.threads,
        "program": base64.b64encode(program).decode(),
    }


def check_launch(agent: str, isolated: bool) -> None:
    """Raise HansuError where this machine cannot run an agent as asked; warn of a plain process."""
    if isolated:
        _check_isolation(agent)
    else:
        _check_plain(agent)


def _caches() -> list[str]:
    """The folders of compiled code that an agent may rely on, where they are found inside."""
    safe = safe_cache_folders()
    own = [f"{sandbox.SCRATCH}/.cache/hansu/kernels"] if user_cache_folder() in safe else []
    return [*map(str, safe), *own]


def _check_isolation(agent: str) -> None:
    if lacking := missing():
        first = lacking[0]  # the others often follow from it
        raise IsolationError(
            f"{agent} cannot be isolated on this machine ({first.name}: {first.detail}, "
            f"{first.remedy}; hansu doctor says more); if you know its code, --trust runs it in "
            "this process, and --no-isolation as a plain process (not as root)"
        )


def _check_plain(agent: str) -> None:
    """An agent must not be root; nothing else holds it back, and a warning says so."""
    if os.name != "posix":
        raise IsolationError(
            f"{agent} cannot run as a process of its own on this system; if you know its code, "
            "--trust runs it in this process"
        )
    if sandbox.is_root():
        raise IsolationError(
            f"{agent} without isolation would be root: run hansu as an ordinary user, or, if you "
            "know its code, with --trust"
        )
    warnings.warn(
        f"{agent} is NOT isolated: it runs with your rights", NotIsolatedWarning, stacklevel=4
    )
