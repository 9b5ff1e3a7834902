"""From records to a learning run: which games, which kind of net, which folder."""

import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hansu.errors import HansuError, OptionError, RecordError
from hansu.games.game import Game
from hansu.learning.experts.fitting import PatternRun
from hansu.learning.experts.games import read_expert_games
from hansu.learning.experts.historic import HistoricRun
from hansu.learning.experts.positions import Positions, Table
from hansu.learning.experts.run import Run

HOLD_BACK = 10  # of so many games the strong net's validation set gets one


@dataclass(frozen=True)
class Started:
    """A run, and what to say about it."""

    run: Run
    title: str
    model: Path
    agent: str


def start_run(
    game: Game,
    records: list[Path],
    bad: list[RecordError],
    net: str,
    draws: str,
    epochs: int,
    out: Path | None,
    seed: int,
) -> Started:
    """Read the games and begin a run, or go on with the one in its folder."""
    if game.name != "othello":
        raise HansuError(f"records of othello can be learnt from, not of {game.name}")
    net = net or "historic"
    folder = out or Path("runs") / f"{game.name}-records-{net}"
    facts: dict[str, Any] = {"game": str(game), "net": net, "seed": seed}
    if net == "historic":
        counted = Positions(draws)
        for games in read_expert_games(records, bad):
            counted.add(games)
        _must_be_some(counted.games, bad)
        table = counted.table()
        facts |= {"draws": draws, "games": counted.games, **_size(table)}
        run: Run = HistoricRun(table, folder, facts, epochs, seed)
    elif net == "strong":
        training, validation = Positions("count", by_mover=True), Positions("count", by_mover=True)
        for games in read_expert_games(records, bad):
            held_back = np.arange(len(games)) % HOLD_BACK == HOLD_BACK - 1
            training.add(games[~held_back])
            validation.add(games[held_back])
        _must_be_some(min(training.games, validation.games), bad)
        facts |= {"games": training.games + validation.games, **_size(training.table())}
        run = PatternRun(training.table(), validation.table(), folder, facts, epochs, seed)
    else:
        raise OptionError(f"there is no net {net!r} for othello: historic or strong is expected")
    title = f"{facts['games']:,} games, {facts['positions']:,} positions, net {net}, in {folder}"
    return Started(run, title, folder / "value.npz", "record_learning")


def _must_be_some(games: int, bad: list[RecordError]) -> None:
    if not games:
        why = f"; the first error: {bad[0]}" if bad else ""
        raise HansuError(f"there are not enough games to learn from{why}")


def _size(table: Table) -> dict[str, Any]:
    """How many positions, and a checksum: a run goes on only with the same ones."""
    checksum = 0
    for column in table:
        checksum = zlib.crc32(column.tobytes(), checksum)
    return {"positions": len(table.n), "checksum": f"{checksum:08x}"}
