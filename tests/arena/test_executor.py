"""Executors: whatever happens to a worker or to its parent, no game is lost and nobody is left."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hansu
from hansu.arena.isolation.requirements import missing
from hansu.arena.local_processes import shares
from hansu.arena.player import LocalPlayer
from hansu.arena.referee import play
from hansu.records.formats import read_games

SLEEPER = """
import time
import hansu

class Sleeper(hansu.Agent):
    def act(self, state):
        time.sleep(0.05)
        return next(iter(state.legal_moves))
"""


class DiesOnce(hansu.Agent):
    """Ends its process in its first game, as a crash in C code would; afterwards it plays."""

    grave: Path

    def act(self, state):
        if not self.grave.exists():
            self.grave.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return next(iter(state.legal_moves))


class AlwaysDies(hansu.Agent):
    """Ends its process whenever it is asked."""

    def act(self, state):
        os.kill(os.getpid(), signal.SIGKILL)


class Quits(hansu.Agent):
    """Calls for the end of the program in one of its methods."""

    where = ""

    def reset(self):
        if self.where == "reset":
            raise SystemExit(3)

    def act(self, state):
        if self.where == "act":
            sys.exit()
        if self.where == "generator":
            raise GeneratorExit
        return next(iter(state.legal_moves))

    def close(self):
        if self.where == "close":
            sys.exit("over")

    def release(self):
        sys.exit("and out")


def moves(result):
    return [record.moves for record in result.games]


def test_a_worker_that_dies_costs_a_match_nothing_but_time(tmp_path):
    DiesOnce.grave = tmp_path / "grave"
    result = hansu.match("tictactoe", DiesOnce, "random", games=6, seed=2, concurrency=2)
    assert DiesOnce.grave.exists()
    assert not result.disqualified
    assert [g.number for g in result.played] == list(range(6))
    undisturbed = hansu.match("tictactoe", DiesOnce, "random", games=6, seed=2)
    assert moves(result) == moves(undisturbed)


def test_a_game_of_a_match_that_always_kills_its_worker_is_named(tmp_path):
    file = tmp_path / "games.jsonl"
    with pytest.raises(hansu.HansuError, match=r"\(AlwaysDies – random\) has ended its process"):
        hansu.match("tictactoe", AlwaysDies, "random", games=4, concurrency=2, save=file)


@pytest.mark.parametrize("where", ["reset", "act", "generator", "close"])
@pytest.mark.parametrize("concurrency", [1, 2])
def test_an_agent_that_quits_the_program_only_loses(where, concurrency, monkeypatch):
    monkeypatch.setattr(Quits, "where", where)
    result = hansu.match("tictactoe", Quits, "random", games=2, concurrency=concurrency)
    assert [row["reason"] for row in result.disqualified] == ["crash"] * 2
    assert result.score == 0


def test_an_agent_that_quits_while_it_is_made_is_refused():
    class Never(hansu.Agent):
        def __init__(self, name, color):
            sys.exit("no")

    with pytest.raises(hansu.HansuError, match=r"Never cannot play: SystemExit: no at .*test_"):
        hansu.match("tictactoe", Never, "random", games=2)


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_the_games_so_far_are_saved_whatever_happens(tmp_path, error):
    seen = []

    def progress(result):
        seen.append(result)
        if len(result.played) == 4:
            raise error

    file = tmp_path / "games.csv"
    with pytest.raises(error):
        hansu.match("tictactoe", "random", "random", save=file, progress=progress)
    assert len(read_games(file)) == len(seen[0].played) == 4


def test_a_class_that_forgets_its_base_class_plays():
    class Bare(hansu.Agent):
        def __init__(self, name, color):
            pass

        def act(self, state):
            return self.rng.choice(list(state.legal_moves))

    assert not hansu.match("tictactoe", Bare, "random", games=2).disqualified


def test_a_text_instead_of_a_move_is_told(tmp_path):
    class Writes(hansu.Agent):
        def act(self, state):
            return "d2d4"

    result = hansu.match("microchess", Writes, "random", games=2)
    assert {row["reason"] for row in result.disqualified} == {"illegal_move"}
    assert (
        "'d2d4', a text where a move is expected (state.parse_move reads one)"
        in (result.disqualified[0]["evidence"])
    )


def test_both_games_of_a_pair_are_played_by_the_same_worker():
    class Tells(hansu.Agent):
        def act(self, state):
            time.sleep(0.002)
            raise RuntimeError(f"process {os.getpid()}")

    result = hansu.match("tictactoe", Tells, "random", games=24, concurrency=2)
    workers = [row["evidence"].split("process ")[1].split()[0] for row in result.disqualified]
    assert len(set(workers)) == 2
    assert sum(a == b for a, b in zip(workers[::2], workers[1::2], strict=True)) >= 9


def test_the_next_game_is_not_begun_once_stopped():
    asked = []

    def stop():
        asked.append(True)
        return len(asked) > 3

    result = hansu.match("tictactoe", "random", "random", games=50, stop=stop)
    assert [g.number for g in result.played] == [0, 1, 2]
    result = hansu.match("tictactoe", "random", "random", games=50, concurrency=2, stop=stop)
    assert result.played == []


def test_a_tournament_that_is_stopped_goes_on(tmp_path):
    done = []

    def call(**options):
        return hansu.tournament("tictactoe", "random", "first_move", rounds=5, out=tmp_path,
                                progress=lambda *_: done.append(1), **options)  # fmt: skip

    first = call(stop=lambda: len(done) > 3)
    assert 0 < len(first.games) < 10
    lines = (tmp_path / "games.jsonl").read_text().splitlines()
    assert lines == [record.as_json() for record in first.games]
    assert len(call().games) == 10


def test_games_are_written_as_they_finish(tmp_path):
    seen = []

    def progress(record, done, scheduled):
        lines = (tmp_path / "games.jsonl").read_text().splitlines()
        seen.append((len(lines), done))
        assert record is None or json.loads(lines[-1])["moves"] == record.moves

    hansu.tournament("tictactoe", "random", "first_move", rounds=3, out=tmp_path, progress=progress)
    assert seen == [(n, n) for n in range(7)]


def test_the_file_of_games_is_brought_in_line_with_the_database(tmp_path):
    def call():
        return hansu.tournament("tictactoe", "random", "first_move", rounds=2, out=tmp_path)

    call()
    whole = (tmp_path / "games.jsonl").read_text()
    (tmp_path / "games.jsonl").write_text(whole[: len(whole) // 2])  # torn by a kill
    call()
    assert (tmp_path / "games.jsonl").read_text() == whole


# Killed ------------------------------------------------------------------------------------------


def descendants(root: int) -> set[int]:
    """All processes below one, by /proc."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z":
                parents[int(entry.name)] = int(fields[1])
    found, new = set(), {root}
    while new:
        new = {pid for pid, parent in parents.items() if parent in new} - found
        found |= new
    return found


