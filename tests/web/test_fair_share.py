"""Who works next, and that one who works long does not keep the others waiting."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from hansu.web import fair_share
from hansu.web.fair_share import Account, FairShare
from hansu.web.process_places import GivenUp, ProcessPlaces
from hansu.web.worker_threads import WorkerThreads


def test_light_work_is_done_beside_work_that_breathes():
    share, done = FairShare(places=1), threading.Event()

    def long():
        with share.place(Account()):
            while not done.wait(0.001):
                share.breathe()

    def light():
        with share.place(Account()):
            return "done"

    with ThreadPoolExecutor(8) as threads:
        others = [threads.submit(long) for _ in range(5)]
        try:
            assert [threads.submit(light).result(60) for _ in range(5)] == ["done"] * 5
        finally:
            done.set()
        assert [each.result(60) for each in others] == [None] * 5


def test_light_work_does_not_wait_behind_heavy_work(monkeypatch):
    monkeypatch.setattr(fair_share, "SLICE", 60.0)  # nobody loses a place
    share, done, heavy = FairShare(places=1), threading.Event(), [Account(), Account()]
    for account in heavy:
        account.charge(100.0)

    def hold(account):
        with share.place(account):
            assert done.wait(60)

    def light():
        with share.place(Account()):
            return "done"

    with ThreadPoolExecutor(3) as threads:
        held = [threads.submit(hold, account) for account in heavy]
        while not share._waiting:
            time.sleep(0.001)
        assert threads.submit(light).result(60) == "done"
        done.set()
        assert [each.result(60) for each in held] == [None, None]


def test_work_that_never_breathes_loses_its_place_but_goes_on():
    share, done = FairShare(places=1), threading.Event()

    def stuck():
        with share.place(Account()):
            assert done.wait(60)

    def next_one():
        with share.place(Account()):
            return "done"

    with ThreadPoolExecutor(12) as threads:
        others = [threads.submit(stuck) for _ in range(8)]
        try:
            assert threads.submit(next_one).result(60) == "done"
        finally:
            done.set()
        assert [each.result(60) for each in others] == [None] * 8


def test_who_has_used_less_lately_comes_first(monkeypatch):
    monkeypatch.setattr(fair_share, "SLICE", 60.0)  # nobody loses a place
    share, visitor = FairShare(places=1), Account()
    greedy, modest, order = Account(visitor), Account(visitor), []
    greedy.charge(100.0)
    modest.charge(50.0)
    assert visitor.used > 140
    begun, done = threading.Event(), threading.Event()

    def hold():
        with share.place(greedy):
            begun.set()
            assert done.wait(60)

    def work(account, name):
        with share.place(account):
            order.append(name)

    with ThreadPoolExecutor(3) as threads:
        holding = threads.submit(hold)
        assert begun.wait(60)
        waiting = [threads.submit(work, greedy, "greedy")]
        while len(share._waiting) < 1:
            time.sleep(0.001)
        waiting.append(threads.submit(work, modest, "modest"))
        while len(share._waiting) < 2:
            time.sleep(0.001)
        done.set()
        for each in (holding, *waiting):
            each.result(60)
    assert order == ["modest", "greedy"]


def test_what_was_used_is_forgotten(monkeypatch):
    account = Account()
    account.charge(8.0)
    now = time.monotonic()
    monkeypatch.setattr(fair_share.time, "monotonic", lambda: now + 3 * fair_share.HALF_LIFE)
    assert account.used == pytest.approx(1.0, rel=0.01)


def test_work_beyond_the_bound_waits_for_a_thread():
    threads, done = WorkerThreads(2), threading.Event()
    first = [threads.submit(lambda: done.wait(60)) for _ in range(2)]
    second = [threads.submit(threading.get_ident) for _ in range(5)]
    assert not any(each.done() for each in second)
    done.set()
    assert all(each.result(60) for each in first)
    assert len({each.result(60) for each in second}) <= 2


class Player:
    """What holds a process."""

    def __init__(self):
        self.left = 0

    def leave(self):
        self.left += 1


def test_an_idle_process_gives_way_and_a_busy_one_does_not():
    places, first, second, third = ProcessPlaces(2), Player(), Player(), Player()
    for each in (first, second):
        with places.turn(each, lambda: True):
            pass
    with places.turn(second, lambda: True), places.turn(third, lambda: True):
        assert (first.left, second.left) == (1, 0)
        with pytest.raises(GivenUp), places.turn(first, lambda: False):
            pass
    with places.turn(first, lambda: True):
        assert (second.left, third.left) == (0, 1)  # which was done before the second


def test_a_place_that_is_forgotten_is_free():
    places, first, second = ProcessPlaces(1), Player(), Player()
    with places.turn(first, lambda: True):
        pass
    places.forget(first)
    with places.turn(second, lambda: True):
        assert first.left == 0
