"""The clock of one game: seconds per player, an increment, a limit per move."""

import time
from collections.abc import Callable

from hansu.games.game import WHITE
from hansu.records.record import TimeControl

Timer = Callable[[], float]  # monotonic seconds


class Clock:
    """Count down the time of the side to move.

    Exactly on time is in time; one tick later is not.

    >>> ticks = iter([0.0, 3.0])
    >>> clock = Clock(TimeControl(seconds=10), timer=lambda: next(ticks))
    >>> clock.start(WHITE)
    >>> clock.stop()
    3.0
    >>> clock.remaining[WHITE]
    7.0
    """

    def __init__(self, control: TimeControl, timer: Timer = time.monotonic) -> None:
        self.control = control
        self.remaining = control.full()
        self._timer = timer
        self.used = 0.0  # seconds of the move just stopped
        self.overdue = 0.0  # by how many of them it was late
        self._running = WHITE
        self._since = 0.0

    def budget(self, color: bool) -> float | None:
        """Return the seconds that a player may use for the next move."""
        left, limit = self.remaining[color], self.control.move_seconds
        if left is None or limit is None:
            return limit if left is None else left
        return min(left, limit)

    def start(self, color: bool) -> None:
        """Start a player's clock."""
        self._running = color
        self._since = self._timer()

    def stop(self) -> float:
        """Stop the clock and return the seconds used; check ``is_late`` before playing the move."""
        self.used = used = self._timer() - self._since
        limit = self.budget(self._running)
        self.overdue = 0.0 if limit is None else used - limit
        left = self.remaining[self._running]
        self.remaining[self._running] = self.control.left_after(left, used)
        return used

    @property
    def is_late(self) -> bool:
        """Whether the move just stopped took longer than allowed."""
        return self.overdue > 0
