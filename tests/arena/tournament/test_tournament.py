"""Tournaments as they are used: from Python and from the command line."""

import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import hansu
from hansu.arena.isolation.requirements import missing
from hansu.arena.tournament.standings import standings
from hansu.records.record import GameRecord


class Suicidal(hansu.Agent):
    """Ends its process in its first game, as a crash in C code would; afterwards it plays."""

    grave: Path

    def act(self, state):
        if not self.grave.exists():
            self.grave.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return next(iter(state.legal_moves))


class Incurable(hansu.Agent):
    """Ends its process whenever it is asked."""

    def act(self, state):
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_double_round_robin(tmp_path):
    result = hansu.tournament(
        "tictactoe", "minimax", "random", "malfunction:p=1", rounds=3, out=tmp_path / "cup"
    )
    assert len(result.games) == result.plan.scheduled == 18
    assert [s.games for s in result.standings] == [12, 12, 12]
    assert result.standings[0].agent == "minimax"
    assert result.standings[2].agent == "malfunction:p=1"
    assert sum(s.score for s in result.standings) == 18
    assert len(result.disqualified) == 12
    assert {row["agent"] for row in result.disqualified} == {"malfunction:p=1"}
    assert "as intended" in result.disqualified[0]["evidence"]
    assert "minimax" in str(result)
    assert "minimax" in result._repr_html_()
    files = {file.name for file in (tmp_path / "cup").iterdir()}
    assert files == {"tournament.sqlite", "games.jsonl", "report.html", "lock"}


@pytest.mark.parametrize("format", ["round-robin", "gauntlet", "swiss"])
def test_every_table_can_be_counted_again_from_the_records(tmp_path, format):
    agents = ["random", "first_move", "minimax", "one_step_search", "two_step_search"]
    result = hansu.tournament("tictactoe", *agents, rounds=3, format=format, out=tmp_path)
    lines = (tmp_path / "games.jsonl").read_text(encoding="utf-8").splitlines()
    records = [GameRecord.from_json(line) for line in lines]
    assert len(records) == result.plan.scheduled
    byes = {s.agent: s.byes for s in result.standings}
    assert sum(byes.values()) == (3 if format == "swiss" else 0)
    again = standings(result.plan.agents, records, byes=byes, swiss=format == "swiss")
    assert again == result.standings


def test_the_same_seed_gives_the_same_games_whatever_the_concurrency(tmp_path):
    def moves(concurrency, **options):
        agents = ["random", "mcts:n_simulations=20", "one_step_search"]
        result = hansu.tournament("connect4", *agents, rounds=2, concurrency=concurrency, **options)
        return {number: record.moves for number, record in result.records.items()}

    assert moves(1, seed=0) == moves(2, seed=0) == moves(3, seed=0)
    assert moves(1, seed=0) != moves(1, seed=1)
    assert moves(1) != moves(1)


def test_called_again_it_plays_nothing_and_tells_the_same(tmp_path):
    def call(**options):
        seen = []
        result = hansu.tournament(
            "tictactoe", "random", "first_move", rounds=2, out=tmp_path,
            progress=lambda record, done, total: seen.append((record, done, total)), **options,
        )  # fmt: skip
        return result, seen

    first, seen = call()
    assert [done for _, done, _ in seen] == [0, 1, 2, 3, 4]
    again, seen = call()
    assert seen == [(None, 4, 4)]
    assert again == first
    anchored, _ = call(anchor="random=1000")
    assert {s.agent: s.rating.elo for s in anchored.standings}["random"] == 1000


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rounds": 3}, "rounds 2 there, 3 now"),
        ({"seed": 5}, r"seed \d+ there, 5 now"),
        ({"format": "swiss"}, "format round-robin there, swiss now"),
        ({"openings": "random:2"}, "openings none there, random:2 now"),
        ({"agents": ("random", "minimax")}, "agents random first_move there, random minimax now"),
        ({"game": "connect4"}, "game tictactoe there, connect4 now"),
    ],
)
def test_another_configuration_in_the_same_folder_is_refused(tmp_path, change, words):
    def call(game="tictactoe", agents=("random", "first_move"), **options):
        return hansu.tournament(game, *agents, **{"rounds": 2, "out": tmp_path, **options})

    first = call()
    with pytest.raises(hansu.HansuError, match=words):
        call(**change)
    assert call() == first


