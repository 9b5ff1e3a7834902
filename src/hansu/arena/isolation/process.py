"""One isolated process: started, let run, stopped, watched and killed; it moves bytes."""

import contextlib
import json
import os
import re
import secrets
import select
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import NoReturn

from hansu.arena.isolation import sandbox
from hansu.arena.isolation.cgroup import Cgroup, make_cgroup
from hansu.arena.isolation.framing import FramingError, printable
from hansu.arena.isolation.limits import MIB, SandboxLimits
from hansu.arena.isolation.scratch import ScratchFolder
from hansu.arena.isolation.snapshot import take_snapshot
from hansu.arena.isolation.use import child_of, cpu_seconds, look, read_status
from hansu.arena.isolation.view import View
from hansu.arena.player import Fault
from hansu.errors import HansuError
from hansu.records.evidence import EVIDENCE

LOOK = 0.2  # seconds between looks at the memory of an agent that thinks
SETTLE = 0.05  # seconds for threads that have ended to be cleared away
ENDING = 2.0  # seconds for a process to end whose first thread has ended
BOOT = 60.0  # seconds for the platform itself to load inside; the agent has its own allowance
REFUSED_A_THREAD = (b"Resource temporarily unavailable", b"can't start new thread")
UNPRIVILEGED = 1_000_000_000  # user ids from here on belong to nobody


REFUSED_A_PROCESS = re.compile(rb"(?i)can(?:'|no)t fork|fork: ")


