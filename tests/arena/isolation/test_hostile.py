"""Every way we know to break an arena loses a game, and that is all it does."""

import os
import re
import sqlite3
import time
from pathlib import Path

import pytest

import hansu
from hansu.arena.isolation.cgroup import own_cgroup
from hansu.arena.isolation.limits import MIB, SandboxLimits
from hansu.arena.player import LocalPlayer
from hansu.arena.referee import play
from hansu.records.record import TimeControl

pytestmark = [pytest.mark.usefixtures("nothing_left")]

PLAYED = ("line", "board_full")  # how tic-tac-toe ends when nobody misbehaves
HALF_A_SECOND = TimeControl(seconds=0.5)
PLENTY = TimeControl(seconds=20)

TIMEOUT = [
    "loop_in_python",
    "loop_in_c",
    "sleep",
    "sleep_in_c",
    "ignore_signals",
    "endless_repr",
    "to_the_wire:way=half",
]

AT_ONCE = [
    ("raise_at_import", "crash", r"RuntimeError: at import at raise_at_import\.py:1"),
    ("raise_in_init", "crash", r"RuntimeError: in init at .*raise_in_init\.py:6"),
    ("raise_in_reset", "crash", r"RuntimeError: in reset at .*raise_in_reset\.py:6"),
    ("raise_in_act", "crash", r"RuntimeError: in act at raise_in_act\.py:6"),
    ("raise_in_close", "crash", r"RuntimeError: in close at .*raise_in_close\.py:9"),
    ("unprintable_error", "crash", "Unprintable"),
    ("sys_exit", "crash", r"SystemExit: 0 at .*sys_exit\.py:8"),
    ("os_exit", "crash", "exit status 7"),
    ("kill_parent", "disqualified", r"signal other processes .*kill_parent\.py:8"),
    ("kill_all", "disqualified", r"signal other processes .*kill_all\.py:8"),
    ("kill_in_c", "disqualified", "SIGSYS"),
    ("segfault", "crash", "SIGSEGV"),
    ("abort", "crash", "SIG(ABRT|SEGV)"),
    ("scratch_bomb", "crash", "(No space left|File too large)"),
    ("fork_bomb", "disqualified", r"another process \(os\.fork\) at fork_bomb\.py:9"),
    ("fork_in_c", "crash", r"fork: -1, EPERM"),
    ("other_program", "disqualified", r"another process .*other_program\.py:9"),
    ("exec_in_c", "crash", "execv: -1, EPERM"),
    ("daemon", "disqualified", r"another process \(os\.fork\)"),
    ("daemon_in_c", "crash", r"clone: -1, EPERM"),
    ("thread_bomb", "disqualified", r"more than 4 threads: .*thread_bomb\.py:10|ran 5 threads"),
    ("thread_bomb_in_c", "disqualified", "ran 5 threads; 4 are allowed"),
    ("flood_stdout", "disqualified", "printed more than 1 MiB"),
    ("flood_stderr", "disqualified", "printed more than 1 MiB"),
    ("read_file:path=/etc/passwd", "disqualified", r"read '/etc/passwd' at .*read_file\.py:10"),
    ("read_file:path=/proc/1/environ", "disqualified", "read '/proc/1/environ'"),
    ("delete_file", "crash", "Read-only file system"),
    ("socket_inet", "disqualified", r"use the network .* at .*socket_inet\.py:8"),
    ("socket_unix", "disqualified", r"use the network .* at .*socket_unix\.py:8"),
    ("socket_abstract", "disqualified", r"use the network .* at .*socket_abstract\.py:8"),
    ("socket_in_c", "disqualified", "SIGSYS"),
    ("dns", "disqualified", r"use the network \(socket\.getaddrinfo .* at .*dns\.py:8"),
    ("ptrace_in_c", "disqualified", "SIGSYS"),
    ("unshare_in_c", "disqualified", "SIGSYS"),
    ("other_architecture", "disqualified", "SIGSYS"),
    ("whisper", "crash", r"\[0, 0, -1, -1, -1, -1\] ENOSYS"),
    ("many_files", "crash", "made 40[0-9][0-9] files: No space left"),
    ("monkey_patch", "illegal_move", "answered 999"),
    ("none", "illegal_move", "answered None"),
    ("garbage", "illegal_move", "answered {'a': <object object"),
    ("wrong_type", "illegal_move", r"answered 0\.0"),
    ("illegal", "illegal_move", "answered 1000000"),
    ("to_the_wire:way=half_then_answer", "disqualified", "sent (garbage|more than one)"),
    ("to_the_wire:way=half_then_exit", "crash", "exit status 0"),
    ("to_the_wire:way=huge", "disqualified", "a message of 2147483647 bytes"),
    ("to_the_wire:way=garbage", "disqualified", "sent (garbage|more than one)"),
    ("to_the_wire:way=nested", "disqualified", "sent (garbage|more than one)"),
    ("to_the_wire:way=stale", "disqualified", "(not asked|more than one)"),
    ("to_the_wire:way=twice", "disqualified", "more than one message"),
    ("to_the_wire:way=closed", "disqualified", "closed its connection"),
]

