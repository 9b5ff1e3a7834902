"""A competition from the first submission to the final, also when it is killed."""

import json
import os
import random
import signal
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hansu.arena.competition.intake import Inbox, checked
from hansu.arena.competition.leaderboard import Leaderboard
from hansu.arena.competition.register import Register
from hansu.arena.competition.service import CompetitionService
from hansu.arena.competition.settings import read_competition
from hansu.arena.isolation.requirements import missing
from hansu.arena.tournament.ledger import Ledger
from hansu.errors import HansuError
from tests.arena.tournament.test_kill import start

from .conftest import (
    CRASHING,
    FIRST,
    HURRIED,
    LAST,
    RANDOM,
    SHELL_FIRST,
    SHELL_LAST,
    SHELL_MIDDLE,
    SHELL_SECOND,
    one_file,
)

KILLS = int(os.environ.get("HANSU_KILLS", "40"))
pytestmark = pytest.mark.skipif(bool(missing()), reason="this machine cannot isolate agents")
DEADLINE = '[[deadline]]\nname = "{}"\nat = {}\n\n[marks]'


def deadline(name, seconds):
    at = datetime.now(UTC) + timedelta(seconds=seconds)
    return ("[marks]", DEADLINE.format(name, at.isoformat()))


def lines_of(folder, stage=""):
    """Every finished game of a stage: number -> players, moves and result."""
    register = Register(folder, read_competition(folder))
    name = f"{register.event} {stage}" if stage else register.event
    records = Ledger(register.database, name).records()
    return {n: (r.first, r.second, r.moves, r.score_first, r.seed) for n, r in records.items()}


def check_whole(folder):
    """Every encounter that was drawn has its two games, and there is no other game."""
    drawn = Register(folder, read_competition(folder)).encounters()
    played = lines_of(folder)
    assert sorted(played) == sorted(2 * e.number + i for e in drawn for i in (0, 1))
    return played


def test_dropped_files_are_checked_rated_and_reported(make, small_rounds):
    folder = make(staff=True)
    for name, source in {"kim": FIRST, "bad": CRASHING}.items():
        (folder / "submissions" / f"{name}.py").write_text(source)
    (folder / "submissions" / "team").mkdir()
    (folder / "submissions" / "team" / "agent.py").write_text(
        "from helper import choose\n" + RANDOM.replace("self.rng.choice(moves)", "choose(moves)")
    )
    (folder / "submissions" / "team" / "helper.py").write_text("def choose(m): return m[0]\n")
    (folder / "submissions" / "shell").write_text(SHELL_LAST)
    (folder / "submissions" / "evil\x1b[2J.py").write_text(FIRST)
    (folder / "submissions" / "link.py").symlink_to("/etc/passwd")
    CompetitionService(folder).run(until_idle=True)
    check_whole(folder)
    board = Leaderboard(Register(folder, read_competition(folder)))
    board.update()
    lines = {line.participant: line for line in board.lines()}
    assert set(lines) == {"kim", "team", "shell", "staff-random", "staff-search"}
    assert all(line.tally.games > 0 for line in lines.values())
    reports = {file.name: file.read_text() for file in (folder / "reports").iterdir()}
    assert "bad#1 was rejected" in reports["bad.txt"]
    assert "turn 1: crash: bad#1: ZeroDivisionError" in reports["bad.txt"]
    assert "accepted" in reports["kim.txt"]
    assert "refused" in reports["link.txt"]
    assert all("\x1b" not in name + text for name, text in reports.items())
    assert all(os.sep not in text.replace("./agent.py", "") for text in reports.values())


def check_provenance(register):
    """Every record says which bytes played it, and where."""
    entries = {entry.name: entry for entry in register.entries().values()}
    records = Ledger(register.database).records().values()
    for record in records:
        found = record.provenance
        assert found.first == entries[record.first].digest
        assert found.second == entries[record.second].digest
        assert found.machine
        assert found.speed > 0
        assert found.worker != os.getpid()
    assert records


def test_new_versions_and_late_entries_play_only_what_is_missing(register, small_rounds):
    made = register({"kim": SHELL_FIRST, "lee": SHELL_LAST})
    folder = made.folder
    CompetitionService(folder, seed=1).run(until_idle=True)
    before = check_whole(folder)
    check_provenance(made)
    (folder / "submissions" / "kim").write_text(SHELL_SECOND)
    (folder / "submissions" / "park").write_text(SHELL_MIDDLE)
    CompetitionService(folder).run(until_idle=True)
    after = check_whole(folder)
    assert {n: after[n] for n in before} == before
    later = [set(after[n][:2]) for n in after.keys() - before.keys()]
    assert {"kim#2", "park#1"} <= set.union(*later)
    assert all(players & {"kim#2", "park#1"} for players in later)  # nothing else was missing
    folder = folder.rename(folder.with_name("moved"))  # agents are found wherever it lies
    CompetitionService(folder).run(until_idle=True)
    assert check_whole(folder) == after  # nothing is left to play
    made = Register(folder, made.settings)
    made.withdraw("lee")
    (folder / "submissions" / "kim").write_text(SHELL_FIRST)
    CompetitionService(folder).run(until_idle=True)
    last = check_whole(folder)
    later = [set(last[n][:2]) for n in last.keys() - after.keys()]
    assert later
    assert all(players == {"kim#3", "park#1"} for players in later)


