"""Have the files of visitors read by processes of their own, the shortest file first."""

import asyncio
import contextlib
import heapq
import itertools
import json
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import ClientDisconnect, Request

from hansu.errors import RecordError
from hansu.protocols.program import under_watchdog
from hansu.web.fair_share import Account
from hansu.web.refusals import Refusal
from hansu.web.thread_pools import ThreadPools

MOST_WAITING = 32  # files
SECONDS = 30.0  # for one file, also on a busy machine; reading usually ends by itself before


class RecordReaders:
    """Processes that read files; one that takes too long is ended, and the next file has another.

    Who has used little comes first, then short files: nobody waits for more than one long one.
    """

    def __init__(self, pools: ThreadPools, most: int) -> None:
        self._pools = pools
        self._idle = [_Reader() for _ in range(most)]
        self._all = list(self._idle)
        self._waiting: list[tuple[float, int, int, asyncio.Future[_Reader]]] = []
        self._numbers = itertools.count()

    async def games(self, request: Request, name: str, account: Account) -> bytes:
        """Return the games of a file as JSON; raises HansuError."""
        return await self._ask({"about": "games", "name": name}, request, account)

    async def replay(self, request: Request, flip: bool, account: Account) -> bytes:
        """Return all boards of a game as JSON; raises HansuError."""
        return await self._ask({"about": "replay", "flip": flip}, request, account)

    async def share(self, request: Request, form: str, language: str, account: Account) -> bytes:
        """Return a game as a file to give away; raises HansuError."""
        question = {"about": "share", "form": form, "language": language}
        return await self._ask(question, request, account)

    async def _ask(self, question: dict[str, Any], request: Request, account: Account) -> bytes:
        self._check_room()
        content = await request.body()
        async with self._reader(account, len(content)) as reader:
            if await request.is_disconnected():
                raise ClientDisconnect
            loop = asyncio.get_running_loop()
            begin = loop.time()
            try:
                return await self._pools.aside(lambda: reader.ask(question, content))
            finally:
                account.charge(loop.time() - begin)

    def _check_room(self) -> None:
        if len(self._waiting) >= MOST_WAITING:
            raise Refusal("too_many_requests")

    @contextlib.asynccontextmanager
    async def _reader(self, account: Account, size: int) -> "AsyncIterator[_Reader]":
        if self._idle:
            reader = self._idle.pop()
        else:
            reader = await self._wait(account, size)
        try:
            yield reader
        finally:
            while self._waiting:
                *_, waiter = heapq.heappop(self._waiting)
                if not waiter.done():
                    waiter.set_result(reader)
                    break
            else:
                self._idle.append(reader)

    async def _wait(self, account: Account, size: int) -> "_Reader":
        self._check_room()
        waiter: asyncio.Future[_Reader] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (account.used, size, next(self._numbers), waiter))
        return await waiter

    def close(self) -> None:
        """End the processes."""
        for reader in self._all:
            reader.close()


class _Reader:
    """One process, started when it is first needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._closed = False

    def ask(self, question: dict[str, Any], content: bytes) -> bytes:
        """Ask and wait for the answer; raises HansuError."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        alarm = threading.Timer(SECONDS, process.terminate)
        alarm.start()
        try:
            line = json.dumps({**question, "bytes": len(content)}).encode() + b"\n"
            process.stdin.write(line + content)
            process.stdin.flush()
            facts = json.loads(process.stdout.readline())
            body = process.stdout.read(facts.pop("bytes"))
        except (OSError, ValueError):  # it was ended, for its time or its memory
            self._end()
            raise Refusal("too_long_to_read") from None
        finally:
            alarm.cancel()
        if facts["rule"] == "record":
            raise RecordError(body.decode())
        if facts["rule"]:
            raise Refusal(facts["rule"], **facts["values"])
        return body

    def _started(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closed:
                raise Refusal("too_many_requests")
            if self._process is None or self._process.poll() is not None:
                self._process = subprocess.Popen(
                    under_watchdog([sys.executable, "-P", "-m", "hansu.web.record_reader"]),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=os.name != "nt",
                )
            return self._process

    def _end(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.terminate()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            process.wait()

    def close(self) -> None:
        """End the process for good."""
        with self._lock:
            self._closed = True
        self._end()
