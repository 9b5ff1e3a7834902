"""How many requests an address may make a second: whoever makes more waits for the answers."""

import time

MANY = 4096  # addresses after which those that owe nothing are forgotten


class RateLimit:
    """A rate for each address, and a burst before it counts.

    >>> limit = RateLimit(burst=2, rate=0.5, longest=3.0)
    >>> [round(limit.wait("here") or 0.0) for _ in range(3)], limit.wait("there")
    ([0, 0, 2], 0.0)
    >>> limit.wait("here") is None  # it would wait for too long
    True
    """

    def __init__(self, burst: float, rate: float, longest: float) -> None:
        self._each, self._longest = 1 / rate, longest  # seconds
        self._burst = burst * self._each
        self._paid: dict[str, float] = {}  # when each address will have made up for its requests

    def wait(self, address: str) -> float | None:
        """Count a request; return the seconds its answer must wait, None if it gets none."""
        now = time.monotonic()
        if len(self._paid) > MANY:
            self._paid = {each: paid for each, paid in self._paid.items() if paid > now}
        paid = max(now, self._paid.get(address, 0.0)) + self._each
        wait = max(0.0, paid - now - self._burst)
        if wait > self._longest:
            return None
        self._paid[address] = paid
        return wait
