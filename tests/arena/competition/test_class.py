"""A class: participants of many kinds, two versions each, three deadlines, kills at random."""

import os
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hansu.arena.competition.bundle import Bundle
from hansu.arena.competition.intake import check_next
from hansu.arena.competition.leaderboard import Leaderboard
from hansu.arena.competition.register import Register, current
from hansu.arena.competition.service import CompetitionService
from hansu.arena.competition.settings import FILE, read_competition
from hansu.arena.isolation.requirements import missing
from tests.arena.isolation.conftest import processes
from tests.arena.isolation.test_programs import COMPILER, SOURCE
from tests.arena.tournament.test_kill import start

from .conftest import (
    AGENT,
    CRASHING,
    FIRST,
    HURRIED,
    LAST,
    MIDDLE,
    RANDOM,
    SHELL,
    SHELL_LAST,
    SHELL_SECOND,
    one_file,
)
from .test_service import check_whole, lines_of

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
    "slow": doing("import time; time.sleep(0.05)"),
    "program": "",  # in C; its argument says what it does
    "program that opens a socket": "socket",
    "shell": SHELL_LAST,
    "other shell": SHELL_SECOND,
    "dying shell": SHELL.format(choice="exit 3"),
}
PLAYS = {"good", "weak", "random", "middle", "last", "hurried", "slow"}
PLAYS |= {"program", "shell", "other shell"}
QUICK = ["program", "shell", "dying shell", "other shell"]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The C program, as bytes."""
    if COMPILER is None:
        pytest.skip("there is no C compiler")
    program = tmp_path_factory.mktemp("c") / "lines"
    subprocess.run([COMPILER, "-O1", "-pthread", "-o", program, SOURCE], check=True)
    return program.read_bytes()


def submission(kind, number, compiled):
    """What a participant sends: no two send the same."""
    if not kind.startswith("program"):
        return one_file(f"{KINDS[kind]}\n# {number}\n")
    manifest = f'command = ["lines", "{KINDS[kind]}"]\nprotocol = "lines"\n# {number}\n'
    return Bundle({"agent.toml": manifest.encode(), "lines": compiled})


def deadlines(now):
    stamps = {name: datetime.fromtimestamp(now - back, UTC) for name, back in DEADLINES.items()}
    rows = sorted(stamps.items(), key=lambda row: row[1])
    return "".join(f'\n[[deadline]]\nname = "{n}"\nat = {at.isoformat()}\n' for n, at in rows)


def children(parent):
    """The processes that a process has started: workers and the intake."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            facts = (entry / "stat").read_text() if entry.name.isdigit() else ""
        except OSError:
            continue
        if facts and int(facts.rpartition(")")[2].split()[1]) == parent:
            found.append(int(entry.name))
    return found


def run_killed(folder, kills, chance, longest):
    """Run the command again and again: workers, the intake and in the end itself are killed."""
    words = ["hansu", "compete", str(folder), "--no-page", "--until-idle", "--concurrency", "2"]
    words += ["--seed", "11"]
    for _ in range(kills):
        server = start(words, folder / "answer")
        for _ in range(chance.randrange(3)):
            time.sleep(chance.uniform(0.1, longest))
            for victim in sorted(children(server))[: chance.randrange(2)]:
                os.kill(victim, signal.SIGKILL)
        time.sleep(chance.uniform(0.1, longest))
        done, status = os.waitpid(server, os.WNOHANG)
        if not done:
            os.kill(server, signal.SIGKILL)
            os.waitpid(server, 0)
        else:
            assert os.waitstatus_to_exitcode(status) == 0
    _, status = os.waitpid(start(words, folder / "answer"), 0)
    assert os.waitstatus_to_exitcode(status) == 0


def table(folder):
    board = Leaderboard(Register(folder, read_competition(folder)))
    board.update()
    return [line.facts() for line in board.lines()]


@pytest.mark.parametrize(
    ("kinds", "size", "kills"),
    [
        pytest.param(QUICK, len(QUICK), 1, marks=pytest.mark.slow, id="part"),
        pytest.param(list(KINDS), SIZE, KILLS, marks=pytest.mark.slow, id="whole"),
    ],
)
@pytest.mark.skipif(bool(missing()), reason="this machine cannot isolate agents")
def test_a_class_is_played_through_whatever_is_killed(
    make, compiled, small_rounds, kinds, size, kills
):
    now, before = time.time(), processes()
    folder = make(("rounds = 1 ", "rounds = 2 "), ('"round-robin"', '"swiss"'))
    register = Register(folder, read_competition(folder))
    sent = {}
    for number in range(size):
        first, second = kinds[number % len(kinds)], kinds[(number + 3) % len(kinds)]
        for kind, when in ((first, now - 3500.0), (second, now - 1500.0)):
            bundle = submission(kind, number, compiled)
            entry = register.submit(f"p{number}", bundle, "command", when)
            sent[entry.number] = kind
    while check_next(folder, register):
        pass
    for entry in register.entries().values():
        kind = sent[entry.number]
        assert (entry.status == "accepted") == (kind in PLAYS), (kind, entry.report)
    killed = folder.with_name("killed")
    shutil.copytree(folder, killed)

    CompetitionService(folder, 2, seed=11).run(until_idle=True)
    chance = random.Random(1)
    longest = 1.0 if kinds is QUICK else 3.0
    run_killed(killed, kills, chance, longest)
    assert check_whole(killed) == check_whole(folder)
    assert table(killed) == table(folder)

    for place in (folder, killed):
        with (place / FILE).open("a") as out:
            out.write(deadlines(now))
    CompetitionService(folder, 2).run(until_idle=True)
    run_killed(killed, kills, chance, longest)
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
    patience = time.monotonic() + 60.0
    while (left := processes() - before) and time.monotonic() < patience:
        time.sleep(0.05)
    assert not left