class SandboxProcess:
    """A child process with two pipes for what is asked and answered, and one for what it prints.

    It only ever runs inside ``running``: before and after, the whole process is stopped. What goes
    through its pipes is up to the framing: messages of ours, or the lines of a program. Start and
    close it in the same thread: the kernel kills it when the thread that started it ends.
    """

    def __init__(self, view: View, limits: SandboxLimits, isolated: bool) -> None:
        self.limits = limits
        self.isolated = isolated
        self.pid = 0  # of the agent's process, once it runs
        self.user: int | None = None  # the uid to change to inside, if we are root
        self.archive: int | None = None  # the descriptor of its code, if it gets a copy
        self.scratch = sandbox.SCRATCH
        self._deadline: float | None = None  # of what it does now
        self._open: list[int] = []
        self._closing = threading.Lock()  # nobody signals through a descriptor being closed
        self._folder: ScratchFolder | None = None
        self._cgroup: Cgroup | None = None
        # Descriptors mean a process for good, even when its number is used again.
        self._first: int | None = None  # the first process of its namespace: ends with all others
        self._agent: int | None = None  # the agent's own
        self._stopped_at: float | None = None  # its CPU time when it was stopped
        self._went_on_at: float | None = None  # its CPU time when it went on
        self.turn_cpu: float | None = None  # seconds of CPU time of its last turn, where known
        self.begin_game()
        try:
            self._launch(view)
        except BaseException:
            self.kill()
            raise

    def begin_game(self) -> None:
        """What is counted for each game starts again."""
        self.printed = 0  # bytes
        self.stolen = 0.0  # seconds of CPU time while it was stopped
        self.output_tail = b""

    # Starting ----------------------------------------------------------------------------------

    def _launch(self, view: View) -> None:
        child_in, self._to_child = self._pipe()
        self._from_child, child_out = self._pipe()
        self._output, child_output = self._pipe()
        info, child_info = self._pipe()
        command = sandbox.python_command(view, child_in, child_out)
        passed = [child_in, child_out, child_info]
        if self.isolated:
            cpu_files = self._cpu_files()
            if view.copied:
                with take_snapshot(view.own, view.root, self.limits) as archive:
                    self._open.append(os.dup(archive.fileno()))
                self.archive = self._open[-1]
                passed.append(self.archive)
            if sandbox.is_root():
                self.user = UNPRIVILEGED + secrets.randbelow(UNPRIVILEGED)
            passed += cpu_files.values()
            options = sandbox.bwrap_options(view, self.limits, child_info, cpu_files)
            passed.append(self._readable("\0".join(options).encode()))
            command = sandbox.bwrap_command(passed[-1]) + command
        else:
            self._folder = ScratchFolder()
            self.scratch = self._folder.path
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=child_output,
            stderr=child_output,
            pass_fds=passed,
            env=sandbox.environment(self.scratch, self.limits.threads),
            cwd=None if self.isolated else self.scratch,
            start_new_session=True,
        )
        for descriptor in (*passed, child_output):
            self._close(descriptor)
        for descriptor in (self._to_child, self._from_child, self._output):
            os.set_blocking(descriptor, False)
        first = self._pid_told(info) if self.isolated else self._popen.pid
        self._close(info)
        self._first = self._handle(first)
        self._deadline = time.monotonic() + BOOT
        try:
            self.receive()  # it is running
        except Fault as fault:
            raise HansuError(f"no process can be started here: {fault.evidence}") from None
        self.pid = first if self.user is None else child_of(first)
        self._agent = self._handle(self.pid)
        self._join_cgroup()

    def _handle(self, pid: int) -> int | None:
        if not self.isolated:
            return None
        self._open.append(os.pidfd_open(pid))
        return self._open[-1]

    def _readable(self, data: bytes) -> int:
        """A descriptor to read these bytes from."""
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.seek(0)
            self._open.append(os.dup(file.fileno()))
        return self._open[-1]

    def _pipe(self) -> tuple[int, int]:
        ends = os.pipe()
        self._open += ends
        return ends

    def _close(self, descriptor: int) -> None:
        os.close(descriptor)
        self._open.remove(descriptor)

    def _cpu_files(self) -> dict[str, int]:
        """What the kernel would tell of its cores, for as many as the agent is told of."""
        told = sandbox.cpus_told(self.limits.threads)
        text = f"0-{told - 1}\n" if told > 1 else "0\n"
        return {place: self._readable(text.encode()) for place in sandbox.CPU_FILES}

    def _pid_told(self, info: int) -> int:
        """The first process of the new pid namespace, by the number that it has out here."""
        text = b""
        while data := os.read(info, 4096):
            text += data
            with contextlib.suppress(ValueError):
                return int(json.loads(text)["child-pid"])
        self._popen.wait()
        raise HansuError(f"bubblewrap cannot start a process here{self.last_words()}")

    def _join_cgroup(self) -> None:
        """Where we may make control groups, the agent gets one; elsewhere it does without."""
        self._cgroup = make_cgroup()
        if self._cgroup is not None:
            try:
                self._cgroup.add(self.pid)
            except OSError:
                self._cgroup.remove()
                self._cgroup = None
            else:
                self._cgroup.limit_memory(self.limits.memory_bytes)

    @property
    def pid_inside(self) -> int:
        """The number that the agent's process has for itself."""
        if not self.isolated:
            return self.pid
        return int(read_status(self.pid)[b"NSpid"].split()[-1])

    # Running -----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def running(self, seconds: float | None) -> Iterator[None]:
        """Let the process run within the block; a fault, such as the end of its time, kills it."""
        self._deadline = None if seconds is None else time.monotonic() + seconds
        try:
            self._go_on()
            yield
            self._stop()
            self._check_use()
        except BaseException as error:  # it stopped in the middle: it cannot be asked again
            self._count_turn()
            self.kill()
            if isinstance(error, FramingError):
                raise Fault("disqualified", str(error)) from None
            raise

    def _cpu(self) -> float | None:
        """The CPU time of all that it is, by its control group where there is one."""
        counted = None if self._cgroup is None else self._cgroup.cpu_seconds
        return cpu_seconds(self.pid) if counted is None else counted

    def _count_turn(self) -> None:
        now, before = self._cpu(), self._went_on_at
        self.turn_cpu = None if now is None or before is None else now - before

    def _stop(self) -> None:
        if self._cgroup is not None:
            self._cgroup.freeze()
        self._signal(signal.SIGSTOP, self._agent)
        self._stopped_at = self._cpu()
        self._count_turn()

    def _go_on(self) -> None:
        """Let it run, unless it has run while it was stopped: nobody else sees to that."""
        now = self._went_on_at = self._cpu()
        if now is not None and self._stopped_at is not None:
            self.stolen += now - self._stopped_at
        if self.stolen > self.limits.stolen_seconds:
            raise Fault(
                "disqualified",
                f"thought on the opponent's time: {self.stolen:.2f} s of CPU time while stopped",
            )
        self._signal(signal.SIGCONT, self._agent)
        if self._cgroup is not None:
            self._cgroup.thaw()

    def send(self, data: bytes) -> None:
        """Write to it; raises Fault."""
        while data:
            try:
                data = data[os.write(self._to_child, data) :]
            except BlockingIOError:
                self._wait(writing=True)
            except BrokenPipeError:
                self._died()

    def receive(self, until: float | None = None) -> bytes:
        """Wait for bytes; raises Fault, and TimeoutError at a moment before its deadline."""
        while True:
            self._wait(until)
            try:
                data = os.read(self._from_child, 1 << 16)
            except BlockingIOError:
                continue
            if not data:
                self._died()
            self._drain()
            return data

    def unread(self) -> bytes:
        """Return what it has written and nobody has asked for, without waiting."""
        data = b""
        with contextlib.suppress(BlockingIOError):
            while len(data) < 1 << 16 and (more := os.read(self._from_child, 1 << 16)):
                data += more
        return data

    def _wait(self, until: float | None = None, writing: bool = False) -> None:
        """Until its pipe is ready; reads what the agent prints meanwhile."""
        deadline = self._deadline
        wanted = self._to_child if writing else self._from_child
        poll = select.poll()
        poll.register(wanted, select.POLLOUT if writing else select.POLLIN)
        poll.register(self._output, select.POLLIN)
        next_look = time.monotonic() + LOOK
        while True:
            now = time.monotonic()
            if deadline is not None and now >= deadline:
                raise Fault("timeout", EVIDENCE["killed"])
            if until is not None and now >= until:
                raise TimeoutError
            if now >= next_look:  # however busy it keeps us with what it prints
                self._check_use()
                next_look = now + LOOK
            wake = min(moment for moment in (next_look, deadline, until) if moment is not None)
            ready = [descriptor for descriptor, _ in poll.poll(1000 * max(0.0, wake - now))]
            if self._output in ready and not self._drain():
                poll.unregister(self._output)  # the agent has closed its output: nothing wrong
            if wanted in ready:
                return

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
        most = self.limits.threads
        try:
            use = look(self.pid, self.limits.memory_bytes)
            if use.threads > most or use.leader_ended:
                time.sleep(SETTLE)  # threads that have ended count until the kernel clears them
                use = look(self.pid, self.limits.memory_bytes)
        except OSError:  # gone, or a system without /proc
            return
        if use.leader_ended:
            self._check_ended()
        elif use.threads > most:
            raise Fault("disqualified", f"ran {use.threads} threads; {most} are allowed")
        elif use.memory_bytes > self.limits.memory_bytes:
            raise Fault("disqualified", f"used {use.memory_bytes / MIB:.0f} MiB of memory")

    def _check_ended(self) -> None:
        """Nothing can be seen of a process whose first thread has ended: it must end as a whole."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(ENDING)
        if self._popen.returncode is None:
            raise Fault("disqualified", "ended its main thread and went on in another one")

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
        if self._cgroup is not None and self._cgroup.ran_out_of_memory:
            most = self.limits.memory_bytes / MIB
            raise Fault("disqualified", f"used more than {most:.0f} MiB of memory")
        if any(words in self.output_tail for words in REFUSED_A_THREAD):
            most = self.limits.threads
            raise Fault("disqualified", f"more than {most} threads{self.last_words()}")
        if REFUSED_A_PROCESS.search(self.output_tail):
            raise Fault("disqualified", f"tried to start another process{self.last_words()}")
        number = -status if status < 0 else status - 128 if status > 128 else 0
        if number == signal.SIGSYS:
            raise Fault("disqualified", "killed by the system-call filter (SIGSYS)")
        if number in signal.valid_signals():
            how = f"killed by {signal.Signals(number).name}"
        else:
            how = f"exit status {status}"
        raise Fault("crash", f"its process ended: {how}{self.last_words()}")

    def last_words(self) -> str:
        """Return the last line that it printed, to follow a sentence about what went wrong."""
        with contextlib.suppress(OSError, Fault):
            self._drain()
        lines = self.output_tail.decode(errors="replace").strip().splitlines()
        return f": {printable(lines[-1])}" if lines else ""

    def interrupt(self) -> None:
        """Called from another thread: end the processes; whoever waits there notices."""
        with self._closing:
            if self._open:
                self._signal(signal.SIGKILL, self._first)

    def kill(self) -> None:
        """End everything at once and leave nothing behind. May be called twice."""
        popen = getattr(self, "_popen", None)
        if popen is not None:
            # The first process of a pid namespace takes all others with it.
            self._signal(signal.SIGKILL, self._first)
            with contextlib.suppress(subprocess.TimeoutExpired):
                popen.wait(1.0)
            popen.kill()
            popen.wait()
            if self._first is not None:
                gone = select.poll()
                gone.register(self._first, select.POLLIN)
                gone.poll(2000)
        if self._cgroup is not None:
            self._cgroup.remove()
        with self._closing:
            for descriptor in self._open:
                os.close(descriptor)
            self._open.clear()
            self._first = self._agent = None
        if self._folder is not None:
            self._folder.remove()
            self._folder = None

    def _signal(self, number: signal.Signals, handle: int | None) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if handle is not None:
                signal.pidfd_send_signal(handle, number)
            elif not self.isolated:
                os.killpg(self._popen.pid, number)
