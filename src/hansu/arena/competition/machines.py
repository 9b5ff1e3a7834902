"""Which machine played what, and whether its results fit the others'.

A machine that is too slow, too busy or broken makes some players score otherwise there than the
ratings expect. Its residuals, squared and weighed player by player, give a chi-squared. How big
that may be by chance is found by dealing the machines out to the encounters anew, again and again:
no model of draws or of first moves is needed.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansu.arena.competition.register import Register
from hansu.arena.ratings import ELO
from hansu.arena.tournament.claim import claimed_file
from hansu.arena.tournament.ledger import Ledger
from hansu.arena.tournament.standings import CrossTable, rate
from hansu.errors import HansuError, UnknownName
from hansu.records.evidence import evidence_facts
from hansu.records.record import GameRecord

SURE = 0.01  # a machine fits unless chance would explain it less often than this, of all machines
DEALS = 1999  # times that machines are dealt out anew
STARVED = 0.5  # share of CPU time in a lost turn below which the player did not get its core
REPLACED = "replaced"  # the folder that keeps the records of games that are played again


@dataclass(frozen=True)
class Machine:
    """What a machine has played, and how its results compare."""

    name: str
    cpu: str
    games: int
    speed: float  # MB/s of BLAKE2b on one core, on average
    load: float  # on average
    timeouts: int
    doubtful: int  # time-outs with little CPU time, while the machine had too much to do
    chi_squared: float = 0.0
    chance: float = 1.0  # that machines which all play alike differ as much

    @property
    def fits(self) -> bool:
        """Whether its results are what chance would give."""
        return self.chance >= SURE


class Played(NamedTuple):
    """A game of a stage, with where it was played."""

    stage: str
    number: int
    record: GameRecord


def played(register: Register) -> list[Played]:
    """Return all games of a competition that say where they were played."""
    stages = [register.event, *(f"{register.event} {d.name}" for d in register.settings.deadlines)]
    return [
        Played(stage, number, record)
        for stage in stages
        for number, record in Ledger(register.database, stage).records().items()
        if record.provenance is not None
    ]


def machines(games: Sequence[Played], seed: int = 0) -> list[Machine]:
    """Return what each machine has played, those that fit least first.

    One that does not fit is left out before the others are compared: it has spoilt their ratings.
    """
    by_name: dict[str, list[Played]] = defaultdict(list)
    for game in games:
        assert game.record.provenance is not None
        by_name[game.record.provenance.machine].append(game)
    compared, left = dict.fromkeys(by_name, (0.0, 1.0)), set(by_name)
    while len(left) > 1:
        now = compare([game for name in sorted(left) for game in by_name[name]], seed)
        compared |= now
        worst = min(now, key=lambda name: (now[name][1], -now[name][0]))
        if now[worst][1] >= SURE:
            break
        left.remove(worst)
    if len(left) == 1:
        compared[min(left)] = (0.0, 1.0)  # nobody is left who could contradict it
    found = [
        _machine(name, [game.record for game in own], *compared[name])
        for name, own in by_name.items()
    ]
    return sorted(found, key=lambda each: (each.chance, -each.chi_squared, each.name))


def _machine(name: str, records: list[GameRecord], chi: float, chance: float) -> Machine:
    made = [record.provenance for record in records if record.provenance is not None]
    late = [record for record in records if record.outcome.reason == "timeout"]
    return Machine(
        *(name, made[-1].cpu, len(records)),
        speed=float(np.mean([each.speed for each in made])),
        load=float(np.mean([each.load for each in made])),
        timeouts=len(late),
        doubtful=sum(map(is_doubtful, late)),
        chi_squared=chi,
        chance=chance,
    )


def is_doubtful(record: GameRecord) -> bool:
    """Return whether a time-out may be the machine's fault, by its own record.

    The player got less than half of its time as CPU time, while more wanted to run than there are
    cores. A player that sleeps on an idle machine has only itself to blame.
    """
    facts, made = evidence_facts(record.evidence), record.provenance
    if made is None or facts is None or facts["kind"] != "timeout_cpu":
        return False
    is_busy = made.load > max(1, made.cores)
    return is_busy and float(facts["cpu"]) < STARVED * float(facts["used"])


def compare(games: Sequence[Played], seed: int = 0) -> dict[str, tuple[float, float]]:
    """Return of each machine its chi-squared, and how often chance gives as much to any machine."""
    records = [game.record for game in games]
    names = sorted({name for record in records for name in (record.first, record.second)})
    rated = rate(CrossTable(names, records))
    number = {name: i for i, name in enumerate(names)}
    where = [record.provenance.machine if record.provenance else "" for record in records]
    places = sorted(set(where))
    # Both games of an opening are one observation, dealt out together.
    keys = [(g.stage, g.number // 2, at) for g, at in zip(games, where, strict=True)]
    group = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    owner = np.array([places.index(key[2]) for key in group])
    elo = np.array([rated[name].elo for name in names])
    first = np.array([number[record.first] for record in records])
    second = np.array([number[record.second] for record in records])
    expected = 1.0 / (1.0 + np.exp(-(elo[first] - elo[second]) / ELO))
    residual = np.array([record.score_first for record in records]) - expected
    observations = np.array([group[key] for key in keys])
    counted = _Residuals(
        np.concatenate([observations, observations]),
        np.concatenate([first, second]),
        np.concatenate([residual, -residual]),
        np.tile(np.maximum(expected * (1.0 - expected), 0.01), 2),
        (len(places), len(names)),
    )
    real = counted.chi_squared(owner)
    rng = np.random.default_rng(seed)
    least = np.zeros(len(places))
    for _ in range(DEALS):
        # Of machines of any size: each by how its own chi-squared compares with its own chances.
        least += counted.chi_squared(rng.permutation(owner)) >= real - 1e-9
    chance = np.minimum(1.0, len(places) * (least + 1) / (DEALS + 1))
    return {name: (float(real[i]), float(chance[i])) for i, name in enumerate(places)}


class _Residuals(NamedTuple):
    """What each player scored beyond expectation, game by game."""

    observation: NDArray[np.int64]
    player: NDArray[np.int64]
    residual: NDArray[np.float64]
    variance: NDArray[np.float64]
    shape: tuple[int, int]  # machines, players

    def chi_squared(self, owner: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return each machine's chi-squared if ``owner`` had played the observations."""
        cell = owner[self.observation] * self.shape[1] + self.player
        size = self.shape[0] * self.shape[1]
        total = np.bincount(cell, self.residual, size).reshape(self.shape)
        variance = np.bincount(cell, self.variance, size).reshape(self.shape)
        parts: NDArray[np.float64] = (total**2 / np.maximum(variance, 1e-9)).sum(axis=1)
        return parts


