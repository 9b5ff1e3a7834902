"""Lines to and from a running program: what every protocol needs, wherever the program runs."""

import contextlib
import os
import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import IO, ClassVar, NoReturn, Protocol

from hansu.errors import HansuError
from hansu.protocols.program import (
    POLITENESS,
    RUNNING,
    EngineFailure,
    LastWords,
    find_program,
    under_watchdog,
)

LINE = 1 << 16  # bytes of one line, at most
WAITING = 1000  # lines that wait to be read, at most: a flood blocks the program, not us
QUIT = "quit"  # the word that ends a program, in every protocol


class Pipe(Protocol):
    """A program that takes lines and writes lines."""

    name: str

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""

    def send(self, line: str) -> None:
        """Write a line; raises OSError if nobody reads it any more."""

    def receive(self, until: float) -> str:
        """Return its next line; raises TimeoutError at that moment, EOFError if none can come."""

    def ending(self) -> str:
        """Return how it ended, and its last words, to follow a sentence about what went wrong."""

    def last_words(self) -> str:
        """Return its last words, to follow a sentence about what went wrong."""

    def close(self, politely: bool = True) -> None:
        """End it: ask it to quit, then make it. Never raises."""


class EnginePipe:
    """A plain process with our rights, which never outlives us."""

    def __init__(self, command: list[str], folder: str | None = None) -> None:
        self.name = os.path.basename(command[0])
        self._owner = os.getpid()
        self._last_words = LastWords()
        self._lines: queue.Queue[str | None] = queue.Queue(WAITING)
        self._closed = False
        try:
            self._process = subprocess.Popen(
                under_watchdog([find_program(command[0]), *command[1:]]),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                start_new_session=os.name != "nt",
            )
        except OSError as error:
            raise EngineFailure(f"{self.name} cannot be run: {error.strerror}") from None
        RUNNING.add(self)
        pipes = (self._process.stdout, self._listen), (self._process.stderr, self._note)
        for stream, reader in pipes:
            thread = threading.Thread(target=reader, args=(stream,), daemon=True)
            thread.start()
        self._noting = thread  # the last of them

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked: running, and started by this very process."""
        return not self._closed and self._owner == os.getpid() and self._process.poll() is None

    def send(self, line: str) -> None:
        """Write a line; from any thread."""
        if self._closed:
            raise BrokenPipeError
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()

    def receive(self, until: float) -> str:
        """Return its next line."""
        if self._closed:
            raise EOFError
        try:
            line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            raise EOFError
        return line

    def ending(self) -> str:
        """Return its exit status and its last words."""
        if self._closed:
            return ""
        status = ""
        with contextlib.suppress(subprocess.TimeoutExpired):
            status = f" (exit status {self._process.wait(POLITENESS)})"
            self._noting.join(POLITENESS)  # what it said last may still be on its way
        return status + self.last_words()

    def last_words(self) -> str:
        """Return the last lines that it wrote to its standard error."""
        return str(self._last_words)

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
        """End it: ask it to quit, then make it. Never raises."""
        if self._closed or self._owner != os.getpid():
            return
        self._closed = True
        RUNNING.discard(self)
        process = self._process
        with contextlib.suppress(queue.Empty):
            while True:  # a reader that waits for room goes on and sees the end
                self._lines.get_nowait()
        assert process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            if politely:
                process.stdin.write(f"{QUIT}\n".encode())
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


class LineEngine:
    """A program that speaks a protocol of lines. What goes wrong ends it, with an EngineFailure."""

    protocol: ClassVar[str]  # its name

    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe
        self.name = pipe.name

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return self.pipe.is_alive

    def close(self, politely: bool = True) -> None:
        """End it. Never raises."""
        self.pipe.close(politely)

    @contextlib.contextmanager
    def _question(self, question: str, what: str, seconds: float) -> Iterator[float]:
        """Ask within the block, which gets the moment at which there must be an answer."""
        try:
            yield time.monotonic() + seconds
        except HansuError:  # also a ValueError, but no surprise
            raise
        except TimeoutError:
            self._fail(f"did not {what} within {seconds:g} s{self.pipe.last_words()}")
        except (EOFError, OSError):
            self._fail(f"died at {question!r}{self.pipe.ending()}")
        except ValueError as error:
            self._fail(f"answered {question!r} with what is not {self.protocol}: {error}")

    def _fail(self, what: str) -> NoReturn:
        self.close(politely=False)
        raise EngineFailure(f"{self.name} {what}")
