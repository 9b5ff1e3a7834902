"""Ctrl-C where Python cannot raise it, as in the compiler's callbacks, is heard all the same."""

import ctypes
import os
import signal
import time

import pytest

from hansu.cli.lost_interrupts import raise_lost_interrupts
from hansu.cli.stopping import Stopping

stopped_in_a_callback = ctypes.CFUNCTYPE(None, ctypes.c_int)(signal.raise_signal)


class StoppedWhenDeleted:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0)


@pytest.fixture(autouse=True)
def hook(monkeypatch):
    monkeypatch.setattr("sys.unraisablehook", None)  # set back after the test
    raise_lost_interrupts()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def lose_and_wait(lose, *given):
    lose(*given)
    time.sleep(60)


@pytest.mark.parametrize("lose", [lambda: stopped_in_a_callback(2), StoppedWhenDeleted])
def test_an_interrupt_that_python_cannot_raise_is_raised_later(capsys, lose):
    with pytest.raises(KeyboardInterrupt):
        lose_and_wait(lose)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_its_exit_status_is_that_of_the_signal(number):
    stop = Stopping(finish=False)
    with pytest.raises(KeyboardInterrupt), stop:
        lose_and_wait(stopped_in_a_callback, number)
    assert stop.status == 128 + number


def test_nobody_is_interrupted_who_has_stopped_listening(monkeypatch):
    monkeypatch.setattr("hansu.cli.lost_interrupts.LATER", 0.1)
    with Stopping(finish=False) as stop:
        stopped_in_a_callback(signal.SIGTERM)
    time.sleep(0.3)  # SIGTERM would end this process
    assert stop()


def test_other_exceptions_are_printed_as_ever(capfd):
    ctypes.CFUNCTYPE(None)(lambda: 1 / 0)()
    assert "ZeroDivisionError" in capfd.readouterr().err
