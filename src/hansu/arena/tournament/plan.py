"""The plan of a tournament: the same plan means the same schedule."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Literal, get_args

from hansu.arena.openings import VARIETY
from hansu.arena.seat import Contestant, Isolation, check_isolation, is_deterministic, name_of
from hansu.arena.seeds import event_seed
from hansu.errors import OptionError
from hansu.games.game import Game
from hansu.options import whole_number
from hansu.records.record import TimeControl

Format = Literal["round-robin", "gauntlet", "swiss"]


@dataclass(frozen=True)
class Plan:
    """Everything that decides which games are played and how."""

    game: str
    agents: tuple[str, ...]
    rounds: int
    format: Format
    openings: str | None
    openings_digest: str | None  # of a file of openings: it must not change between two runs
    seconds: float | None
    move_seconds: float | None
    increment: float
    seed: int  # of the event: secret until the results are published
    untrusted: bool
    isolation: Isolation = "required"  # how agents of files run
    heads: int = 1  # in a gauntlet: how many of the first agents meet all others

    @property
    def control(self) -> TimeControl:
        """The clock of every game."""
        return TimeControl(self.seconds, self.move_seconds, self.increment)

    @property
    def scheduled(self) -> int:
        """How many games there will be."""
        agents = len(self.agents)
        encounters = {
            "round-robin": agents * (agents - 1) // 2,
            "gauntlet": self.heads * (agents - self.heads),
            "swiss": agents // 2,
        }
        return 2 * self.rounds * encounters[self.format]

    def as_json(self) -> str:
        """Return one line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> "Plan":
        """Return the plan that ``as_json`` wrote."""
        facts = json.loads(line)
        return cls(**{**facts, "agents": tuple(facts["agents"])})

    def differences(self, other: "Plan") -> list[str]:
        """Say in words how another plan differs."""
        found = []
        for field in fields(self):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            if mine != theirs:
                what = field.name.replace("_", " ")
                found.append(f"{what} {_shown(mine)} there, {_shown(theirs)} now")
        return found


def make_plan(
    game: Game,
    contestants: Sequence[Contestant],
    rounds: int,
    format: Format,
    openings: str | None,
    control: TimeControl,
    seed: int | None,
    untrusted: bool,
    isolation: Isolation = "required",
) -> Plan:
    """Return a plan that makes sense, with a new secret seed unless one is given.

    Raises:
        OptionError: The plan does not make sense.
    """
    if any(isinstance(who, list | tuple) for who in contestants):
        raise OptionError(
            "a tournament takes its agents one by one, not as a list: tournament(game, a, b)"
        )
    if len(contestants) < 2:
        raise OptionError(f"a tournament has at least two agents, not {len(contestants)}")
    names = unique_names(contestants)
    if whole_number(rounds, "rounds") < 1:
        raise OptionError(f"a tournament has at least one round, not {rounds}")
    if format not in get_args(Format):
        raise OptionError(f"format {format!r} is not one of {', '.join(get_args(Format))}")
    if openings is not None and not isinstance(openings, str):
        raise OptionError(f"openings: {openings!r} is not a text: a file or random:4 is expected")
    if not isinstance(control, TimeControl):
        raise OptionError(f"control: {control!r} is not a TimeControl")
    if control.seconds == 0 or control.move_seconds == 0:
        raise OptionError("a clock of 0 seconds has run out before the first move")
    check_isolation(isolation, untrusted)
    if openings is None and sum(is_deterministic(c, game) for c in contestants) > 1:
        openings = VARIETY
    return Plan(
        game=str(game),
        agents=names,
        rounds=rounds,
        format=format,
        openings=openings,
        openings_digest=digest_of(openings),
        seconds=control.seconds,
        move_seconds=control.move_seconds,
        increment=control.increment,
        seed=event_seed(seed),
        untrusted=untrusted,
        isolation=isolation,
    )


def unique_names(contestants: Sequence[Contestant]) -> tuple[str, ...]:
    """Return a name for each contestant; repeated names are numbered.

    >>> unique_names(["random", "mcts", "random"])
    ('random', 'mcts', 'random#2')
    """
    seen: Counter[str] = Counter()
    names = []
    for contestant in contestants:
        name = name_of(contestant)
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return tuple(names)


def digest_of(openings: str | None) -> str | None:
    """Return the hash of a file of openings; None of openings that are no file."""
    if openings is None or openings.startswith("random:"):
        return None
    try:
        return hashlib.sha256(Path(openings).read_bytes()).hexdigest()[:16]
    except (OSError, ValueError):
        return None  # reading the openings reports why


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "none" if value is None else str(value)
