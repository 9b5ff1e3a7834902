"""Nobody thinks on the opponent's time: not by any way we know, and not unnoticed by another."""

import time

import pytest

import hansu
from hansu.arena.isolation import launch as launch_module
from hansu.arena.isolation import process as process_module
from hansu.arena.isolation.cgroup import own_cgroup
from hansu.arena.isolation.limits import SandboxLimits
from hansu.arena.isolation.use import cpu_seconds
from hansu.arena.player import Fault, LocalPlayer
from hansu.arena.referee import play
from tests.arena.isolation.conftest import BOTH, HOSTILE

QUICK = ["timer", "descriptor", "kill_wide"]
OTHERS = [
    *("none", "timer_of_thread", "cpu_timer", "folder", "interval", "kill", "tgkill"),
    "tgkill_wide",
]
WAYS = [*QUICK, *(pytest.param(way, marks=pytest.mark.slow) for way in OTHERS)]
TURN = 0.4  # seconds that the opponent thinks
NOTHING = 0.05  # seconds of CPU time: the way to a stop, on a busy machine
SHARP = SandboxLimits(stolen_seconds=NOTHING)  # a busy machine has little time for a cheat, too


def stolen(player, turns=2):
    """CPU time that a player used while others were to move; raises Fault if it is found out."""
    state = player.game.start()
    player.reset(True, state, 0)
    used = 0.0
    for _ in range(turns):
        state.push(player.act(state.copy(), 20.0).move)
        before = cpu_seconds(player.process.pid) or 0.0  # it may be gone: the next turn tells
        time.sleep(TURN)
        used += (cpu_seconds(player.process.pid) or 0.0) - before
        state.push(next(iter(state.legal_moves)))
    return used


@pytest.mark.parametrize("way", WAYS)
def test_a_stopped_agent_gets_no_time(seated, way):
    assert stolen(seated(f"{HOSTILE / 'awake.py'}:way={way}")) < NOTHING


def test_a_signal_to_somebody_else_ends_the_game(seated):
    with pytest.raises(Fault, match="SIGSYS"):
        stolen(seated(f"{HOSTILE / 'awake.py'}:way=kill_wide_pid"))


@BOTH
def test_whoever_gets_time_all_the_same_is_found_out(seated, monkeypatch):
    """Neither filter nor control group: only the comparison of CPU time is left."""
    monkeypatch.setattr(launch_module, "load_seccomp", lambda: None)
    monkeypatch.setattr(process_module, "make_cgroup", lambda: None)
    player = seated(f"{HOSTILE / 'awake.py'}:way=timer", game="connect4", limits=SHARP)
    with pytest.raises(Fault, match=r"thought on the opponent's time: [0-9.]+ s of CPU") as caught:
        stolen(player, turns=15)
    assert caught.value.reason == "disqualified"


def test_the_end_of_the_game_is_looked_at_too(seated, monkeypatch):
    monkeypatch.setattr(launch_module, "load_seccomp", lambda: None)
    monkeypatch.setattr(process_module, "make_cgroup", lambda: None)
    player = seated(f"{HOSTILE / 'awake.py'}:way=timer", limits=SHARP)
    for _ in range(20):  # with more and more timers: see the agent
        player.reset(True, hansu.game("tictactoe").start(), 0)
        if gets_time(player, 3 * NOTHING):
            break
    with pytest.raises(Fault, match="opponent's time"):
        player.end_game()


def gets_time(player, seconds):
    """Whether a stopped player comes to so much CPU time, on a machine that may be busy."""
    begin, deadline = cpu_seconds(player.process.pid), time.monotonic() + 3.0
    while cpu_seconds(player.process.pid) - begin < seconds and time.monotonic() < deadline:
        time.sleep(0.05)
    return cpu_seconds(player.process.pid) - begin >= seconds


def test_a_group_stays_frozen_whatever_wakes_its_processes(isolation, seated, monkeypatch):
    """Where control groups can be made, the signals of an unfiltered process do not matter."""
    if own_cgroup() is None:
        pytest.skip("no control groups can be made here")
    monkeypatch.setattr(launch_module, "load_seccomp", lambda: None)
    assert stolen(seated(f"{HOSTILE / 'awake.py'}:way=timer")) < NOTHING


def test_an_agent_that_uses_its_threads_to_the_end_of_its_move_is_honest(seated, tmp_path):
    """Threads that are still busy when it answers are stopped; that is no thinking."""
    file = tmp_path / "eager.py"
    file.write_text(
        "import threading\nimport hansu\n"
        "def work(self, n):\n"
        "    while True: sum(range(n))\n"
        "class Eager(hansu.Agent):\n"
        "    def reset(self):\n"
        "        if not hasattr(self, 'crew'):\n"
        "            self.crew = [threading.Thread(target=work, args=(self, 99), daemon=True)\n"
        "                for _ in '123']\n"
        "            for t in self.crew: t.start()\n"
        "    def act(self, state):\n"
        "        return next(iter(state.legal_moves))\n"
    )
    game = hansu.game("tictactoe")
    player = seated(file)
    opponent = LocalPlayer(hansu.agent(game, "random"))
    for seed in range(10):
        record = play(game.start(), player, opponent, seed=seed)
        assert record.evidence == ""
        assert player.process.stolen < NOTHING
