"""The clock, with a timer that the test moves by hand."""

import pytest

import hansu
from hansu.arena.clock import Clock
from hansu.arena.player import LocalPlayer
from hansu.arena.referee import play
from hansu.records.record import TimeControl


class HandTimer:
    """Stands still until somebody moves it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Thinker(hansu.Agent):
    """Plays the first move after a set time on the hand-moved timer."""

    timer: HandTimer
    times: list[float]

    def act(self, state):
        self.timer.now += self.times.pop(0)
        return next(iter(state.legal_moves))


def thinker(timer, times):
    agent = Thinker("thinker")
    agent.timer, agent.times = timer, list(times)
    return LocalPlayer(agent)


@pytest.mark.parametrize(
    ("times", "control", "late"),
    [
        ([2.5, 2.5, 5.0], TimeControl(seconds=10.0), False),
        ([2.5, 2.5, 5.001], TimeControl(seconds=10.0), True),
        ([1.0, 1.0, 1.0], TimeControl(seconds=None, move_seconds=1.0), False),
        ([1.0, 1.001, 1.0], TimeControl(seconds=None, move_seconds=1.0), True),
        ([9.0, 2.0, 2.0], TimeControl(seconds=10.0, increment=2.0), False),
        ([9.0, 2.0, 3.5], TimeControl(seconds=10.0, increment=2.0), True),
        ([1e6, 1e6, 1e6], TimeControl(seconds=None), False),
    ],
)
def test_exactly_on_time_is_in_time_and_a_millisecond_later_is_not(times, control, late):
    timer = HandTimer()
    # On this board White wins with the third of its first moves: a1, b1, c1 against a2, b2.
    start = hansu.game("tictactoe").parse("... ... ...")
    first, second = thinker(timer, [*times, 0.0]), thinker(timer, [0.0] * 5)
    record = play(start, first, second, control, timer=timer)
    assert (record.outcome.reason == "timeout") == late
    if late:
        assert record.winner == "thinker"
        assert record.outcome.winner == hansu.BLACK
        assert "took" in record.evidence


def test_states_know_the_remaining_seconds():
    timer = HandTimer()
    seen = []

    class Looker(Thinker):
        def act(self, state):
            seen.append((state.white_remain_sec, state.black_remain_sec))
            return super().act(state)

    agent = Looker("looker")
    agent.timer, agent.times = timer, [3.0, 4.0, 0.0, 0.0]
    control = TimeControl(seconds=10.0)
    start = hansu.game("tictactoe").start()
    play(start, LocalPlayer(agent), thinker(timer, [1.0] * 4), control, timer=timer)
    assert seen[:3] == [(10.0, 10.0), (7.0, 9.0), (3.0, 8.0)]


def test_the_budget_is_the_smaller_limit():
    clock = Clock(TimeControl(seconds=5.0, move_seconds=2.0), timer=lambda: 0.0)
    assert clock.budget(True) == 2.0
    clock.remaining[True] = 1.0
    assert clock.budget(True) == 1.0
