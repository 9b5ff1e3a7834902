"""Inside: the agent, its replica of the state, and the answers to the arena's questions."""

import errno
import importlib
import math
import operator
import os
import sys
from typing import NoReturn

from hansu.agents.agent_life import AgentLife
from hansu.agents.asking import ask
from hansu.agents.loading import Reference, find_class, make_agent
from hansu.arena.isolation import audit
from hansu.arena.isolation.finding import pack_finding
from hansu.arena.isolation.framing import (
    LARGEST_MOVE,
    Message,
    pack,
    printable,
)
from hansu.arena.judge import describe_illegal
from hansu.arena.player import crash_evidence
from hansu.arena.precompile import precompile_rules
from hansu.errors import HansuError
from hansu.games.state import RESIGN, Timing
from hansu.kernel.cache_folders import rely_on

VIOLATION = 3  # exit status after a reported violation; the report itself is what counts


class Unloadable(Exception):
    """There is no agent in what was handed in; the message says why."""


class AgentHost:
    """Does what the arena asks, one message at a time."""

    def __init__(self, start: Message, outgoing: int) -> None:
        if start["isolated"]:
            rely_on(start["caches"])
        kind = getattr(importlib.import_module(start["game"]["module"]), start["game"]["kind"])
        self.game = kind(**start["game"]["rules"])
        precompile_rules(self.game)
        self.state = self.game.start()
        self.reference = Reference(**start["agent"])
        self.name: str = start["name"]
        self.code: str = start["code"]
        self.life: AgentLife | None = None
        self.id = start["id"]
        self.outgoing = outgoing
        sys.argv = [self.name]
        if self.code not in sys.path:
            sys.path.insert(0, self.code)
        self.threads = start["threads"]
        writable = [*start["writable"], start["scratch"]["folder"]]
        audit.watch(start["readable"], writable, self.code, self.convict)

    def send(self, reply: Message) -> None:
        """Answer the question at hand."""
        data = pack({"id": self.id, **reply})
        while data:
            data = data[os.write(self.outgoing, data) :]

    def convict(self, what: str) -> NoReturn:
        """Tell the arena what the agent tried, and end."""
        self.send({"fault": ["disqualified", printable(what)]})
        os._exit(VIOLATION)

    def answer(self, message: Message) -> None:
        """Do what is asked; whatever the agent throws becomes a fault."""
        self.id = message["id"]
        try:
            reply: Message = getattr(self, message["op"])(message)
        except Unloadable as error:
            reply = _fault("crash", str(error))
        except BaseException as error:
            reply = self.fault_of(error)
        self.send(reply)

    def fault_of(self, error: BaseException) -> Message:
        """An error of the agent is a crash, unless it ran into a limit of the rules."""
        said = self.describe(error)
        if isinstance(error, audit.ProcessRefused):
            return _fault("disqualified", said)
        if isinstance(error, MemoryError) or getattr(error, "errno", 0) == errno.ENOMEM:
            return _fault("disqualified", f"asked for more memory than is allowed: {said}")
        if isinstance(error, RuntimeError) and "can't start new thread" in said:
            return _fault("disqualified", f"more than {self.threads} threads: {said}")
        return _fault("crash", said)

    def reset(self, message: Message) -> Message:
        """Get ready for a game."""
        self.state = self.game.parse(message["start"])
        self.follow(message["moves"])
        self.load(message)
        assert self.life is not None
        self.life.begin_game(self.state, message["color"], message["seed"])
        return {}

    def act(self, message: Message) -> Message:
        """Ask the agent for a move, on a copy: it cannot spoil the replica by accident."""
        self.follow(message["moves"])
        self.state.white_remain_sec = _seconds(message["white"])
        self.state.black_remain_sec = _seconds(message["black"])
        self.state.timing = Timing(message["increment"], _seconds(message["move_seconds"]))
        assert self.life is not None
        answer = ask(self.life.agent, self.state.copy())
        if answer.move is RESIGN:
            return {"resign": True}
        try:
            number = operator.index(self.state.move_id(answer.move))
        except Exception:
            number = -1
        if not 0 <= number <= LARGEST_MOVE:  # no move at all; what is legal the referee decides
            return _fault("illegal_move", describe_illegal(self.state, answer.move))
        return {"move": number, "found": pack_finding(answer.info)}

    def close(self, message: Message) -> Message:
        """The game is over."""
        if self.life is not None:
            self.life.end_game()
        return {}

    def load(self, message: Message) -> Message:
        """Import the agent's code and make the agent, once."""
        if self.life is None:
            try:
                kind = find_class(self.reference)
                made = make_agent(kind, self.name, message["color"], self.reference.options)
                made.game = self.game
                self.life = AgentLife(made)
            except HansuError as error:
                raise Unloadable(str(error)) from error
        return {}

    def follow(self, moves: list[int]) -> None:
        """Bring the replica up to date."""
        for number in moves:
            self.state.push(self.state.move_from_id(number))

    def describe(self, error: BaseException) -> str:
        """The error and the agent's line; one that cannot even be printed, by its type."""
        try:
            return crash_evidence(error, self.code)
        except BaseException:
            return type(error).__name__


def _seconds(told: float | None) -> float:
    return math.inf if told is None else told


def _fault(reason: str, evidence: str) -> Message:
    return {"fault": [reason, printable(evidence)]}