SIBLINGS = (  # another one is caught in the same way
    *("kill_all", "daemon", "daemon_in_c", "flood_stderr", "abort", "unshare_in_c"),
    *("read_file:path=/proc/1/environ", "socket_unix", "socket_abstract", "wrong_type", "none"),
    *("to_the_wire:way=garbage", "to_the_wire:way=stale", "to_the_wire:way=half_then_exit"),
)


def check_loss(good, hostile, control, reason, evidence):
    """The hostile player loses as expected, and the arena plays on."""
    game = hansu.game("tictactoe")
    record = play(game.start(), hostile, good, control)
    assert re.fullmatch(reason, record.outcome.reason), record.evidence
    assert record.winner == good.name
    assert re.search(evidence, record.evidence)
    assert record.evidence.isprintable()
    after = play(game.start(), good, LocalPlayer(hansu.agent(game, "random")), PLENTY)
    assert after.outcome.reason in PLAYED
    hostile.close()


@pytest.mark.parametrize("file", TIMEOUT)
def test_time_is_up_whatever_the_agent_is_doing(good, make_hostile, file):
    begin = time.monotonic()
    check_loss(good, make_hostile(file), HALF_A_SECOND, "timeout", "0.500 s")
    assert time.monotonic() - begin < 60.0  # nobody waits for it to end by itself


@pytest.mark.parametrize(
    ("file", "reason", "evidence"),
    [pytest.param(*row, marks=[pytest.mark.slow] * (row[0] in SIBLINGS)) for row in AT_ONCE],
)
def test_a_hostile_agent_loses_at_once(good, make_hostile, file, reason, evidence):
    check_loss(good, make_hostile(file), PLENTY, reason, evidence)


@pytest.mark.parametrize("file", ["memory_bomb", "shared_memory_bomb"])
def test_memory_is_bounded(good, make_hostile, file):
    hostile = make_hostile(file, limits=SandboxLimits(memory_bytes=512 * MIB))
    check_loss(good, hostile, PLENTY, "disqualified", "memory")


@pytest.mark.parametrize("file", ["read_file", "read_in_c"])
def test_another_submission_cannot_be_read(good, make_hostile, outside, file):
    other = outside / "agent.py"
    other.write_text("secret idea")
    other.chmod(0o644)
    reason, evidence = {
        "read_file": ("disqualified", "tried to read"),
        "read_in_c": ("crash", "descriptor -1, found b''"),  # it is not there at all
    }[file]
    check_loss(good, make_hostile(f"{file}:path={other}"), PLENTY, reason, evidence)


def test_the_results_cannot_be_touched(good, make_hostile, outside):
    path = outside / "results.db"
    with sqlite3.connect(path) as database:
        database.execute("create table games (result)")
        database.execute("insert into games values ('1-0')")
    database.close()
    before = path.read_bytes()
    hostile = make_hostile(f"read_database:path={path}")
    check_loss(good, hostile, PLENTY, "disqualified", "open the database")
    assert path.read_bytes() == before