def test_a_changed_game_is_refused(register, small_rounds):
    made = register({"kim": SHELL_FIRST, "lee": SHELL_LAST})
    CompetitionService(made.folder).run(until_idle=True)
    file = made.folder / "competition.toml"
    file.write_text(file.read_text().replace("seconds = 60", "seconds = 30"))
    with pytest.raises(HansuError, match=r"seconds 60\.0 there, 30\.0 now"):
        CompetitionService(made.folder).run(until_idle=True)


@pytest.mark.parametrize(
    ("format", "games"),
    [
        ("gauntlet", 12),
        pytest.param("round-robin", 20, marks=pytest.mark.slow),
        pytest.param("swiss", 8, marks=pytest.mark.slow),
    ],
)
def test_the_final_is_played_by_what_came_in_time(register, format, games):
    agents = {"kim": SHELL_FIRST, "lee": SHELL_LAST, "park": SHELL_MIDDLE}
    changes = [deadline("final", 3600), ('format = "round-robin"', f'format = "{format}"')]
    changes.append(("rounds = 1", "rounds = 2" if format == "swiss" else "rounds = 1"))
    made = register(agents, *changes, staff=True)
    file = made.folder / "competition.toml"
    moment = datetime.now(UTC).isoformat()
    made.submit("kim", one_file(SHELL_SECOND), "command", time.time() + 60)  # too late
    made.draw(0, [(0, 1), (1, 2)], {})  # what was drawn before the deadline is played after it
    text = file.read_text()
    at = text.index("at = ", text.index("[[deadline]]"))
    file.write_text(f"{text[:at]}at = {moment}{text[text.index(chr(10), at) :]}")
    CompetitionService(made.folder).run(until_idle=True)
    final = lines_of(made.folder, "final")
    assert len(final) == games
    names = {name for game in final.values() for name in game[:2]}
    assert names == {"kim#1", "lee#1", "park#1", "staff-random", "staff-search"}
    if format == "gauntlet":
        assert all(any(n.startswith("staff") for n in game[:2]) for game in final.values())
    assert len({game[4] for game in final.values()}) == games
    assert len(check_whole(made.folder)) == 4
    assert not (made.folder / "finals").exists()
    CompetitionService(made.folder).run(until_idle=True)
    assert lines_of(made.folder, "final") == final


def test_who_fails_to_start_gets_no_more_games(register):
    made = register({"kim": SHELL_FIRST, "lee": SHELL_LAST, "late": SHELL_MIDDLE})
    late = next(e for e in made.entries().values() if e.participant == "late")
    Path(late.agent).with_name("program").write_text("#!/bin/sh\nexit 1\n")
    CompetitionService(made.folder).run(until_idle=True)
    played = Counter(name for game in check_whole(made.folder).values() for name in game[:2])
    assert 3 <= played["late#1"] <= 16


def test_a_weakness_is_told_and_no_reason_to_reject(register):
    made = register({"kim": HURRIED, "lee": CRASHING})
    kim, lee = made.entries().values()
    assert (kim.status, lee.status) == ("accepted", "rejected")
    [finding] = kim.report["findings"]
    assert finding["situation"] == "only 3 seconds for the game"
    status, report = checked(lee, made)
    assert (status, len(report["findings"])) == ("rejected", 6)
    finding = report["findings"][0]
    assert (finding["reason"], finding["turn"]) == ("crash", 1)
    assert json.loads(finding["record"])["reason"] == "crash"


def test_a_file_that_is_still_copied_is_left_alone(make):
    folder = make()
    register = Register(folder, read_competition(folder))
    inbox = Inbox(folder, register)
    file = folder / "submissions" / "kim.py"
    file.write_text(FIRST)
    assert inbox.look()
    assert register.entries() == {}
    long_ago = time.time() - 60
    os.utime(file, (long_ago, long_ago))
    inbox.look()
    assert [e.name for e in register.entries().values()] == ["kim#1"]
    assert not inbox.look()
    assert not Inbox(folder, register).look() or len(register.entries()) == 1


