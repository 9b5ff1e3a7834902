"""``--on ray`` on the command line: what is missing is told in one sentence."""

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hansu.arena.competition.register import Register
from hansu.arena.competition.settings import read_competition
from hansu.arena.isolation.requirements import missing
from hansu.arena.tournament.ledger import Ledger
from hansu.arena.tournament.tournament import open_ledger
from hansu.errors import HansuError
from hansu.ray_connection import connect
from tests.arena.cluster.conftest import Nodes

WORDS = ("match", "tictactoe", "random", "first_move", "-n", "4", "--on", "ray")


def hansu(*words, timeout=300, **environment):
    return subprocess.run(
        [sys.executable, "-m", "hansu", *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=timeout,
    )


def complaint(*words, **environment):
    """Return the one sentence that a command ends with."""
    done = hansu(*words, **environment)
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.strip().splitlines()
    return line


def with_ray():
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        (
            "127.0.0.1:1",
            "no Ray cluster answers at 127.0.0.1:1: start one with RAY_AUTH_MODE=token",
        ),
        ("nonsense", "no Ray cluster answers at nonsense"),
        ("127.0.0.1:999999", "no Ray cluster answers at 127.0.0.1:999999"),
        ("ray://head:10001", "but HOST:PORT of the head is expected"),
    ],
)
def test_without_a_cluster_it_says_how_to_start_one(address, why, monkeypatch):
    with_ray()
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "x" * 64)
    monkeypatch.setenv("RAY_ADDRESS", address)
    with pytest.raises(HansuError, match=re.escape(why)):
        connect()


@pytest.mark.slow
def test_our_token_must_be_the_clusters(nodes, tmp_path):
    assert "refuses our token" in complaint(*WORDS, RAY_AUTH_TOKEN="x" * 64)
    line = complaint(*WORDS, RAY_AUTH_TOKEN="", HOME=str(tmp_path))
    assert "no token for the Ray cluster is found here" in line
    assert hansu(*WORDS, "--seed", "1").returncode == 0


@pytest.mark.slow
def test_a_cluster_without_tokens_is_refused():
    """In a process of its own: Ray reads its switch once."""
    with_ray()
    program = (
        "import sys, tests.arena.cluster.conftest as c, pathlib, time\n"
        "made = c.Nodes(pathlib.Path(sys.argv[1]))\n"
        "print(made.address, flush=True)\n"
        "sys.stdin.read()\n"
        "made.close()\n"
    )
    folder = Path("/tmp") / f"hansu-open-{os.getpid()}"
    folder.mkdir()
    open_one = subprocess.Popen(
        [sys.executable, "-c", program, str(folder)],
        env={**os.environ, "RAY_AUTH_MODE": "disabled"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        address = open_one.stdout.readline().split()[-1]
        line = complaint(*WORDS, RAY_ADDRESS=address, RAY_AUTH_TOKEN="x" * 64)
        assert "lets anybody run anything on it: start all its nodes anew with RAY_AUTH" in line
    finally:
        open_one.communicate("")
        shutil.rmtree(folder, ignore_errors=True)


# Killed ------------------------------------------------------------------------------------------

OWN = """import hansu

class Own(hansu.Agent):
    def act(self, state):
        return self.rng.choice(list(state.legal_moves))
"""


def run_killed(words, after):
    """Run a command, killed after each of some times, then to its end."""
    for seconds in after:
        running = subprocess.Popen(
            [sys.executable, "-m", "hansu", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            running.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
    done = hansu(*words, timeout=600)
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.slow
def test_a_killed_tournament_goes_on(nodes, tmp_path):
    def words(folder, *more):
        return ["tournament", "tictactoe", "random", "first_move", "minimax", "--rounds", "60",
                "--seed", "4", "--out", str(folder), *more]  # fmt: skip

    run_killed(words(tmp_path / "wild", "--on", "ray"), [12, 15, 18])
    run_killed(words(tmp_path / "calm"), [])
    wild, calm = (open_ledger(tmp_path / each, None).records() for each in ("wild", "calm"))
    assert sorted(wild) == list(range(360))
    assert [wild[n].moves for n in sorted(wild)] == [calm[n].moves for n in sorted(calm)]


@pytest.mark.slow
def test_a_competition_on_a_cluster(nodes: Nodes, tmp_path):
    if missing():
        pytest.skip("this machine cannot isolate")
    folder = tmp_path / "cup"
    assert hansu("new", "competition", str(folder), "--game", "tictactoe").returncode == 0
    settings = folder / "competition.toml"
    settings.write_text(settings.read_text().replace("precision = 30 ", "precision = 250 "))
    for name in ("kim", "lee", "park"):
        (folder / "submissions" / f"{name}.py").write_text(f"# {name}\n{OWN}")
    words = ["compete", str(folder), "--no-page", "--until-idle", "--on", "ray"]
    run_killed(words, [20, 25])
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    with settings.open("a") as file:
        file.write(f'\n[[deadline]]\nname = "last"\nat = {now}\n')
    run_killed(words, [15])
    register = Register(folder, read_competition(folder))
    drawn, played = register.encounters(), Ledger(register.database).records()
    assert sorted(played) == sorted(2 * each.number + i for each in drawn for i in (0, 1))
    assert drawn
    digests = {entry.name: entry.digest for entry in register.entries().values()}
    for record in played.values():
        assert record.provenance is not None
        assert record.provenance.first == digests[record.first]
        assert record.provenance.second == digests[record.second]
    last = Ledger(register.database, f"{register.event} last")
    assert len(last.records()) == last.plan().scheduled > 0
