"""A GTP engine as a plain object: one question, one answer, always with a deadline."""

import contextlib
import os
import queue
import subprocess
import threading
import time
from typing import IO

from hansu.protocols.program import (
    POLITENESS,
    RUNNING,
    START_SECONDS,
    EngineFailure,
    LastWords,
    find_program,
    under_watchdog,
)

LINE = 1 << 16  # bytes of one line, at most
LINES = 1000  # of one answer, at most


class GtpRefusal(EngineFailure):
    """The engine answered a command with an error (``? ...``)."""


class GtpEngine:
    """A running GTP engine.

    An error answer is a GtpRefusal, after which it can be asked again. Everything else that goes
    wrong is an EngineFailure, and the engine is ended.
    """

    def __init__(self, command: list[str]) -> None:
        self.name = os.path.basename(command[0])
        self._owner = os.getpid()
        self._last_words = LastWords()
        # A flood of output blocks the engine, not us: the queue is bounded.
        self._lines: queue.Queue[str | None] = queue.Queue(LINES)
        self._number = 0
        self._closed = False
        self._process = subprocess.Popen(
            under_watchdog([find_program(command[0]), *command[1:]]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=os.name != "nt",
        )
        RUNNING.add(self)
        pipes = (self._process.stdout, self._listen), (self._process.stderr, self._note)
        for stream, reader in pipes:
            thread = threading.Thread(target=reader, args=(stream,), daemon=True)
            thread.start()
        self._noting = thread  # the last of them
        try:
            self.commands = frozenset(self.ask("list_commands").split())
        except GtpRefusal as refusal:
            self.close()
            raise EngineFailure(str(refusal)) from None

    @property
    def title(self) -> str:
        """What the engine calls itself."""
        return f"{self.ask('name')} {self.ask('version')}"

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked: running, and started by this very process."""
        return not self._closed and self._owner == os.getpid() and self._process.poll() is None

    def ask(self, command: str, seconds: float = START_SECONDS) -> str:
        """Return the engine's answer to a command, without its mark."""
        if self._closed:
            raise EngineFailure(f"{self.name} is not running")
        self._number += 1
        try:
            return self._ask(command, time.monotonic() + seconds)
        except GtpRefusal:
            raise
        except TimeoutError:
            what = f"did not answer {command!r} within {seconds:g} s"
        except OSError:
            what = f"died before {command!r}"
        except EOFError:
            what = f"died at {command!r}"
        except ValueError as error:
            what = f"answered {command!r} with what is not GTP: {error}"
        with contextlib.suppress(subprocess.TimeoutExpired):
            if what.startswith("died"):
                what += f" (exit status {self._process.wait(POLITENESS)})"
                self._noting.join(POLITENESS)  # what it said last may still be on its way
        self.close(politely=False)
        raise EngineFailure(f"{self.name} {what}{self._last_words}")

    def _ask(self, command: str, deadline: float) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{self._number} {command}\n".encode())
        self._process.stdin.flush()
        strange = 0
        while True:
            first = self._line(deadline)
            mark, number = first[:1], first[1:].split(" ")[0].split("\t")[0]
            if mark in ("=", "?") and number in ("", str(self._number)):
                break
            strange += bool(first.strip()) and mark not in ("=", "?")  # else: a late answer
            if strange > LINES:
                raise ValueError(repr(first[:80]))
        lines = [first[1 + len(number) :].strip()]
        while line := self._line(deadline).rstrip():
            lines.append(line)
            if len(lines) > LINES:
                raise ValueError("an answer without end")
        answer = "\n".join(lines).strip()
        if mark == "?":
            raise GtpRefusal(f"{self.name} refused {command!r}: {answer}")
        return answer

    def _line(self, deadline: float) -> str:
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            raise EOFError
        return line

    def _listen(self, stream: IO[bytes]) -> None:
        with stream:
            while (line := stream.readline(LINE)) and not self._closed:
                self._lines.put(line.decode(errors="replace").rstrip("\r\n"))
        self._lines.put(None)

    def _note(self, stream: IO[bytes]) -> None:
        with stream:
            while line := stream.readline(LINE):
                self._last_words.add(line.decode(errors="replace"))

    def close(self, politely: bool = True) -> None:
        """End the engine: ask it to quit, then make it. Never raises."""
        if self._closed or self._owner != os.getpid():
            return
        self._closed = True
        RUNNING.discard(self)
        process = self._process
        with contextlib.suppress(queue.Empty):
            while True:  # a reader that waits for room goes on and sees the end
                self._lines.get_nowait()
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            if politely:
                process.stdin.write(b"quit\n")
            process.stdin.close()
        steps = [process.terminate, process.kill]
        if not politely:
            steps.pop(0)()
        while True:
            try:
                process.wait(POLITENESS)
                return
            except subprocess.TimeoutExpired:
                if not steps:
                    return
                steps.pop(0)()
