"""kill -9 at random moments, each followed by the same command: nothing is lost or played twice."""

import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import pytest
import sqlalchemy as sql

import hansu
from hansu.arena.isolation.requirements import missing
from hansu.arena.tournament.database import GAMES
from hansu.cli.main import main

KILLS = int(os.environ.get("HANSU_KILLS", "200"))

AGENTS = ["random", "one_step_search", "malfunction:p=0.1", "mcts:n_simulations=10"]
FIRST = """import hansu

class First(hansu.Agent):
    def act(self, state):
        return next(iter(state.legal_moves))
"""


def words(folder, rounds, concurrency, format="round-robin", agents=AGENTS, database=None):
    server = [] if database is None else ["--database", database]
    return ["hansu", "tournament", "tictactoe", *agents, "--rounds", str(rounds),
            "--out", str(folder), "--concurrency", str(concurrency), "--format", format,
            "--seed", "7", "--json", *server]  # fmt: skip


def start(command, answer) -> int:
    """Run a command in a forked process with a group of its own: that spares the imports."""
    child = os.fork()
    if child:
        return child
    try:
        os.setsid()
        out = os.open(answer, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.argv = command
        sys.stdout = os.fdopen(1, "w")
        sys.stderr = os.fdopen(2, "w")
        main()
        sys.stdout.flush()
    except SystemExit as end:
        sys.stdout.flush()
        os._exit(int(end.code or 0))
    finally:
        os._exit(99)


def finish(command, answer) -> str:
    _, status = os.waitpid(start(command, answer), 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return answer.read_text()


def killed(command, answer, moment, in_play) -> bool:
    """Kill the whole process group at a moment; whether there was still something to kill.

    The moment is counted from the start, or from the first new result: both need to be hit.
    """
    before = finished_games(command)
    child = start(command, answer)
    while in_play and finished_games(command) == before:
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            break
        time.sleep(0.01)
    time.sleep(moment)
    done, _ = os.waitpid(child, os.WNOHANG)
    if done:
        return False
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def finished_games(command) -> int:
    return len(numbers_of_games(command))


def numbers_of_games(command) -> list[int]:
    """Look only: opening a ledger would make its tables."""
    folder = Path(command[command.index("--out") + 1])
    url, name = f"sqlite:///{folder / 'tournament.sqlite'}", "tournament"
    if "--database" in command:
        url, name = command[command.index("--database") + 1], folder.name
    elif not (folder / "tournament.sqlite").exists():
        return []
    engine = sql.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    mine = sql.select(GAMES.c.number).where(GAMES.c.tournament == name).order_by(GAMES.c.number)
    try:
        with engine.connect() as connection:
            return list(connection.scalars(mine))
    except (sql.exc.OperationalError, sql.exc.ProgrammingError):
        return []  # killed before the table was made
    finally:
        engine.dispose()


def survive(tmp_path, kills, rounds, concurrency, **options):
    """Kill a tournament so many times, then let it finish; compare with an undisturbed one."""
    answer, calm = tmp_path / "answer", words(tmp_path / "calm", rounds, concurrency, **options)
    begin = time.monotonic()
    undisturbed = finish(calm, answer)
    whole = time.monotonic() - begin
    finish(calm, answer)  # plays nothing
    overhead = time.monotonic() - begin - whole
    share = (whole - overhead) / kills  # of the time to play: the last kill shall still hit it
    rng = random.Random(kills)
    happened = grown = before = tries = 0
    command = words(tmp_path / "wild0", rounds, concurrency, **options)
    while happened < kills:
        in_play = rng.random() < 0.7
        if killed(command, answer, rng.uniform(0.0, share if in_play else overhead), in_play):
            now = finished_games(command)
            assert now >= before
            happened, grown, before = happened + 1, grown + (now > before), now
        else:  # it was faster than we thought: once more from the beginning
            compare(command, answer, undisturbed)
            tries, before = tries + 1, 0
            command = words(tmp_path / f"wild{tries}", rounds, concurrency, **options)
    compare(command, answer, undisturbed)
    print(f"{happened} kills, {grown} of them after new games")
    assert grown >= kills / 4  # otherwise hardly anything was tested


def compare(command, answer, undisturbed):
    """Let it finish: the same table, and every game exactly once."""
    final = finish(command, answer)
    assert final == undisturbed
    facts = json.loads(final)
    assert facts["games"] == facts["scheduled"]
    assert numbers_of_games(command) == list(range(facts["scheduled"]))


@pytest.mark.parametrize(
    ("kills", "concurrency", "format"),
    [
        (3, 2, "swiss"),
        pytest.param(4, 1, "round-robin", marks=pytest.mark.slow),
        pytest.param(4, 2, "swiss", marks=pytest.mark.slow),
    ],
)
def test_kill_nine_loses_nothing(tmp_path, kills, concurrency, format):
    rounds = {"round-robin": 6, "swiss": 18}[format]
    survive(tmp_path, kills, rounds, concurrency, format=format)


@pytest.mark.slow
@pytest.mark.parametrize("concurrency", [1, 2])
def test_kill_nine_again_and_again(tmp_path, concurrency):
    """``HANSU_KILLS`` says how often."""
    survive(tmp_path, KILLS, 60, concurrency)


@pytest.mark.slow
@pytest.mark.parametrize("concurrency", [1, 2])
def test_kill_nine_again_and_again_with_a_database_server(tmp_path, concurrency, server):
    survive(tmp_path, KILLS, 60, concurrency, database=server.url)


@pytest.mark.slow
def test_kill_nine_leaves_no_isolated_agent_behind(tmp_path, monkeypatch):
    if missing():
        pytest.skip("this machine cannot isolate")
    scratch = tmp_path / "scratch"
    scratch.mkdir(mode=0o755)
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    (tmp_path / "own").mkdir()
    file = tmp_path / "own" / "first.py"
    file.write_text(FIRST)
    survive(tmp_path, KILLS // 4, 8, 2, agents=[str(file), "random", "one_step_search"])
    deadline = time.monotonic() + 30.0
    while (left := [*scratch.iterdir(), *processes_of(file)]) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left


def processes_of(file):
    """The processes that know the file or its folder by name, this one and its parents aside."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if str(file.parent).encode() in line:
                yield entry


def test_a_worker_does_not_outlive_a_killed_parent(tmp_path):
    command = words(tmp_path / "cup", 500, 2)
    child = start(command, tmp_path / "answer")
    while finished_games(command) < 4:
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)  # the parent only
    os.waitpid(child, 0)
    for _ in range(100):
        try:
            os.killpg(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("workers are still there ten seconds after their parent")


@pytest.fixture(autouse=True, scope="module")
def compiled():
    """What is used is imported and compiled here, once, and not in every forked process."""
    for name in AGENTS:
        hansu.play_game("tictactoe", name, "random")
    hansu.tournament("tictactoe", *AGENTS)