def test_openings_that_were_edited_are_noticed(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("b2\na1\n")
    options = {"rounds": 2, "out": tmp_path / "cup", "openings": str(file)}
    result = hansu.tournament("tictactoe", "random", "first_move", **options)
    assert {record.start for record in result.games} == {"....X....", "X........"}
    file.write_text("b2\nb1\n")
    with pytest.raises(hansu.HansuError, match="openings digest"):
        hansu.tournament("tictactoe", "random", "first_move", **options)


@pytest.mark.parametrize(
    ("agents", "options", "words"),
    [
        (["random"], {}, "at least two agents"),
        ([["random", "first_move"]], {}, "takes its agents one by one, not as a list"),
        (["random", "nobody"], {}, "there is no agent 'nobody'"),
        (["random", "mcts:x=1"], {}, "mcts option"),
        (["random", "random"], {"rounds": 0}, "at least one round"),
        (["random", "random"], {"concurrency": 0}, "concurrency is at least 1"),
        (["random", "random"], {"format": "knockout"}, "round-robin, gauntlet, swiss"),
        (["random", "random"], {"anchor": "mcts"}, "one of random, random#2 expected"),
        (["random", "random"], {"anchor": "random=strong"}, "with =ELO"),
        (["random", "random"], {"anchor": "random=nan"}, "with =ELO"),
        (["random", "random"], {"openings": "no/such/file"}, "cannot read openings"),
        (["random", "random"], {"database": "nonsense"}, "is not a database"),
        (["random", "random"], {"database": "sqlite:////no/such/folder/x"}, "cannot be used"),
        ([Incurable, "random"], {"untrusted": True}, "name an untrusted agent by file"),
    ],
)
def test_wrong_options_say_what_would_be_right(tmp_path, agents, options, words):
    with pytest.raises(hansu.HansuError, match=words):
        hansu.tournament("tictactoe", *agents, out=tmp_path, **options)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(hansu.HansuError, match="cannot make the folder"):
        hansu.tournament("tictactoe", "random", "random", out=tmp_path / "file" / "cup")
    (tmp_path / "tournament.sqlite").write_text("this is no database, whatever its name may say")
    with pytest.raises(hansu.HansuError, match="cannot be used"):
        hansu.tournament("tictactoe", "random", "random", out=tmp_path)


def test_a_worker_that_dies_is_replaced_and_its_game_played_again(tmp_path):
    Suicidal.grave = tmp_path / "grave"
    result = hansu.tournament("tictactoe", Suicidal, "first_move", "random", rounds=2)
    assert Suicidal.grave.exists()
    assert len(result.games) == 12
    assert not result.disqualified


def test_a_game_that_always_kills_its_worker_is_named():
    with pytest.raises(hansu.HansuError, match=r"game 1 \(Incurable – random\) has ended its proc"):
        hansu.tournament("tictactoe", Incurable, "random")


def test_nothing_is_left_behind():
    def open_files():
        return len(list(Path("/proc/self/fd").iterdir()))

    if not Path("/proc/self/fd").exists():
        pytest.skip("no /proc to count open files in")
    hansu.tournament("tictactoe", "random", "first_move", concurrency=2)  # opens what stays open
    before = open_files()
    for _ in range(3):
        hansu.tournament("tictactoe", "random", "first_move", "minimax", rounds=2, concurrency=2)
    assert open_files() == before
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_workers_do_not_grow_in_hundreds_of_games(tmp_path):
    sizes = {}

    def measure(record, done, scheduled):
        if done in (200, 600, 1000):
            pages = [
                int(Path(f"/proc/{child.pid}/statm").read_text().split()[1])
                for child in (*multiprocessing.active_children(), multiprocessing.current_process())
            ]
            files = [
                len(os.listdir(f"/proc/{child.pid}/fd"))
                for child in multiprocessing.active_children()
            ]
            sizes[done] = (sum(pages) * 4096, files)

    agents = ["random", "one_step_search", "mcts:n_simulations=20", "malfunction:p=0.1"]
    hansu.tournament("connect4", *agents, rounds=84, concurrency=2, out=tmp_path, progress=measure)
    print(sizes)
    assert sizes[1000][0] - sizes[200][0] < 20e6
    assert sizes[1000][1] == sizes[200][1]


def test_an_untrusted_agent_from_a_file_plays_isolated(tmp_path):
    if missing():
        pytest.skip("this machine cannot isolate")
    file = tmp_path / "spy.py"
    file.write_text(
        "import hansu\n"
        "class Spy(hansu.Agent):\n"
        "    def act(self, state):\n"
        "        open('/etc/hostname').read()\n"
        "        return list(state.legal_moves)[0]\n"
    )
    result = hansu.tournament("tictactoe", str(file), "random", untrusted=True, concurrency=2)
    assert len(result.games) == 2
    assert [row["agent"] for row in result.disqualified] == [str(file)] * 2
    assert result.standings[0].agent == "random"


def test_a_shared_database_holds_many_tournaments(tmp_path):
    url = f"sqlite:///{tmp_path / 'shared.sqlite'}"
    for name, rounds in (("spring", 1), ("autumn", 2)):
        result = hansu.tournament(
            "tictactoe", "random", "first_move", rounds=rounds, out=tmp_path / name, database=url
        )
        assert len(result.games) == 2 * rounds
        assert not (tmp_path / name / "tournament.sqlite").exists()
    rows = sqlite3.connect(tmp_path / "shared.sqlite").execute(
        "SELECT tournament, count(*) FROM games GROUP BY tournament ORDER BY 1"
    )
    assert list(rows) == [("autumn", 4), ("spring", 2)]


# On the command line -----------------------------------------------------------------------------


def command(folder: Path, *words: str) -> list[str]:
    agents = ["random", "first_move", "malfunction:p=0.2"]
    return [sys.executable, "-m", "hansu", "tournament", "tictactoe", *agents,
            "--out", str(folder), *words]  # fmt: skip


def test_json_is_one_line_and_progress_goes_to_stderr(tmp_path):
    done = subprocess.run(
        command(tmp_path, "--rounds", "2", "--json"), capture_output=True, text=True, check=True
    )
    answer = json.loads(done.stdout)
    assert answer["games"] == answer["scheduled"] == 12
    keys = {"agent", "score", "games", "rating", "error", "accuracy", "blunders_per_game"}
    keys |= {"judged_moves", "score_lost_per_move", "scored_moves"}
    assert all(keys <= set(line) for line in answer["standings"])
    assert len(done.stderr.splitlines()) == 12
    words = command(tmp_path, "--rounds", "2")
    told = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "cross-table" in told.stdout
    assert str(tmp_path / "report.html") in told.stdout.replace("\n", "")


def finished_games(folder: Path) -> int:
    """The lines of the file of games, which are those of the database."""
    with sqlite3.connect(folder / "tournament.sqlite") as database:
        (count,) = database.execute("SELECT count(*) FROM games").fetchone()
    assert len((folder / "games.jsonl").read_text(encoding="utf-8").splitlines()) == count
    return count


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_who_stops_it_is_told_how_to_go_on(tmp_path, number, status):
    words = command(tmp_path, "--rounds", "2000", "--concurrency", "2")
    running = subprocess.Popen(
        words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    for _ in range(3):
        running.stderr.readline()
    group = os.getpgid(running.pid)
    if number == signal.SIGINT:
        os.killpg(group, number)  # as a terminal does
    else:
        running.send_signal(number)
    out, errors = running.communicate(timeout=60)
    assert running.returncode == status
    assert f"{finished_games(tmp_path)} of 12000 games" in out
    assert "Traceback" not in errors
    assert "the games in progress were dropped" in errors
    assert (
        f"hansu tournament tictactoe random first_move malfunction:p=0.2 --out {tmp_path}"
        in (errors.splitlines()[-1])
    )
    with pytest.raises(ProcessLookupError):
        os.killpg(group, 0)  # nobody is left
