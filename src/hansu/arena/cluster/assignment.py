"""What a worker on another machine is told to play, and what it answers."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hansu.arena.isolation.limits import SandboxLimits
from hansu.arena.tournament.plan import Plan
from hansu.arena.tournament.schedule import ScheduledGame
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.games.state import State

LONGEST = 1 << 26  # letters of an answer


@dataclass(frozen=True)
class Terms:
    """What all games of a job have in common."""

    job: str  # its name, under which a worker keeps its players
    game: Game
    plan: Plan  # without the event's seed, which is nobody's business
    limits: SandboxLimits


@dataclass(frozen=True)
class Side:
    """Who takes one side, wherever that is."""

    name: str
    contestant: str  # as it is named here; with a bundle, what follows the place of its file
    digest: str  # SHA-256 of the agent, as the record names it
    bundle: str | None = None  # its key
    place: str = ""  # in the bundle, from "./" on; or a dotted path
    absent: str = ""  # why it cannot play anywhere


@dataclass(frozen=True)
class Assignment:
    """One game to be played."""

    terms: Terms
    game: ScheduledGame
    start: State
    first: Side
    second: Side
    board: Any = None  # the actor that shows it to spectators, if there are any

    @cached_property
    def key(self) -> str:
        """What names this game and no other: number, seed, opening, and both agents' bytes."""
        sides = [[side.name, side.contestant, side.digest] for side in (self.first, self.second)]
        facts = [self.terms.job, self.game.number, self.game.seed, self.start.text(), sides]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


class Nonsense(HansuError):
    """An answer that no honest worker gives."""


@dataclass(frozen=True)
class Reply:
    """A worker's answer: a record as one line of JSON, or why it cannot play."""

    key: str
    record: str = ""
    player: int = -1  # whose fault the trouble seems to be: a place in the plan
    trouble: str = ""

    def as_json(self) -> str:
        """Return it as text: nothing of a worker's is taken as an object."""
        return json.dumps(vars(self))


def read_reply(answer: Any, expected: str) -> Reply:
    """Return the answer to an assignment with a key; raises Nonsense."""
    if not isinstance(answer, str) or len(answer) > LONGEST:
        raise Nonsense(f"a {type(answer).__name__} instead of a result")
    try:
        facts = json.loads(answer)
        kinds = {name: type(value) for name, value in facts.items()}
    except (ValueError, AttributeError, RecursionError):
        raise Nonsense("an answer that is no JSON object") from None
    if kinds != {"key": str, "record": str, "player": int, "trouble": str}:
        raise Nonsense("an answer that is neither a result nor a complaint")
    if facts["key"] != expected:
        raise Nonsense("the result of another game")
    return Reply(**facts)
