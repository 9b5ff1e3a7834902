"""Threads that do work beside the event loop, as many as there is work, up to a bound.

Work that takes long lowers the priority of its thread, so that answering people comes first. Only
root could raise it again: such a thread ends with its work.
"""

import _thread
import contextlib
import os
import queue
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")
Job = Callable[[], None]
NICENESS = 10


def lower_priority(thread: int) -> None:
    """Lower the priority of a thread of this process by its native id; on Linux alone."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, thread, _priority() + NICENESS)


def _priority() -> int:
    """Return the priority of this thread; the lower the number, the higher."""
    return os.getpriority(os.PRIO_PROCESS, 0) if sys.platform == "linux" else 0


class WorkerThreads:
    """Start work in a thread; work beyond the bound waits for one.

    >>> threads = WorkerThreads(2)
    >>> threads.submit(lambda: 6 * 7).result()
    42
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._count = 0
        self._idle: list[queue.SimpleQueue[Job]] = []  # each where a thread waits for its next job
        self._waiting: deque[Job] = deque()

    def submit(self, work: Callable[[], T]) -> "Future[T]":
        """Do some work; return its result to come."""
        future: Future[T] = Future()

        def job() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except BaseException as error:
                    future.set_exception(error)

        with self._lock:
            if self._idle:
                self._idle.pop().put(job)
            elif self._count < self._most:
                self._count += 1
                # threading.Thread would wait here until the new thread runs: on a busy machine
                # for longer than any answer may take.
                _thread.start_new_thread(self._run, (job,))
            else:
                self._waiting.append(job)
        return future

    def _run(self, job: Any) -> None:
        usual, jobs = _priority(), queue.SimpleQueue[Job]()
        while True:
            job()
            job = None  # and what it holds
            with self._lock:
                if self._waiting:
                    job = self._waiting.popleft()
                elif _priority() != usual:
                    self._count -= 1
                    return
                else:
                    self._idle.append(jobs)
            job = job or jobs.get()
