"""A seat at a table: a person's, or that of an agent, which may need a process of its own."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from hansu.arena.isolation.sandboxed_player import SandboxedPlayer
from hansu.arena.player import LocalPlayer, Player
from hansu.protocols.engine_agent import EngineAgent
from hansu.web.thread_pools import ThreadPools

T = TypeVar("T")
HUMAN = "human"


@dataclass(eq=False)
class Seat:
    """A side of the board; without a player it is a person's."""

    name: str = HUMAN
    player: Player | None = None
    is_behind: bool = False  # the game is not where the player left it: reset it before it moves
    seed: int = 0  # of its random numbers
    _at_work: threading.Lock = field(default_factory=threading.Lock)

    @property
    def has_process(self) -> bool:
        """Whether its player thinks in a process of its own."""
        player = self.player
        is_engine = isinstance(player, LocalPlayer) and isinstance(player.agent, EngineAgent)
        return is_engine or isinstance(player, SandboxedPlayer)

    def work(self, pools: ThreadPools, is_wanted: Callable[[], bool], do: Callable[[], T]) -> T:
        """Let the player do something; one with a process needs a place for that.

        Raises GivenUp if it is no longer wanted before there is one.
        """
        if not self.has_process:
            return do()
        with pools.share.outside(), pools.processes.turn(self, is_wanted), self._at_work:
            return do()

    def leave(self) -> None:
        """Close the player, unless it is at work; before its next move it is reset."""
        if self.player is not None and self._at_work.acquire(blocking=False):
            try:
                self.is_behind = True
                self.player.close()
            finally:
                self._at_work.release()
