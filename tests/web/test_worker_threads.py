"""Threads beside the event loop, and their end."""

import functools
import signal
import subprocess
import sys
import threading
import time
import weakref

import pytest

from hansu.web.worker_threads import WorkerThreads
from tests.web.talking import until


class Work:
    """Work that goes on until it is told to end."""

    def __init__(self):
        self.begun, self.end = threading.Event(), threading.Event()

    def __call__(self):
        self.begun.set()
        return self.end.wait(30)


def test_the_end_waits_for_work_and_drops_what_waits():
    threads, work = WorkerThreads(1), Work()
    running, waiting = threads.submit(work), threads.submit(Work())
    work.begun.wait(30)
    threading.Timer(0.1, work.end.set).start()
    threads.finish(30)
    assert running.result(0)
    assert waiting.cancelled()


def test_the_end_does_not_wait_for_ever():
    threads, work = WorkerThreads(1), Work()
    running = threads.submit(work)
    work.begun.wait(30)
    threads.finish(0.05)
    assert not running.done()
    work.end.set()
    assert running.result(30)


@pytest.mark.parametrize("seconds", [0.0, pytest.param(0.3, marks=pytest.mark.slow)])
def test_a_server_can_be_stopped_while_it_gets_ready(seconds):
    command = [sys.executable, "-m", "hansu", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=-1, stderr=-2, text=True) as server:
        server.stdout.readline()
        time.sleep(seconds)
        server.send_signal(signal.SIGINT)
        rest = server.communicate(timeout=60)[0]
    assert server.returncode == 130, rest


class Tree:
    """What a search holds."""


@pytest.mark.parametrize("earlier", [0, 1])
def test_a_thread_keeps_nothing_of_the_work_it_has_done(earlier):
    threads, tree = WorkerThreads(1), Tree()
    for _ in range(earlier):
        threads.submit(lambda: None).result()
    kept = weakref.ref(tree)
    threads.submit(functools.partial(id, tree)).result()
    del tree
    until(lambda: kept() is None)