def play_again(register: Register, machine: str, doubtful_only: bool = False) -> int:
    """Take back the games of a machine, so that the next ``hansu compete`` plays them again.

    They get the same seeds. Their records are kept in the folder ``replaced``. Raises HansuError
    while the competition runs.
    """
    games = played(register)
    known = {game.record.provenance.machine for game in games if game.record.provenance}
    if machine not in known:
        raise UnknownName("machine", machine, known)
    chosen = [
        game
        for game in games
        if game.record.provenance is not None
        and game.record.provenance.machine == machine
        and (not doubtful_only or is_doubtful(game.record))
    ]
    with claimed_file(register.folder / "lock"):
        _keep(register.folder / REPLACED, machine, chosen)
        for stage in dict.fromkeys(game.stage for game in chosen):
            numbers = [game.number for game in chosen if game.stage == stage]
            Ledger(register.database, stage).take_back(numbers)
    return len(chosen)


def _keep(folder: Path, machine: str, games: list[Played]) -> None:
    safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in machine).lstrip(".") or "_"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        with (folder / f"{safe[:80]}.jsonl").open("a", encoding="utf-8") as out:
            out.writelines(f"{game.record.as_json()}\n" for game in games)
    except OSError as error:
        raise HansuError(f"cannot keep the games in {folder}: {error.strerror}") from None
