"""An allowance: so much a second, and a little more at once."""

import time


class Allowance:
    """What somebody may take.

    >>> few = Allowance(burst=2, rate=0.001)
    >>> few.take(), few.take(), few.take() > 900
    (0.0, 0.0, True)
    """

    def __init__(self, burst: float, rate: float) -> None:
        self.rate = rate  # a second
        self._burst = self._left = burst
        self._at = time.monotonic()

    def take(self, amount: float = 1.0) -> float:
        """Take so much if it is there; return the seconds to wait for it, 0 if it was taken."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + self.rate * (now - self._at))
        self._at = now
        if self._left < amount:
            return (amount - self._left) / self.rate
        self._left -= amount
        return 0.0
