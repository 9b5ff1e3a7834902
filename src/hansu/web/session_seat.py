"""A seat at a table: a person's, or that of an agent, which may need a process of its own."""

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from typing import TypeVar

from hansu.arena.isolation.sandboxed_player import SandboxedPlayer
from hansu.arena.player import LocalPlayer, Player
from hansu.kernel.tiers import interpret_first
from hansu.protocols.engine_agent import EngineAgent
from hansu.web.fair_share import Account
from hansu.web.process_places import GivenUp
from hansu.web.thread_pools import ThreadPools

T = TypeVar("T")
HUMAN = "human"
WAKE = 0.1  # seconds after which somebody who waits asks whether that is still wanted


@dataclass(eq=False)
class Seat:
    """A side of the board; without a player it is a person's."""

    name: str = HUMAN
    player: Player | None = None
    is_behind: bool = False  # the game is not where the player left it: reset it before it moves
    seed: int = 0  # of its random numbers
    _at_work: threading.Lock = field(default_factory=threading.Lock)
    _preparing: Future[None] | None = None  # what its player needs for its first game

    @property
    def has_process(self) -> bool:
        """Whether its player thinks in a process of its own."""
        player = self.player
        is_engine = isinstance(player, LocalPlayer) and isinstance(player.agent, EngineAgent)
        return is_engine or isinstance(player, SandboxedPlayer)

    @property
    def plays_at_once(self) -> bool:
        """Whether its player can do without being compiled."""
        return isinstance(self.player, LocalPlayer) and self.player.agent.plays_at_once

    def tier(self) -> contextlib.AbstractContextManager[None]:
        """Wait for the compiler, unless the player can do without."""
        return interpret_first(self.plays_at_once)

    @property
    def is_preparing(self) -> bool:
        """Whether its player cannot move yet: it is being compiled."""
        if self.plays_at_once:
            return False
        return self._preparing is not None and not self._preparing.done()

    def prepare(
        self, pools: ThreadPools, account: Account, reset: Callable[[], None], patience: float
    ) -> None:
        """Reset the player beside; wait so long, then it goes on. Raises what ``reset`` raises."""

        def do() -> None:
            with self._at_work, self.tier():
                reset()

        self._preparing = pools.start(do, account)
        with pools.share.outside():
            wait([self._preparing], patience)
        if self._preparing.done():
            self._preparing.result()

    def work(self, pools: ThreadPools, is_wanted: Callable[[], bool], do: Callable[[], T]) -> T:
        """Let the player do something; one with a process needs a place for that.

        Raises GivenUp if it is no longer wanted before there is one.
        """
        if not self.has_process:
            self._wait_until_ready(pools, is_wanted)
            with self.tier():
                return do()
        with pools.share.outside(), pools.processes.turn(self, is_wanted), self._at_work:
            return do()

    def _wait_until_ready(self, pools: ThreadPools, is_wanted: Callable[[], bool]) -> None:
        if self._preparing is None:
            return
        with pools.share.outside():
            while not wait([self._preparing], WAKE).done:
                if not is_wanted():
                    raise GivenUp
        preparing, self._preparing = self._preparing, None
        preparing.result()

    def leave(self) -> None:
        """Close the player, unless it is at work; before its next move it is reset."""
        if self.player is not None and self._at_work.acquire(blocking=False):
            try:
                self.is_behind = True
                self.player.close()
            finally:
                self._at_work.release()
