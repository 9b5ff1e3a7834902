"""Machines are killed and added at random, the database goes away: no game is lost or doubled."""

import random
import threading
import time
import warnings
from collections import Counter

import pytest

import hansu
from hansu.arena.cluster.machines import ClusterWarning
from hansu.arena.tournament import database as database_module
from hansu.arena.tournament.ledger import Ledger
from hansu.arena.tournament.tournament import open_ledger

GAMES = 2000


class Storm(threading.Thread):
    """Kills a machine, adds one, restarts the database, in turn, until it is told to end."""

    def __init__(self, nodes, server, pause):
        super().__init__()
        self.nodes, self.server, self.pause = nodes, server, pause
        self.over, self.done = threading.Event(), Counter()
        self.chance = random.Random(1)

    def run(self):
        while not self.over.wait(self.pause):
            if len(self.nodes.nodes) > 1 and self.chance.random() < 0.6:
                self.nodes.kill(self.chance.choice(self.nodes.nodes))
                self.done["killed"] += 1
            if len(self.nodes.nodes) < 3:
                self.nodes.add()
                self.done["added"] += 1
            if self.server is not None and self.chance.random() < 0.4:
                self.server.stop()
                time.sleep(self.chance.random())
                self.server.start()
                self.done["restarted"] += 1


@pytest.mark.slow
def test_no_game_is_lost_or_doubled(nodes, server, tmp_path, monkeypatch):
    monkeypatch.setattr(database_module, "PAUSE", 0.1)
    nodes.add()
    nodes.wait()
    options = {"rounds": GAMES // 2, "seed": 7}
    storm, seen = Storm(nodes, server, pause=4.0), Counter()
    storm.start()

    def progress(record, done, scheduled):
        if record is not None:
            seen[record.seed] += 1

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ClusterWarning)
            warnings.filterwarnings("ignore", message=".*waiting for it")
            result = hansu.tournament(
                "tictactoe", "random", "first_move", **options, on="ray", out=tmp_path / "cup",
                database=server.url, progress=progress,
            )  # fmt: skip
    finally:
        storm.over.set()
        storm.join()
    print(dict(storm.done))
    assert min(storm.done[what] for what in ("killed", "added", "restarted")) >= 3
    assert sorted(result.records) == list(range(GAMES))
    assert len(seen) == GAMES
    assert set(seen.values()) == {1}
    calm = hansu.tournament("tictactoe", "random", "first_move", **options, concurrency=2)
    assert [record.moves for record in result.games] == [record.moves for record in calm.games]
    kept = Ledger(open_ledger(tmp_path / "cup", server.url).database).records()
    assert {n: r.moves for n, r in kept.items()} == {n: r.moves for n, r in result.records.items()}
