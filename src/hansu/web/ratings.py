"""The ratings of all agents of a game, across all tournaments that the page shows."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from hansu.arena.tournament.standings import standings
from hansu.arena.tournament.tournament import open_ledger
from hansu.errors import HansuError
from hansu.games.game import game
from hansu.records.record import GameRecord
from hansu.web.folders import TOURNAMENT_FILE, folders

MOST_TOURNAMENTS = 100  # the newest
Found = tuple[str, list[GameRecord]]  # the game with its options, and what was played


class Ratings:
    """One scale for each game; a tournament is read again only when it has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[float, Found]] = {}
        self._lock = threading.Lock()

    def facts(self) -> list[dict[str, Any]]:
        """Return the table of each game, the one with most games first."""
        by_game: dict[str, list[list[GameRecord]]] = {}
        with self._lock:
            for name in folders(self._folder, TOURNAMENT_FILE)[:MOST_TOURNAMENTS]:
                which, records = self._read(name)
                if records:
                    by_game.setdefault(which, []).append(records)
        tables = [_table(which, events) for which, events in by_game.items()]
        return sorted(tables, key=lambda table: -int(table["games"]))

    def _read(self, name: str) -> Found:
        file = self._folder / name / TOURNAMENT_FILE
        try:
            changed = file.stat().st_mtime
            if name not in self._known or self._known[name][0] != changed:
                ledger = open_ledger(file.parent, None)
                records = [_short(record) for record in ledger.records().values()]
                self._known[name] = changed, (ledger.plan().game, records)
        except (HansuError, OSError):
            return "", []
        return self._known[name][1]


def _short(record: GameRecord) -> GameRecord:
    """Return a record without what only a replay needs."""
    return replace(record, turns=[], final="", evidence="")


def _table(which: str, events: list[list[GameRecord]]) -> dict[str, Any]:
    records = [record for event in events for record in event]
    agents = list(dict.fromkeys(name for r in records for name in (r.first, r.second)))
    ranked = sorted(standings(agents, records, judged=False), key=lambda line: -line.rating.elo)
    return {
        "game": which,
        "name": game(which).name,
        "tournaments": len(events),
        "games": len(records),
        "standings": [replace(line, rank=rank).facts() for rank, line in enumerate(ranked, 1)],
    }
