"""Start a learning run from records: the games, the kind of net, the folder."""

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
from hansu.learning.experts.run import VALIDATION_EVERY, Run
from hansu.records.formats import read_games

NETS = ("historic", "strong")  # of othello
SMALL_NETWORK = "R32x3"
FEWEST_POSITIONS = 5  # of the historic net: one in five is in the validation set


@dataclass(frozen=True)
class LearnRequest:
    """What to learn from which records, and the folder of the run."""

    game: Game
    records: list[Path]
    net: str = ""
    draws: str = "drop"
    epochs: int = 300
    out: Path | None = None
    seed: int = 0
    device: str = "auto"

    def folder(self, net: str) -> Path:
        """Return the folder of the run."""
        return self.out or Path("runs") / f"{self.game.name}-records-{net}"

    def facts(self, net: str) -> dict[str, Any]:
        """Return the facts that identify a run."""
        return {"game": str(self.game), "net": net, "seed": self.seed}


@dataclass(frozen=True)
class Started:
    """A run, and how to play with its result."""

    run: Run
    model: Path
    agent: str


def start_run(request: LearnRequest, bad: list[RecordError]) -> Started:
    """Read the games and begin a run, or resume the one in its folder.

    Games that cannot be learnt from are added to ``bad``.
    """
    if request.game.name != "othello":
        return _imitation(request, bad)
    net = request.net or "historic"
    if net not in NETS:
        raise OptionError(f"there is no net {net!r} for othello: historic or strong is expected")
    run = _historic(request, bad) if net == "historic" else _strong(request, bad)
    return Started(run, request.folder(net) / "value.npz", "record_learning")


def _historic(request: LearnRequest, bad: list[RecordError]) -> Run:
    counted = Positions(request.draws)
    for games in read_expert_games(request.records, bad):
        counted.add(games)
    _must_suffice(counted.games, 1, bad)
    table = counted.table()
    if (found := len(table.n)) < FEWEST_POSITIONS:
        raise HansuError(f"too few positions to learn from, {found} instead of {FEWEST_POSITIONS}")
    facts = request.facts("historic") | {"draws": request.draws, "games": counted.games}
    facts |= _size(len(table.n), table)
    folder = request.folder("historic")
    return HistoricRun(table, folder, facts, request.epochs, request.seed, request.device)


def _strong(request: LearnRequest, bad: list[RecordError]) -> Run:
    training, validation = (Positions("count", by_mover=True) for _ in range(2))
    count = 0
    for games in read_expert_games(request.records, bad):
        number = np.arange(count + 1, count + 1 + len(games))
        is_validation = number % VALIDATION_EVERY == 0
        training.add(games[~is_validation])
        validation.add(games[is_validation])
        count += len(games)
    _must_suffice(count, VALIDATION_EVERY, bad)
    table = training.table()
    facts = request.facts("strong") | {"games": count, **_size(len(table.n), table)}
    folder = request.folder("strong")
    return PatternRun(table, validation.table(), folder, facts, request.epochs, request.seed)


def _imitation(request: LearnRequest, bad: list[RecordError]) -> Started:
    net = request.net or SMALL_NETWORK
    records = read_games(request.records, bad)
    games = expert_samples(request.game, records, bad)
    _must_suffice(len(games), VALIDATION_EVERY, bad)
    facts = request.facts(net) | {"games": len(games), **_size(sum(map(len, games)), games)}
    folder = request.folder(net)
    how = (net, folder, facts, request.epochs, request.seed, request.device)
    run = ImitationRun(request.game, games, *how)
    return Started(run, folder / "model.onnx", "self_learning")


def _must_suffice(games: int, needed: int, bad: list[RecordError]) -> None:
    if games < needed:
        why = f"; the first error: {bad[0]}" if bad else ""
        raise HansuError(f"too few games to learn from, {games}: at least {needed} are needed{why}")


def _size(positions: int, arrays: Iterable[NDArray[Any]]) -> dict[str, Any]:
    """Return the number of positions and a checksum: a run resumes only with the same ones."""
    checksum = 0
    for array in arrays:
        checksum = zlib.crc32(array.tobytes(), checksum)
    return {"positions": positions, "checksum": f"{checksum:08x}"}
