"""The clock of a session: which side runs, what people see, and when a flag falls."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from hansu.arena.clock import Clock
from hansu.games.game import BLACK, WHITE
from hansu.games.state import State
from hansu.records.record import TimeControl


class SessionClock(Clock):
    """A clock that can stand still and be read while it runs."""

    def __init__(self, control: TimeControl) -> None:
        super().__init__(control)
        self._runs_since: float | None = None
        self._flag: asyncio.TimerHandle | None = None

    def start(self, color: bool) -> None:
        """Start a player's clock."""
        super().start(color)
        self._runs_since = time.monotonic()

    def guard(self, color: bool, fallen: Callable[[], None]) -> None:
        """Call ``fallen`` when a player's time is up."""
        budget = self.budget(color)
        if budget is not None:
            self._flag = asyncio.get_running_loop().call_later(budget, fallen)

    def stop(self) -> float:
        """Stop the clock; return the seconds used for this move."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self._runs_since is None:
            self.used = self.overdue = 0.0
            return 0.0
        self._runs_since = None
        return super().stop()

    def facts(self, turn: bool) -> dict[str, Any] | None:
        """Seconds left, and whether those of the side to move are running now."""
        if self.control.seconds is None:
            return None
        left = dict(self.remaining)
        if self._runs_since is not None:
            used = time.monotonic() - self._runs_since
            left[turn] = max(0.0, (left[turn] or 0.0) - used)
        running = self._runs_since is not None
        return {"white": left[WHITE], "black": left[BLACK], "running": running}

    def show_on(self, state: State) -> None:
        """Tell a state both players' remaining seconds."""
        self.control.show_on(state, self.remaining)