@pytest.mark.parametrize("file", ["write_file", "write_in_c"])
def test_nothing_is_written_outside_the_scratch_folder(good, make_hostile, outside, file):
    reason, evidence = {
        "write_file": ("disqualified", r"tried to write .*write_file\.py:10"),
        "write_in_c": ("crash", "descriptor -1"),
    }[file]
    path = outside / "planted"
    check_loss(good, make_hostile(f"{file}:path={path}"), PLENTY, reason, evidence)
    assert not path.exists()


@pytest.mark.parametrize("place", ["hansu/planted.py", "hansu/__pycache__/kernels/planted.nbc"])
def test_the_platform_cannot_be_changed(good, make_hostile, place):
    path = Path(hansu.__file__).parent.parent / place
    check_loss(good, make_hostile(f"write_in_c:path={path}"), PLENTY, "crash", "descriptor -1")
    assert not path.exists()


def test_nothing_of_our_environment_leaks(good, make_hostile, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    game = hansu.game("tictactoe")
    hostile = make_hostile("environment")
    record = play(game.start(), hostile, good, PLENTY)
    hostile.close()
    told = re.search("RuntimeError: (True|False) (.*) at environment.py", record.evidence)
    assert told[1] == "False"
    ours = set(told[2].split()) & set(os.environ)
    assert "HOME" in told[2].split()
    told_by_us = {name for name in ours if name.endswith("_THREADS") or name.startswith("NUMBA_")}
    told_by_us |= {"HANSU_CACHE_DIR", "ORT_DISABLE_TELEMETRY"}
    assert ours <= {"HOME", "LANG", "PATH", "PWD", "TMPDIR"} | told_by_us


def test_an_agent_that_burns_while_the_opponent_thinks_gets_no_time(good, make_hostile):
    burner = make_hostile("burner")
    state = hansu.game("tictactoe").start()
    burner.reset(True, state, 0)
    state.push(burner.act(state.copy(), 5.0).move)
    time.sleep(0.05)  # a signal is delivered at the next tick
    before = cpu_ticks(burner.process.pid)
    time.sleep(0.5)  # the opponent thinks
    assert cpu_ticks(burner.process.pid) == before
    state.push(good_move(state))
    assert burner.act(state.copy(), 5.0).move in state.legal_moves
    burner.close()


def test_stopped_agents_are_killed_too(good, make_hostile):
    burner = make_hostile("burner")
    burner.reset(True, hansu.game("tictactoe").start(), 0)
    pid = burner.process.pid
    deadline = time.monotonic() + 60.0  # a signal is delivered at the next tick
    while stat(pid)[0] != "T" and not frozen(pid):
        assert time.monotonic() < deadline
    burner.close()
    assert not Path(f"/proc/{pid}").exists()


def test_import_and_reset_have_an_allowance_of_their_own(good, make_hostile):
    slow = make_hostile("slow_start", limits=SandboxLimits(start_seconds=20.0))
    record = play(hansu.game("tictactoe").start(), slow, good, TimeControl(seconds=2.0))
    assert record.outcome.reason in PLAYED, record.evidence
    slow.close()
    slow = make_hostile("slow_start", limits=SandboxLimits(start_seconds=2.0))
    check_loss(good, slow, PLENTY, "timeout", "its time ran out")


def good_move(state):
    return next(iter(state.legal_moves))


def cpu_ticks(pid):
    return int(stat(pid)[11]) + int(stat(pid)[12])


def frozen(pid):
    """Whether the control group of a process is frozen; then it does not even get to a stop."""
    group = Path(f"/proc/{pid}/cgroup").read_text().rpartition("0::/")[2].strip()
    own = own_cgroup()
    events = own and own / Path(group).name / "cgroup.events"
    return bool(events and events.exists() and "frozen 1" in events.read_text())


def stat(pid):
    """State, ..., user and system time of a process."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