def birth(pid: int) -> str | None:
    """When a process began; None if there is none or it is a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else fields[19]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
@pytest.mark.parametrize("delay", [0.0, 0.4])
def test_nothing_outlives_a_killed_match(tmp_path, delay):
    if missing():
        pytest.skip("this machine cannot isolate")
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    words = ["match", "connect4", str(tmp_path / "sleeper.py"), "random", "-n", "200",
             "--concurrency", "2"]  # fmt: skip
    running = subprocess.Popen(
        [sys.executable, "-m", "hansu", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while len(descendants(running.pid)) < 2 + 2 * 2:  # workers, and what isolates each agent
        assert running.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(delay)
    known = {pid: birth(pid) for pid in descendants(running.pid)}
    running.kill()
    running.wait(60)
    for _ in range(100):
        left = [pid for pid, born in known.items() if born and birth(pid) == born]
        if not left:
            return
        time.sleep(0.1)
    pytest.fail(f"still there: {[Path(f'/proc/{pid}/cmdline').read_text() for pid in left]}")


def test_a_seated_player_of_a_file_is_used_once_made(tmp_path):
    """The check before the first game costs no second process and no second reset."""
    (tmp_path / "counter.py").write_text(
        "import hansu\nclass Counter(hansu.Agent):\n    made = resets = 0\n"
        "    def __init__(self, name, color):\n        super().__init__(name, color)\n"
        "        Counter.made += 1\n"
        "    def reset(self):\n        Counter.resets += 1\n"
        "    def act(self, state):\n"
        "        raise RuntimeError(f'made {self.made}, reset {self.resets}')\n"
    )
    result = hansu.match("tictactoe", str(tmp_path / "counter.py"), "random", games=2)
    said = [row["evidence"] for row in result.disqualified]
    assert "made 1, reset 1" in said[0]
    assert "made 1, reset 2" in said[1]


def test_the_referee_lets_ctrl_c_through():
    class Interrupted(hansu.Agent):
        def act(self, state):
            raise KeyboardInterrupt

    player = LocalPlayer(Interrupted("me", hansu.WHITE))
    other = LocalPlayer(hansu.agent("tictactoe", "random"))
    with pytest.raises(KeyboardInterrupt):
        play(hansu.game("tictactoe").start(), player, other)


class TellsCores(hansu.Agent):
    """Writes down which cores its games may use."""

    notes: Path

    def act(self, state):
        with self.notes.open("a") as file:
            file.write(f"{sorted(os.sched_getaffinity(0))}\n")
        return next(iter(state.legal_moves))


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="cores cannot be chosen here")
def test_games_at_the_same_time_have_cores_of_their_own(tmp_path, monkeypatch):
    own = sorted(os.sched_getaffinity(0))
    assert shares(len(own) + 1) == []
    assert shares(1) == [tuple(own)]
    each = shares(len(own))
    assert sorted(core for share in each for core in share) == own
    monkeypatch.setattr(TellsCores, "notes", tmp_path / "notes", raising=False)
    hansu.match("tictactoe", TellsCores, "random", 4, concurrency=len(own))
    told = set((tmp_path / "notes").read_text().splitlines())
    assert told <= {str(list(share)) for share in each}
    assert sorted(os.sched_getaffinity(0)) == own
