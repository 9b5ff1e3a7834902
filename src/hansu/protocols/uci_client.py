"""A UCI engine as a plain object, through python-chess.

python-chess speaks UCI in coroutines. Its own synchronous wrapper runs them in a thread that keeps
the interpreter alive for as long as the engine lives, so ours is a daemon thread, one for all
engines of the process.
"""

import asyncio
import contextlib
import functools
import logging
import os
import threading
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

import chess.engine

from hansu.errors import OptionError
from hansu.protocols.program import (
    POLITENESS,
    RUNNING,
    START_SECONDS,
    EngineFailure,
    LastWords,
    find_program,
    under_watchdog,
)

T = TypeVar("T")

MAX_OUTPUT = 1 << 22  # bytes for one answer
TOLD = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE | chess.engine.INFO_PV

logging.getLogger("chess.engine").setLevel(logging.CRITICAL)  # we tell it our own way


class _Protocol(chess.engine.UciProtocol):
    """python-chess's protocol, which also keeps what the engine wrote to standard error."""

    def __init__(self) -> None:
        super().__init__()
        self.last_words = LastWords()
        self.answer: str | None = None  # the last ``bestmove``, legal or not
        self.output = 0  # bytes since the last question

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        self.output += len(data)
        if self.output > MAX_OUTPUT:
            self.last_words.add(f"(more than {MAX_OUTPUT} bytes of output)")
            assert self.transport is not None
            self.transport.terminate()
            return
        super().pipe_data_received(fd, data)

    def error_line_received(self, line: str) -> None:
        self.last_words.add(line)

    def line_received(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        if word == "bestmove":
            self.answer = (rest.split() or [""])[0]


@functools.cache
def _event_loop(process: int) -> asyncio.AbstractEventLoop:
    """Return the loop that all engines of a process share; a forked process gets its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="UCI engines", daemon=True).start()
    return loop


class UciEngine:
    """A running UCI engine. Every error is an EngineFailure that says what and why."""

    def __init__(self, command: list[str]) -> None:
        self.name = os.path.basename(command[0])
        self._owner = os.getpid()
        self._loop = _event_loop(self._owner)
        self._closed = False
        full = under_watchdog([find_program(command[0]), *command[1:]])
        options = {} if os.name == "nt" else {"start_new_session": True}
        starting = _Protocol.popen(full, **options)
        self._transport, self._protocol = self._wait(starting, START_SECONDS, "start")
        RUNNING.add(self)
        self._ask(self._protocol.initialize(), START_SECONDS, "answer uci with uciok")

    @property
    def options(self) -> dict[str, chess.engine.Option]:
        """The options that the engine offers."""
        return dict(self._protocol.options)

    @property
    def title(self) -> str:
        """What the engine calls itself."""
        return self._protocol.id.get("name", self.name)

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked: running, and started by this very process."""
        return (
            not self._closed
            and self._owner == os.getpid()
            and self._transport.get_returncode() is None
        )

    def add_variant(self, name: str) -> None:
        """Note a variant that the engine has learnt since it listed those it knows."""
        known = self._protocol.options["UCI_Variant"]
        self._protocol.options["UCI_Variant"] = chess.engine.Option(
            known.name, known.type, known.default, known.min, known.max, [*(known.var or []), name]
        )

    def configure(self, options: dict[str, Any]) -> None:
        """Set options; one that the engine does not offer, or a wrong value, is an OptionError."""
        try:
            self._ask(self._protocol.configure(options), START_SECONDS, "take options")
        except EngineFailure as failure:
            if type(failure.__cause__) is chess.engine.EngineError:  # not: it died of them
                raise OptionError(str(failure)) from None
            raise

    def ping(self) -> None:
        """Wait until the engine is ready."""
        self._ask(self._protocol.ping(), START_SECONDS, "answer isready with readyok")

    def play(
        self,
        board: chess.Board,
        limit: chess.engine.Limit,
        patience: float,
        game: object,
        root_moves: Iterable[chess.Move] | None = None,
    ) -> tuple[chess.Move | str | None, chess.engine.InfoDict]:
        """Return the engine's move within a limit, and what it said of it.

        An illegal move comes as the text that was sent. Past ``patience`` seconds the engine counts
        as dead. A new ``game`` is announced to it.
        """
        self._protocol.answer = None
        asking = self._protocol.play(board, limit, game=game, root_moves=root_moves, info=TOLD)
        try:
            played = self._ask(asking, patience, "answer go with bestmove")
            return played.move, played.info
        except EngineFailure as failure:
            if self._protocol.answer and isinstance(failure.__cause__, chess.engine.EngineError):
                return self._protocol.answer, {}  # no legal move: let the referee say so
            raise

    def stop(self) -> None:
        """Let the engine answer at once; from any thread."""
        if self.is_alive:
            self._loop.call_soon_threadsafe(self._protocol.send_line, "stop")

    def close(self, politely: bool = True) -> None:
        """End the engine: ask it to quit, then make it. Never raises."""
        if self._closed or self._owner != os.getpid():
            return
        self._closed = True
        RUNNING.discard(self)
        with contextlib.suppress(Exception):
            self._wait(self._end(politely), 3 * POLITENESS, "end")

    async def _end(self, politely: bool) -> None:
        steps = [self._transport.terminate, self._transport.kill]
        if politely:
            steps.insert(0, lambda: self._protocol.send_line("quit"))
        for step in steps:
            if self._protocol.returncode.done():
                break
            with contextlib.suppress(Exception):
                step()
                await asyncio.wait_for(asyncio.shield(self._protocol.returncode), POLITENESS)
        self._transport.close()

    def _ask(self, question: Coroutine[Any, Any, T], seconds: float, what: str) -> T:
        """Wait for an answer; an engine that fails is ended, for it cannot be relied on again."""
        self._protocol.output = 0
        try:
            return self._wait(question, seconds, what)
        except EngineFailure:
            self.close(politely=False)
            raise

    def _wait(self, coroutine: Coroutine[Any, Any, T], seconds: float, what: str) -> T:
        future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(coroutine, seconds), self._loop)
        try:
            return future.result()
        except TimeoutError:
            raise self._failure(f"did not {what} within {seconds:g} s") from None
        except chess.engine.EngineError as error:
            raise self._failure(f"failed to {what}: {error}") from error
        except OSError as error:
            raise self._failure(f"cannot be run: {error}") from None

    def _failure(self, what: str) -> EngineFailure:
        words = str(self._protocol.last_words) if hasattr(self, "_protocol") else ""
        return EngineFailure(f"{self.name} {what}{words}")
