"""One isolated process: started, asked, stopped, watched and killed."""

import contextlib
import json
import os
import secrets
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import NoReturn

from hansu.arena.isolation import sandbox
from hansu.arena.isolation.framing import FramingError, Inbox, Message, pack, printable
from hansu.arena.isolation.limits import MIB, SandboxLimits
from hansu.arena.player import Fault
from hansu.errors import HansuError

LOOK = 0.2  # seconds between looks at the memory of an agent that thinks
SETTLE = 0.05  # seconds for threads that have ended to be cleared away
BOOT = 60.0  # seconds for the platform itself to load inside; the agent has its own allowance
UNPRIVILEGED = 1_000_000_000  # user ids from here on belong to nobody


class AgentProcess:
    """A child process with two pipes for messages and one for what the agent prints.

    It only ever runs inside ``ask``: before and after, the whole process is stopped. Start and
    close it in the same thread: the kernel kills it when the thread that started it ends.
    """

    def __init__(self, view: sandbox.View, limits: SandboxLimits, isolated: bool) -> None:
        self.limits = limits
        self.isolated = isolated
        self.pid = 0  # of the agent's process, once it runs
        self.user: int | None = None  # the uid to change to inside, if we are root
        self.printed = 0  # bytes this game
        self.output_tail = b""
        self._inbox = Inbox()
        self._copy: str | None = None
        self._open: list[int] = []
        self._closing = threading.Lock()  # nobody signals through a descriptor being closed
        try:
            self._launch(view)
        except BaseException:
            self.kill()
            raise

    # Starting ----------------------------------------------------------------------------------

    def _launch(self, view: sandbox.View) -> None:
        child_in, self._to_child = self._pipe()
        self._from_child, child_out = self._pipe()
        self._output, child_output = self._pipe()
        info, child_info = self._pipe()
        command = sandbox.python_command(view, child_in, child_out)
        scratch = sandbox.SCRATCH
        if self.isolated:
            code = self._readable_code(view)
            command = sandbox.bwrap_command(view, code, self.limits, child_info) + command
        else:
            scratch = self._copy = tempfile.mkdtemp(prefix="hansu-")
        self.scratch = scratch
        passed = (child_in, child_out, child_info)
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=child_output,
            stderr=child_output,
            pass_fds=passed,
            env=sandbox.environment(scratch),
            cwd=None if self.isolated else scratch,
            start_new_session=True,
        )
        for descriptor in (*passed, child_output):
            self._close(descriptor)
        for descriptor in (self._to_child, self._from_child, self._output):
            os.set_blocking(descriptor, False)
        self._first = self._first_pid(info) if self.isolated else self._popen.pid
        self._close(info)
        self._all = self._handle(self._first)
        try:
            self._receive(time.monotonic() + BOOT)  # it is running
        except Fault as fault:
            raise HansuError(f"no process can be started here: {fault.evidence}") from None
        self.pid = _child_of(self._first) if self.isolated else self._first
        self._agent = self._handle(self.pid)

    def _handle(self, pid: int) -> int | None:
        """A descriptor that means this process for good, even when the number is used again."""
        if not self.isolated:
            return None
        self._open.append(os.pidfd_open(pid))
        return self._open[-1]

    def _pipe(self) -> tuple[int, int]:
        ends = os.pipe()
        self._open += ends
        return ends

    def _close(self, descriptor: int) -> None:
        os.close(descriptor)
        self._open.remove(descriptor)

    def _readable_code(self, view: sandbox.View) -> Path:
        """The agent's folder, or a copy where root would change to a user who cannot read it."""
        if not sandbox.is_root():
            return view.visible
        self.user = UNPRIVILEGED + secrets.randbelow(UNPRIVILEGED)
        if sandbox.open_to_all(view.visible):
            return view.visible
        self._copy = tempfile.mkdtemp(prefix="hansu-")
        copy = Path(self._copy) / view.visible.name
        if view.visible.is_file():
            shutil.copyfile(view.visible, copy)
        else:
            # Links stay links: root must not fetch for an agent what it may not see.
            hidden = shutil.ignore_patterns(".*", "__pycache__")
            shutil.copytree(view.visible, copy, symlinks=True, ignore=hidden)
        for path in (copy, *copy.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() else 0o644)
        return copy

    def _first_pid(self, info: int) -> int:
        """The first process of the new pid namespace, by the number that it has out here."""
        text = b""
        while data := os.read(info, 4096):
            text += data
            with contextlib.suppress(ValueError):
                return int(json.loads(text)["child-pid"])
        self._popen.wait()
        raise HansuError(f"bubblewrap cannot start a process here{self._last_words()}")

    @property
    def pid_inside(self) -> int:
        """The number that the agent's process has for itself."""
        if not self.isolated:
            return self.pid
        return int(_status(self.pid)[b"NSpid"].split()[-1])

    # Asking ------------------------------------------------------------------------------------

    def ask(self, message: Message, seconds: float | None) -> Message:
        """Let the process run until it has answered; raises Fault, and past the time kills."""
        deadline = None if seconds is None else time.monotonic() + seconds
        self._signal(signal.SIGCONT, self._agent)
        try:
            self._send(pack(message), deadline)
            reply = self._receive(deadline)
            self._signal(signal.SIGSTOP, self._agent)
            self._check_use()
        except Fault:
            self.kill()
            raise
        except FramingError as error:
            self.kill()
            raise Fault("disqualified", str(error)) from None
        return reply

    def _send(self, data: bytes, deadline: float | None) -> None:
        while data:
            try:
                data = data[os.write(self._to_child, data) :]
            except BlockingIOError:
                self._wait(deadline, writing=True)
            except BrokenPipeError:
                self._died()

    def _receive(self, deadline: float | None) -> Message:
        while True:
            self._wait(deadline)
            try:
                data = os.read(self._from_child, 1 << 16)
            except BlockingIOError:
                continue
            if not data:
                self._died()
            message = self._inbox.add(data)
            if message is not None:
                self._drain()
                return message

    def _wait(self, deadline: float | None, writing: bool = False) -> None:
        """Until the message pipe is ready; reads what the agent prints meanwhile."""
        wanted = self._to_child if writing else self._from_child
        poll = select.poll()
        poll.register(wanted, select.POLLOUT if writing else select.POLLIN)
        poll.register(self._output, select.POLLIN)
        while True:
            left = LOOK if deadline is None else deadline - time.monotonic()
            if left <= 0:
                raise Fault("timeout", "its time ran out; it was killed")
            ready = [descriptor for descriptor, _ in poll.poll(1000 * min(left, LOOK))]
            if self._output in ready and not self._drain():
                poll.unregister(self._output)  # the agent has closed its output: nothing wrong
            if wanted in ready:
                return
            if not ready:
                self._check_use()

    def _drain(self) -> bool:
        """Read and count what the agent has printed; False when no more can come."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._output, 1 << 16):
                self.printed += len(data)
                self.output_tail = (self.output_tail + data)[-2000:]
                if self.printed > self.limits.output_bytes:
                    most = self.limits.output_bytes / MIB
                    raise Fault("disqualified", f"printed more than {most:g} MiB in one game")
            return False
        return True

    def _check_use(self) -> None:
        """Threads and memory, looked at from outside, for what the kernel's limits do not count."""
        try:
            use = _status(self.pid)
            if _threads(use) > self.limits.threads:
                time.sleep(SETTLE)  # threads that have ended count until the kernel clears them
                use = _status(self.pid)
        except OSError:  # gone, or a system without /proc
            return
        threads = _threads(use)
        if threads > self.limits.threads:
            raise Fault("disqualified", f"ran {threads} threads; {self.limits.threads} are allowed")
        memory = sum(int(use.get(key, b"0 kB").split()[0]) for key in (b"RssAnon", b"RssShmem"))
        if memory * 1024 > self.limits.memory_bytes:
            raise Fault("disqualified", f"used {memory / 1024:.0f} MiB of memory")

    # Ending ------------------------------------------------------------------------------------

    def _died(self) -> NoReturn:
        """The process ended by itself: say how."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(2.0)
        status = self._popen.returncode
        with contextlib.suppress(Fault):
            self._drain()
        if status is None:
            raise Fault("disqualified", "closed its connection to the arena")
        number = -status if status < 0 else status - 128 if status > 128 else 0
        if number == signal.SIGSYS:
            raise Fault("disqualified", "killed by the system-call filter (SIGSYS)")
        if number in signal.valid_signals():
            how = f"killed by {signal.Signals(number).name}"
        else:
            how = f"exit status {status}"
        raise Fault("crash", f"its process ended: {how}{self._last_words()}")

    def _last_words(self) -> str:
        with contextlib.suppress(OSError, Fault):
            self._drain()
        lines = self.output_tail.decode(errors="replace").strip().splitlines()
        return f": {printable(lines[-1])}" if lines else ""

    @property
    def alive(self) -> bool:
        """Whether it can still be asked."""
        return bool(self._open)

    def interrupt(self) -> None:
        """Called from another thread: end the processes; ``ask`` there notices and cleans up."""
        with self._closing:
            if self._open:
                self._signal(signal.SIGKILL, getattr(self, "_all", None))

    def kill(self) -> None:
        """End everything at once and leave nothing behind. May be called twice."""
        popen = getattr(self, "_popen", None)
        if popen is not None:
            # The first process of a pid namespace takes all others with it.
            handle = getattr(self, "_all", None)
            self._signal(signal.SIGKILL, handle)
            with contextlib.suppress(subprocess.TimeoutExpired):
                popen.wait(1.0)
            popen.kill()
            popen.wait()
            if handle is not None:
                gone = select.poll()
                gone.register(handle, select.POLLIN)
                gone.poll(2000)
                with contextlib.suppress(ChildProcessError):  # ours only if we adopt orphans
                    os.waitpid(self._first, os.WNOHANG)
        with self._closing:
            for descriptor in self._open:
                os.close(descriptor)
            self._open.clear()
        if self._copy is not None:
            shutil.rmtree(self._copy, ignore_errors=True)
            self._copy = None

    def _signal(self, number: signal.Signals, handle: int | None) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if handle is not None:
                signal.pidfd_send_signal(handle, number)
            elif not self.isolated:
                os.killpg(self._popen.pid, number)


def _status(pid: int) -> dict[bytes, bytes]:
    with open(f"/proc/{pid}/status", "rb") as file:
        lines = file.read().split(b"\n")
    return {key: value for key, _, value in (line.partition(b":") for line in lines)}


def _threads(status: dict[bytes, bytes]) -> int:
    return int(status.get(b"Threads", b"0"))


def _child_of(parent: int) -> int:
    """The only child of a process."""
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if name.isdigit() and int(_status(int(name))[b"PPid"]) == parent:
                return int(name)
    raise HansuError("the agent's process ended before it began")