def test_a_newer_version_by_the_page_is_not_undone_by_the_file(make):
    folder = make()
    register = Register(folder, read_competition(folder))
    file = folder / "submissions" / "kim.py"
    file.write_text(FIRST)
    os.utime(file, (1, 1))
    Inbox(folder, register).look()
    register.submit("kim", one_file(LAST), "page")
    Inbox(folder, register).look()  # as after a restart
    assert [e.source for e in register.entries().values()] == ["folder", "page"]


def run_killed(folder, moments, seed):
    """Run the command again and again, killed with all its children at random moments."""
    words = ["hansu", "compete", str(folder), "--no-page", "--until-idle", "--concurrency", "2"]
    words += ["--seed", str(seed)]
    killed = 0
    for moment in moments:
        child = start(words, folder / "answer")
        time.sleep(moment)
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            break
        os.kill(child, signal.SIGKILL)  # the children are left to notice by themselves
        os.waitpid(child, 0)
        killed += 1
    _, status = os.waitpid(start(words, folder / "answer"), 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return killed


@pytest.mark.parametrize("kills", [3, pytest.param(KILLS, marks=pytest.mark.slow)])
def test_kills_change_nothing(register, small_rounds, kills):
    agents = {"kim": SHELL_FIRST, "lee": SHELL_LAST, "park": SHELL_MIDDLE}
    plain = register(agents, name="plain").folder
    CompetitionService(plain, seed=7).run(until_idle=True)
    folder = register(agents, name="killed").folder
    chance = random.Random(kills)
    killed = run_killed(folder, [chance.uniform(0.1, 3.0) for _ in range(kills)], 7)
    assert killed > 0
    assert check_whole(folder) == check_whole(plain)
    assert not list((folder / "playing").glob("*")) or not (folder / "playing").exists()


@pytest.mark.slow
def test_kills_while_submissions_come(make):
    folder = make(staff=True)
    for name, source in {"kim": FIRST, "lee": RANDOM, "bad": CRASHING}.items():
        (folder / "submissions" / f"{name}.py").write_text(source)
    run_killed(folder, [0.5, 2.0, 3.5], 3)
    check_whole(folder)
    entries = Register(folder, read_competition(folder)).entries().values()
    assert sorted((e.name, e.status) for e in entries if e.source != "staff") == [
        ("bad#1", "rejected"),
        ("kim#1", "accepted"),
        ("lee#1", "accepted"),
    ]


@pytest.mark.slow
def test_the_same_on_postgresql(make, server):
    folder = make(staff=True)
    for name, source in {"kim": FIRST, "bad": CRASHING}.items():
        (folder / "submissions" / f"{name}.py").write_text(source)
    CompetitionService(folder, database=server.url).run(until_idle=True)
    assert not (folder / "competition.sqlite").exists()
    register = Register(folder, read_competition(folder), server.url)
    assert register.owner(register.invite("kim")) == "kim"
    board = Leaderboard(register)
    board.update()
    assert {line.participant for line in board.lines()} == {"kim", "staff-random", "staff-search"}
    drawn, played = register.encounters(), Ledger(register.database).results()
    assert drawn
    assert sorted(played) == sorted(2 * e.number + i for e in drawn for i in (0, 1))
    (folder / "submissions" / "lee.py").write_text(LAST)
    CompetitionService(folder, database=server.url).run(until_idle=True)
    assert len(register.encounters()) > len(drawn)


HOSTILE = """import hansu, os

class Mine(hansu.Agent):
    def act(self, state):
        for place in {places!r}:
            try:
                open(place, "rb").read()
            except OSError:
                continue
            return None
        for place in {folders!r}:
            try:
                if os.listdir(place):
                    return None
            except OSError:
                pass
        return list(state.legal_moves)[0]
"""


def test_an_agent_reaches_nothing_of_the_competition(register):
    """Neither other submissions, results, tokens nor reports: it loses, or finds nothing there."""
    made = register({"kim": RANDOM})
    folder = made.folder
    made.invite("kim")
    kim = next(iter(made.entries().values()))
    places = [kim.agent, folder / "competition.sqlite", folder / "competition.toml"]
    folders = [folder, folder / "store", folder / "reports", folder / "submissions"]
    for each in (places, folders):
        hostile = HOSTILE.format(
            places=[str(p) for p in each if each is places],
            folders=[str(p) for p in each if each is folders],
        )
        entry = made.submit("eve", one_file(hostile), "command")
        _, report = checked(entry, made)
        reasons = {finding["reason"] for finding in report["findings"]}
        assert "illegal_move" not in reasons  # None would say that it could read
        assert reasons <= {"disqualified"}
