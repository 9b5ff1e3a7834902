"""``IsolatedPlayer``: a seat at the board for an agent that nobody vouches for."""

import math
import os
import re
import warnings
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from hansu.agents.agent import Answer
from hansu.agents.loading import reference
from hansu.arena.isolation.finding import read_finding
from hansu.arena.isolation.framing import (
    LARGEST_MOVE,
    REASONS,
    FramingError,
    Message,
    printable,
)
from hansu.arena.isolation.launch import Messages, check_launch, launch
from hansu.arena.isolation.limits import SandboxLimits
from hansu.arena.isolation.sandboxed_player import SandboxedPlayer
from hansu.arena.isolation.view import chosen_cache, find_view, shared_with
from hansu.arena.judge import describe_illegal
from hansu.arena.player import Fault
from hansu.arena.precompile import precompile
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.games.state import RESIGN, State
from hansu.kernel.compile import PACKAGE
from hansu.search.info import SearchInfo
from hansu.search.limits import SearchHandle


class SharedFolderWarning(UserWarning):
    """An agent's package holds what is not the agent's, and the agent can read it."""


class IsolatedPlayer(SandboxedPlayer):
    """An agent by file or dotted path, in a process of its own for as long as the match lasts.

    Between its turns the process is stopped. After a fault it is killed, and the next game gets
    a new one. Where the machine cannot isolate that is a HansuError. Without
    ``require_isolation`` the agent runs as a plain process, and a ``NotIsolatedWarning`` says so;
    never as root.
    """

    def __init__(
        self,
        agent: str,
        game: Game,
        *,
        name: str = "",
        limits: SandboxLimits = SandboxLimits(),  # noqa: B008 - frozen
        require_isolation: bool = True,
    ) -> None:
        found = reference(agent)
        if found is None:
            raise HansuError(f"{agent!r} is neither a Python file nor a dotted path")
        if found.is_file:  # inside, the current folder is another one
            found = replace(found, place=str(Path(found.place).absolute()))
        super().__init__(name or agent, find_view(found, game), limits, require_isolation)
        self.agent, self.game = found, game
        check_launch(agent, require_isolation)
        strange = shared_with(self.view)
        if strange:
            warnings.warn(
                f"{self.view.own} is one agent's package, and it holds {strange}: "
                "give each agent a folder of its own",
                SharedFolderWarning,
                stacklevel=2,
            )
        self._known = 0  # moves that the agent's replica of the state has
        self._id = 0
        precompile(game)

    def load(self, color: bool) -> None:
        """Import and make the agent; raises HansuError where that fails, Fault where it cheats."""
        if self.process is None:
            self._start()
        try:
            self._ask({"op": "load", "color": color}, self.limits.start_seconds)
        except Fault as fault:
            if fault.reason == "crash":
                self.close()
                raise HansuError(f"{self.name} cannot play: {fault.evidence}") from None
            raise

    def reset(self, color: bool, start: State, seed: int) -> None:
        """Start the process if there is none; import, ``__init__`` and ``reset`` of the agent."""
        if self.process is None:
            self._start()
        assert self.process is not None
        self.process.begin_game()
        base = start.copy()
        while base.move_stack:
            base.pop()
        self._known = 0
        self._ask(
            {
                "op": "reset",
                "color": color,
                "start": base.text(),
                "moves": self._news(start),
                "seed": seed,
            },
            self.limits.start_seconds,
        )

    def act(
        self, state: State, seconds: float | None, handle: SearchHandle | None = None
    ) -> Answer:
        """Send what was played since, wait for the answer and read it as a move of this state.

        Whoever stops the handle ends the process, and gets a Fault unless it has just answered.
        """
        limits = {
            "white": state.white_remain_sec,
            "black": state.black_remain_sec,
            "increment": state.increment_sec,
            "move_seconds": state.max_move_sec,
        }
        finite = {k: v if math.isfinite(v) else None for k, v in limits.items()}
        question = {"op": "act", "moves": self._news(state), **finite}  # JSON has no infinity
        with self._ended_by(handle):
            reply = self._ask(question, seconds)
        if reply.get("resign") is True:
            return Answer(RESIGN)
        number, found = reply.get("move"), reply.get("found")
        if type(number) is not int or not 0 <= number <= LARGEST_MOVE:
            self.close()
            raise Fault("disqualified", f"sent garbage: {printable(repr(reply))}")
        try:
            move = state.move_from_id(number)
            text = "" if found is None else state.move_text(move)
        except Exception:
            raise Fault("illegal_move", describe_illegal(state, number)) from None
        return Answer(move, None if found is None else self._finding(found, move, text))

    def _finding(self, found: Any, move: Any, text: str) -> SearchInfo:
        """What the agent says it found: three numbers, and none of them can be trusted."""
        try:
            return read_finding(found, move, text)
        except FramingError as error:
            self.close()
            raise Fault("disqualified", str(error)) from None

    def end_game(self) -> None:
        """The agent's ``close``."""
        if self.process is not None:
            self._ask({"op": "close"}, self.limits.close_seconds)

    def _start(self) -> None:
        """A new process, confined and with the rules loaded, that has not yet seen the agent."""
        code = self._inside(self.view.code)
        own = self._inside(self.view.own)  # it may try to write there: that fails by itself
        agent = self.agent
        if agent.is_file:
            agent = replace(agent, place=self._inside(Path(agent.place)))
        start = {
            "game": _described(self.game),
            "agent": asdict(agent),
            "name": self.name,
            "code": code,
            "readable": [*([code] if self.isolated else []), *self.view.readable],
            "writable": [own, *chosen_cache(), f"{PACKAGE}/__pycache__"],
        }
        self.process = launch(self.view, self.limits, self.isolated, start)
        self._messages = Messages(self.process)

    def _ask(self, message: Message, seconds: float | None) -> Message:
        """One question, one answer with the same number; anything else is a fault."""
        if self.process is None:
            raise Fault("crash", "its process has ended")
        self._id += 1
        try:
            reply = self._messages.ask({"id": self._id, **message}, seconds)
        except BaseException:
            self.process = None  # killed
            raise
        fault = reply.get("fault")
        if fault is not None:
            told = (
                isinstance(fault, list)
                and len(fault) == 2
                and all(isinstance(part, str) for part in fault)
            )
            reason, evidence = fault if told else ("disqualified", f"sent garbage: {fault!r}")
            if reason not in ("crash", "illegal_move"):
                self.close()
            # Where the organiser keeps the code is nobody's business.
            for folder in (self._inside(self.view.code), self._inside(self.view.root)):
                evidence = evidence.replace(f"{folder}{os.sep}", "")
            evidence = printable(evidence + self._hint(evidence))
            raise Fault(reason if reason in REASONS else "disqualified", evidence)
        if reply.get("id") != self._id:
            self.close()
            raise Fault("disqualified", "answered a question that was not asked")
        return reply

    def _hint(self, evidence: str) -> str:
        """Why a neighbour of the agent's file is not there, if that is what it missed."""
        missed = re.search(r"(?:No module named|No such file or directory:) '([^']+)'", evidence)
        if missed is None or self.view.own.is_dir():
            return ""
        name = missed[1].rpartition("/")[2].partition(".")[0]
        if not any(file.stem == name for file in self.view.code.iterdir()):
            return ""
        return "; an agent sees its own file alone, unless __init__.py makes its folder a package"

    def _news(self, state: State) -> list[int]:
        """The moves that the replica does not know yet."""
        news = [state.move_id(move) for move in state.move_stack[self._known :]]
        self._known = len(state.move_stack)
        return news


def _described(game: Game) -> Message:
    """A game as data: where its class is, and its rules."""
    rules = {field.name: getattr(game.options, field.name) for field in fields(game.options)}
    return {"module": type(game).__module__, "kind": type(game).__qualname__, "rules": rules}
