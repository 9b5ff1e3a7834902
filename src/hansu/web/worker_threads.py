"""Threads that do work beside the event loop, as many as there is work, up to a bound."""

import _thread
import queue
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any, TypeVar

T = TypeVar("T")
Job = Callable[[], None]


class WorkerThreads:
    """Start work in a thread; work beyond the bound waits for one.

    Starting never waits, as that of a ``ThreadPoolExecutor`` does until the new thread runs: on a
    busy machine for longer than any answer may take. Threads do not end: the system would end the
    sandboxes that they have started.

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
        self._unfinished: set[Future[Any]] = set()

    def submit(self, work: Callable[[], T]) -> "Future[T]":
        """Do some work; return its result to come."""
        future: Future[T] = Future()

        def job() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except BaseException as error:
                    future.set_exception(error)

        self._unfinished.add(future)
        future.add_done_callback(self._unfinished.discard)
        with self._lock:
            if self._idle:
                self._idle.pop().put(job)
            elif self._count < self._most:
                self._count += 1
                jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
                jobs.put(job)  # no argument of the thread, which would keep it as long as it lives
                _thread.start_new_thread(self._run, (jobs,))
            else:
                self._waiting.append(job)
        return future

    def finish(self, seconds: float) -> None:
        """Drop the work that waits for a thread, and wait for the rest, so long at most.

        Python ends threads that still run when it ends itself; one that is just loading a library
        written in C++ takes the whole process down with it.
        """
        with self._lock:
            self._waiting.clear()
        wait([future for future in self._unfinished.copy() if not future.cancel()], seconds)

    def _run(self, jobs: "queue.SimpleQueue[Job]") -> None:
        while True:
            jobs.get()()
            with self._lock:
                if self._waiting:
                    jobs.put(self._waiting.popleft())
                else:
                    self._idle.append(jobs)
