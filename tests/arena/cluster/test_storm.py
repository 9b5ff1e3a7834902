"""Machines are killed and added at random, the database goes away: no game is lost or doubled."""

import random
import time
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

import hansu
from hansu.arena.cluster.machines import ClusterWarning
from hansu.arena.tournament import database as database_module
from hansu.arena.tournament.tournament import open_ledger

GAMES = 2000
PAUSE = 3.0  # seconds between two blows


class Storm:
    """Kills machines, adds some, restarts the database; called after each game."""

    def __init__(self, nodes, server, pool):
        self.nodes, self.server, self.pool = nodes, server, pool
        self.done, self.chance, self.next = Counter(), random.Random(1), time.monotonic() + PAUSE
        self.seen, self.starting = Counter(), []

    def __call__(self, record, done, scheduled):
        if record is not None:
            self.seen[record.seed] += 1
        if time.monotonic() < self.next or done > 0.95 * scheduled:
            return
        if len(self.nodes.nodes) > 1 and self.chance.random() < 0.6:
            self.nodes.kill(self.chance.choice(self.nodes.nodes))
            self.done["killed"] += 1
        elif len(self.nodes.nodes) < 3:
            self.nodes.add()
            self.done["added"] += 1
        if self.chance.random() < 0.3 and all(each.done() for each in self.starting):
            self.server.stop()
            self.starting.append(self.pool.submit(self._start_again))
            self.done["restarted"] += 1
        self.next = time.monotonic() + PAUSE

    def _start_again(self):
        time.sleep(self.chance.random())
        self.server.start()


@pytest.mark.slow
def test_no_game_is_lost_or_doubled(nodes, server, tmp_path, monkeypatch):
    monkeypatch.setattr(database_module, "PAUSE", 0.1)
    options = {"rounds": GAMES // 2, "seed": 7}
    with ThreadPoolExecutor(1) as pool, warnings.catch_warnings():
        warnings.simplefilter("ignore", ClusterWarning)
        warnings.filterwarnings("ignore", message=".*waiting for it")
        storm = Storm(nodes, server, pool)
        result = hansu.tournament(
            "tictactoe", "random", "first_move", **options, on="ray", out=tmp_path / "cup",
            database=server.url, progress=storm,
        )  # fmt: skip
    print(dict(storm.done))
    assert min(storm.done[what] for what in ("killed", "added", "restarted")) >= 3
    assert sorted(result.records) == list(range(GAMES))
    assert len(storm.seen) == GAMES
    assert set(storm.seen.values()) == {1}
    kept = open_ledger(tmp_path / "cup", server.url).records()
    assert {n: r.moves for n, r in kept.items()} == {n: r.moves for n, r in result.records.items()}
    calm = hansu.tournament("tictactoe", "random", "first_move", **options, concurrency=2)
    assert [record.moves for record in result.games] == [record.moves for record in calm.games]
