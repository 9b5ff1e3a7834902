"""From records to a learning run: which games, which kind of net, which folder."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.errors import HansuError, OptionError, RecordError
from hansu.games.game import Game
from hansu.learning.experts.fitting import PatternRun
from hansu.learning.experts.games import read_expert_games
from hansu.learning.experts.historic import HistoricRun
from hansu.learning.experts.imitation import ImitationRun, expert_samples
from hansu.learning.experts.positions import Positions
from hansu.learning.experts.run import HOLD_BACK, Run
from hansu.records.formats import read_games

NETS = ("historic", "strong")  # of othello
SMALL_NETWORK = "R32x3"
FEWEST_POSITIONS = 5  # of the historic net: one in five is held back


@dataclass(frozen=True)
class Wish:
    """What is to be learnt from which records, and where."""

    game: Game
    records: list[Path]
    net: str = ""
    draws: str = "drop"
    epochs: int = 300
    out: Path | None = None
    seed: int = 0

    def folder(self, net: str) -> Path:
        """Where the run is kept."""
        return self.out or Path("runs") / f"{self.game.name}-records-{net}"

    def facts(self, net: str) -> dict[str, Any]:
        """What tells one run from another."""
        return {"game": str(self.game), "net": net, "seed": self.seed}


@dataclass(frozen=True)
class Started:
    """A run, and how to play with its result."""

    run: Run
    model: Path
    agent: str


def start_run(wish: Wish, bad: list[RecordError]) -> Started:
    """Read the games and begin a run, or go on with the one in its folder.

    Games that cannot be learnt from are told in ``bad``.
    """
    if wish.game.name != "othello":
        return _imitation(wish, bad)
    net = wish.net or "historic"
    if net not in NETS:
        raise OptionError(f"there is no net {net!r} for othello: historic or strong is expected")
    run = _historic(wish, bad) if net == "historic" else _strong(wish, bad)
    return Started(run, wish.folder(net) / "value.npz", "record_learning")


def _historic(wish: Wish, bad: list[RecordError]) -> Run:
    counted = Positions(wish.draws)
    for games in read_expert_games(wish.records, bad):
        counted.add(games)
    _must_suffice(counted.games, 1, bad)
    table = counted.table()
    if (found := len(table.n)) < FEWEST_POSITIONS:
        raise HansuError(f"too few positions to learn from, {found} instead of {FEWEST_POSITIONS}")
    facts = wish.facts("historic") | {"draws": wish.draws, "games": counted.games}
    facts |= _size(len(table.n), table)
    return HistoricRun(table, wish.folder("historic"), facts, wish.epochs, wish.seed)


def _strong(wish: Wish, bad: list[RecordError]) -> Run:
    training, validation = (Positions("count", by_mover=True) for _ in range(2))
    count = 0
    for games in read_expert_games(wish.records, bad):
        held_back = np.arange(count, count + len(games)) % HOLD_BACK == HOLD_BACK - 1
        training.add(games[~held_back])
        validation.add(games[held_back])
        count += len(games)
    _must_suffice(count, HOLD_BACK, bad)
    table = training.table()
    facts = wish.facts("strong") | {"games": count, **_size(len(table.n), table)}
    folder = wish.folder("strong")
    return PatternRun(table, validation.table(), folder, facts, wish.epochs, wish.seed)


def _imitation(wish: Wish, bad: list[RecordError]) -> Started:
    net = wish.net or SMALL_NETWORK
    records = read_games(wish.records, bad)
    games = expert_samples(wish.game, records, bad)
    _must_suffice(len(games), HOLD_BACK, bad)
    facts = wish.facts(net) | {"games": len(games), **_size(sum(map(len, games)), games)}
    folder = wish.folder(net)
    run = ImitationRun(wish.game, games, net, folder, facts, wish.epochs, wish.seed)
    return Started(run, folder / "model.onnx", "self_learning")


def _must_suffice(games: int, needed: int, bad: list[RecordError]) -> None:
    if games < needed:
        why = f"; the first error: {bad[0]}" if bad else ""
        raise HansuError(f"too few games to learn from, {games}: at least {needed} are needed{why}")


def _size(positions: int, arrays: Iterable[NDArray[Any]]) -> dict[str, Any]:
    """How many positions, and a checksum: a run goes on only with the same ones."""
    checksum = 0
    for array in arrays:
        checksum = zlib.crc32(array.tobytes(), checksum)
    return {"positions": positions, "checksum": f"{checksum:08x}"}
