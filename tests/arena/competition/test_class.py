"""A class: participants of many kinds, two versions each, three deadlines, kills at random."""

import os
import random
import shutil
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hansu.arena.competition.intake import check_next
from hansu.arena.competition.register import Register, current
from hansu.arena.competition.service import CompetitionService
from hansu.arena.competition.settings import FILE, read_competition
from hansu.arena.isolation.requirements import missing

from .conftest import AGENT, CRASHING, FIRST, HURRIED, LAST, MIDDLE, RANDOM, one_file
from .test_service import check_whole, lines_of, run_killed

SIZE = int(os.environ.get("HANSU_CLASS", "30"))
KILLS = int(os.environ.get("HANSU_KILLS", "12"))
DEADLINES = {"one": 1000.0, "two": 2000.0, "three": 3000.0}  # seconds before now, counted back
WINNING = """import hansu

class Mine(hansu.Agent):
    def act(self, state):
        moves = list(state.legal_moves)
        for move in moves:
            outcome = state.forward(move).outcome()
            if outcome is not None and outcome.winner == self.color:
                return move
        return moves[0]
"""


def doing(line, choice="moves[0]"):
    """An agent that does something before each move."""
    return AGENT.format(choice=choice).replace(
        "        moves =", f"        {line}\n        moves ="
    )


KINDS = {
    "good": WINNING,
    "weak": FIRST,
    "random": RANDOM,
    "middle": MIDDLE,
    "last": LAST,
    "crashing": CRASHING,
    "hurried": HURRIED,
    "unreadable": "def (",
    "hostile": doing("import socket; socket.socket()"),
    "forking": doing("import os; os.fork()"),
    "chatty": doing("print('x' * 3_000_000)"),
    "illegal": AGENT.format(choice="'nonsense'"),
    "leaving": doing("raise SystemExit"),
}
PLAYS = {"good", "weak", "random", "middle", "last", "hurried"}


def deadlines(now):
    stamps = {name: datetime.fromtimestamp(now - back, UTC) for name, back in DEADLINES.items()}
    rows = sorted(stamps.items(), key=lambda row: row[1])
    return "".join(f'\n[[deadline]]\nname = "{n}"\nat = {at.isoformat()}\n' for n, at in rows)


@pytest.mark.slow
@pytest.mark.skipif(bool(missing()), reason="this machine cannot isolate agents")
def test_a_class_is_played_through_whatever_is_killed(make, monkeypatch):
    import time

    now = time.time()
    folder = make(("rounds = 1 ", "rounds = 2 "), ('"round-robin"', '"swiss"'), staff=True)
    register = Register(folder, read_competition(folder))
    register.enter_staff()
    kinds = list(KINDS)
    for number in range(SIZE):
        first, second = kinds[number % len(kinds)], kinds[(number + 3) % len(kinds)]
        for kind, when in ((first, now - 3500.0), (second, now - 1500.0)):
            source = f"{KINDS[kind]}\n# {kind} {number}\n"
            register.submit(f"p{number}-{first}", one_file(source), "command", when)
    while check_next(folder, register):
        pass
    for entry in register.entries().values():
        kind = "" if entry.source == "staff" else Path(entry.agent).read_text().split()[-2]
        assert (entry.status == "accepted") == (kind in PLAYS | {""}), (kind, entry.report)
    killed = folder.with_name("killed")
    shutil.copytree(folder, killed)

    CompetitionService(folder, 2, seed=11).run(until_idle=True)
    chance = random.Random(1)
    run_killed(killed, [chance.uniform(0.2, 6.0) for _ in range(KILLS)], 11)
    assert check_whole(killed) == check_whole(folder)

    for place in (folder, killed):
        with (place / FILE).open("a") as out:
            out.write(deadlines(now))
    CompetitionService(folder, 2).run(until_idle=True)
    run_killed(killed, [chance.uniform(0.2, 6.0) for _ in range(KILLS)], 11)
    entries, people = register.entries(), register.participants()
    for name, back in DEADLINES.items():
        games = lines_of(folder, name)
        assert lines_of(killed, name) == games
        chosen = {e.name for e in current(entries, people, now - back).values()}
        played = Counter(player for game in games.values() for player in game[:2])
        assert set(played) == chosen
        assert len(games) == 2 * 2 * (len(chosen) // 2)
    assert not list((killed / "store").glob(".part*"))
    assert not (killed / "playing").exists()
