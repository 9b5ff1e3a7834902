"""An isolated player as an agent: for analysis, and as an engine behind UCI and GTP."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from hansu.agents.agent import Answer
from hansu.agents.search_agent import Analyst
from hansu.arena.isolation.sandboxed_player import SandboxedPlayer
from hansu.arena.player import Fault
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.games.state import State
from hansu.search.limits import Limits, SearchHandle

T = TypeVar("T")

GRACE = 5.0  # seconds past its limit after which an agent is killed

Line = tuple[str, list[int]]
"""A start position, and the moves since then by their numbers."""


class IsolatedAgent(Analyst):
    """Asks an isolated player, about any position; it is reset where the game does not go on.

    The player lives in a thread of its own: the kernel ends its process together with the thread
    that has started it.
    """

    def __init__(self, player: SandboxedPlayer, game: Game) -> None:
        super().__init__(player.name)
        self.game = game
        self.isolation = player.isolation
        self._player = player
        self._thread = ThreadPoolExecutor(1, "hansu-isolated")
        self._known: Line | None = None  # what the player has seen of the game

    def reset(self) -> None:
        """Start the process if need be, and begin a game; raises HansuError."""
        assert self.game is not None
        self._begin(self.game.start(), SearchHandle())

    def choose(self, state: State, limits: Limits, handle: SearchHandle) -> Answer:
        """Return the player's move and what it found. To stop it is to end its process."""
        if limits.seconds is not None:
            state.timing = replace(state.timing, move_seconds=limits.seconds)
        line = _line(state)
        known = self._known
        if known is None or known[0] != line[0] or known[1] != line[1][: len(known[1])]:
            self._begin(state, handle)
        seconds = min(state.remain_sec, state.max_move_sec) + GRACE
        deadline = None if seconds == float("inf") else seconds
        begin = time.perf_counter()
        answer = self._call(lambda: self._player.act(state.copy(), deadline, handle), handle)
        self._known = None if handle.stopped else line  # where it was stopped it has ended
        self.info = answer.info
        if answer.info is not None:  # how long it took we know better
            self.info = replace(answer.info, seconds=time.perf_counter() - begin)
        return Answer(answer.move, self.info)

    def close(self) -> None:
        """Tell the agent that the game is over."""
        self._call(self._player.end_game, SearchHandle())

    def release(self) -> None:
        """End the process."""
        self._player.interrupt()
        self._thread.submit(self._player.close)
        self._thread.shutdown()

    def _begin(self, state: State, handle: SearchHandle) -> None:
        seed = self.rng.getrandbits(63)
        self._call(lambda: self._player.reset(self.color, state.copy(), seed), handle)
        self._known = _line(state)

    def _call(self, work: Callable[[], T], handle: SearchHandle) -> T:
        try:
            return self._thread.submit(work).result()
        except Fault as fault:
            self._known = None
            what = "was stopped" if handle.stopped else f"failed: {fault}"
            raise HansuError(f"{self.name} {what}") from None
        except BaseException:  # such as Ctrl-C: nobody waits for the answer any more
            self._known = None
            self._player.interrupt()
            raise


def _line(state: State) -> Line:
    base = state.copy()
    while base.move_stack:
        base.pop()
    return base.text(), [state.move_id(move) for move in state.move_stack]
