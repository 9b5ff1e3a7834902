"""Who takes part: names, tokens, limits, versions."""

import sqlite3
import threading

import pytest

from hansu.arena.competition.register import DATABASE, Register, current
from hansu.arena.competition.settings import read_competition
from hansu.errors import HansuError

from .conftest import FIRST, LAST, RANDOM, one_file


@pytest.fixture
def open_register(make):
    def opened(*changes, **how):
        folder = make(*changes, **how)
        return Register(folder, read_competition(folder))

    return opened


def test_versions_are_kept_and_repeats_are_none(open_register):
    register = open_register()
    first = register.submit("kim", one_file(FIRST), "page")
    assert register.submit("kim", one_file(FIRST), "folder") == first
    second = register.submit("kim", one_file(LAST), "page")
    third = register.submit("kim", one_file(FIRST), "page")  # back to what it was
    assert [first.name, second.name, third.name] == ["kim#1", "kim#2", "kim#3"]
    assert register.store.read(second.digest) == one_file(LAST)
    assert first.digest == third.digest


def test_the_version_of_now_is_the_newest_that_was_accepted(open_register):
    register = open_register()
    for source in (FIRST, LAST, RANDOM):
        register.submit("kim", one_file(source), "page")
    entries = list(register.entries().values())
    assert current(register.entries(), register.participants()) == {}
    register.decide(entries[0], "accepted", {})
    register.decide(entries[1], "accepted", {})
    register.decide(entries[2], "rejected", {"findings": []})
    now = current(register.entries(), register.participants())
    assert now["kim"].version == 2
    early = current(register.entries(), register.participants(), entries[1].received)
    assert early["kim"].version == 1
    register.withdraw("kim")
    assert current(register.entries(), register.participants()) == {}
    with pytest.raises(HansuError, match="withdrawn"):
        register.submit("kim", one_file(RANDOM), "page")
    register.withdraw("kim", back=True)
    assert current(register.entries(), register.participants())["kim"].version == 2


def test_so_many_versions_a_day(open_register):
    register = open_register(("per_day = 10", "per_day = 2"))
    now = 1_000_000.0
    register.submit("kim", one_file(FIRST), "page", now)
    register.submit("kim", one_file(LAST), "page", now + 10)
    register.submit("kim", one_file(LAST), "page", now + 20)  # the same again is none
    with pytest.raises(HansuError, match="2 versions in 24 hours"):
        register.submit("kim", one_file(RANDOM), "page", now + 30)
    register.submit("lee", one_file(RANDOM), "page", now + 30)
    assert register.submit("kim", one_file(RANDOM), "page", now + 86_401).version == 3


def test_nothing_after_the_last_deadline(open_register):
    text = '[[deadline]]\nname = "final"\nat = 2026-01-01T00:00:00Z\n\n[marks]'
    register = open_register(("[marks]", text))
    with pytest.raises(HansuError, match="closed at 2026-01-01"):
        register.submit("kim", one_file(FIRST), "page")
    register.submit("kim", one_file(FIRST), "page", 1_700_000_000.0)


def test_names_are_those_that_the_organiser_allows(open_register):
    register = open_register(("names = []", 'names = ["kim", "lee"]'), staff=True)
    register.submit("kim", one_file(FIRST), "folder")
    with pytest.raises(HansuError, match="not one of the names"):
        register.submit("park", one_file(FIRST), "folder")
    with pytest.raises(HansuError, match="not one of the names"):
        register.invite("park")
    register.enter_staff()
    with pytest.raises(HansuError, match="not one of the names"):
        register.invite("staff-random")


def test_a_name_stands_for_one_participant(open_register):
    register = open_register(staff=True)
    register.enter_staff()
    register.submit("kim", one_file(FIRST), "folder")
    with pytest.raises(HansuError, match="participant kim already"):
        register.submit("Kim", one_file(FIRST), "folder")
    with pytest.raises(HansuError, match="staff"):
        register.submit("staff-random", one_file(FIRST), "folder")
    for name in ("../kim", "a b", "x\x1b"):
        with pytest.raises(HansuError, match="is no name"):
            register.submit(name, one_file(FIRST), "folder")


def test_staff_come_and_go_with_the_settings(make):
    folder = make(staff=True)
    register = Register(folder, read_competition(folder))
    for _ in range(2):
        register.enter_staff()
    names = {e.name: e.agent for e in register.entries().values()}
    assert names == {"staff-random": "random", "staff-search": "one_step_search"}
    file = folder / "competition.toml"
    file.write_text(file.read_text().replace('"staff-search"', '"staff-more"'))
    register = Register(folder, read_competition(folder))
    register.enter_staff()
    now = current(register.entries(), register.participants())
    assert sorted(now) == ["staff-more", "staff-random"]


def test_tokens_are_kept_as_hashes_only(open_register):
    register = open_register()
    token = register.invite("kim")
    assert len(token) >= 32
    assert register.owner(token) == "kim"
    assert register.owner("") is None
    assert register.owner(token[:-1]) is None
    content = (register.folder / DATABASE).read_bytes()
    assert token.encode() not in content
    again = register.invite("kim")
    assert register.owner(token) is None
    assert register.owner(again) == "kim"


def test_many_submissions_at_the_same_time_all_get_a_number(open_register):
    register = open_register(("per_day = 10", "per_day = 1000"))
    troubles = []

    def send(who):
        mine = Register(register.folder, register.settings)
        try:
            for i in range(8):
                mine.submit(who, one_file(f"# {who} {i}"), "page")
        except Exception as error:
            troubles.append(error)

    threads = [threading.Thread(target=send, args=(f"p{i % 3}",)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == []
    entries = register.entries()
    assert list(entries) == list(range(len(entries)))
    for who in ("p0", "p1", "p2"):
        versions = [e.version for e in entries.values() if e.participant == who]
        assert versions == list(range(1, len(versions) + 1))


def test_the_database_is_plain_sqlite(open_register):
    register = open_register()
    register.submit("kim", one_file(FIRST), "page")
    with sqlite3.connect(register.folder / DATABASE) as database:
        assert database.execute("select participant, version from entries").fetchall() == [
            ("kim", 1)
        ]
