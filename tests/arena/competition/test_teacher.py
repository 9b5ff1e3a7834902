"""What the teacher gets: marks, what is alike, and an archive that anybody can check."""

import contextlib
import gzip
import io
import json
import random
import tarfile
from dataclasses import replace

import pytest

from hansu.arena.competition.freeze import SUMS, freeze, verify
from hansu.arena.competition.marks import as_csv, gradescope, marks
from hansu.arena.competition.register import Register
from hansu.arena.competition.settings import FILE, read_competition
from hansu.arena.competition.similarity import shape_of, similar
from hansu.arena.play_game import play_game
from hansu.arena.seeds import game_seed, stage_seed
from hansu.arena.tournament.ledger import Ledger
from hansu.arena.tournament.plan import Plan
from hansu.errors import HansuError
from tests.command_line import hansu as command

from .conftest import FIRST, LAST, RANDOM, one_file

STAFF = ["staff-random", "staff-search"]
STRONG, WEAK = "minimax", "first_move"
DEADLINE = ("[marks]", '[[deadline]]\nname = "final"\nat = 2099-01-01T00:00:00Z\n\n[marks]')


@pytest.fixture
def finished(make):
    """Makes a competition whose games were played by known agents under participants' names."""

    def made(*changes):
        folder = make(DEADLINE, *changes, staff=True)
        register = Register(folder, read_competition(folder))
        register.enter_staff()
        for name, source in (("kim", FIRST), ("lee", LAST)):
            register.decide(register.submit(name, one_file(source), "command"), "accepted", {})
        rating = Plan("tictactoe", (), 1, "round-robin", None, None, 60, None, 0.0, 5, True)
        Ledger(register.database).enter(rating)
        names = (*STAFF, "kim#1", "lee#1")
        final = replace(rating, agents=names, seed=stage_seed(5, "final"))
        ledger = Ledger(register.database, f"{register.event} final")
        ledger.enter(final)
        who = dict(zip(names, ("random", "one_step_search", STRONG, WEAK), strict=True))
        pairs = [(a, b) for a in names for b in names if a != b]
        for number, (a, b) in enumerate(pairs):
            record = play_game("tictactoe", who[a], who[b], seed=game_seed(final.seed, number))
            ledger.add(number, replace(record, first=a, second=b))
        return register

    return made


@pytest.mark.parametrize(
    ("rule", "expected"), [("rank", {"kim": 90.0, "lee": 40.0}), ("points", {"kim": 90.0})]
)
def test_marks_follow_the_rule(finished, rule, expected):
    register = finished(('rule = "rank"', f'rule = "{rule}"'), ("most = 100", "most = 90"),
                        ("least = 0", "least = 40"))  # fmt: skip
    found = {mark.participant: mark for mark in marks(register)}
    assert {name: found[name].mark for name in expected} == expected
    assert found["kim"].rank == 1
    assert found["kim"].points > found["lee"].points
    assert found["kim"].games == 6


def test_marks_by_the_staff_that_was_beaten(finished):
    register = finished(('rule = "rank"', 'rule = "staff"'))
    for mark in marks(register):
        assert mark.mark == 50.0 * mark.beaten


def test_points_are_the_organisers(finished):
    plain, other = finished(), None
    usual = {m.participant: m.points for m in marks(plain)}
    file = plain.folder / "competition.toml"
    file.write_text(file.read_text().replace("points = [1, 0.5, 0]", "points = [3, 1, 0]"))
    other = Register(plain.folder, read_competition(plain.folder))
    assert {m.participant: m.points for m in marks(other)} != usual


def test_marks_as_files(finished):
    found = marks(finished())
    lines = as_csv(found).splitlines()
    assert lines[0] == "participant,version,rank,points,games,rating,beaten,mark"
    assert len(lines) == 3
    facts = json.loads(gradescope(found[0], 100.0))
    assert facts["score"] == facts["tests"][0]["score"] == found[0].mark
    assert facts["tests"][0]["max_score"] == 100.0
    assert {each["name"] for each in facts["leaderboard"]} == {"rank", "points", "Elo"}


def test_there_are_no_marks_before_the_final_is_finished(make):
    folder = make(DEADLINE)
    with pytest.raises(HansuError, match="no final has begun"):
        marks(Register(folder, read_competition(folder)))


LONG = """import hansu

class Searcher(hansu.Agent):
    '''Mine.'''
    depth = 3

    def act(self, state):
        best, chosen = -1.0, None
        for move in state.legal_moves:
            value = self.look(state.forward(move), self.depth)
            if value > best:
                best, chosen = value, move
        return chosen

    def look(self, state, depth):
        if depth == 0 or state.is_game_over():
            return 0.5
        return max(1 - self.look(state.forward(m), depth - 1) for m in state.legal_moves)
"""


def test_what_is_alike_is_found(make):
    folder = make()
    register = Register(folder, read_competition(folder))
    renamed = LONG.replace("Searcher", "Thinker").replace("best", "top").replace("Mine", "My own")
    other = LONG.replace("depth = 3", "depth = 4")
    sent = {"kim": LONG, "lee": LONG, "park": f"# by me\n{renamed}", "choi": other, "ann": RANDOM}
    for name, source in sent.items():
        register.submit(name, one_file(source), "command")
    register.submit("kim", one_file(FIRST), "command")
    register.submit("kim", one_file(LONG), "command")  # one's own older version is no copy
    found = {each.how: sorted(e.name for e in each.entries) for each in similar(register)}
    assert found == {
        "same bytes": ["kim#1", "kim#3", "lee#1"],
        "same syntax tree": ["kim#1", "kim#3", "lee#1", "park#1"],
    }


@pytest.mark.parametrize("source", ["def (", "\ufeff(", "(" * 5000, "x = 1"])
def test_what_has_no_shape(source):
    assert shape_of(one_file(source)) == ""


def repacked(archive, change):
    """The archive with its files changed, its sums made right again where they are told so."""
    with tarfile.open(archive) as opened:
        files = {m.name: opened.extractfile(m).read() for m in opened}
    change(files)
    out = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=out, mode="wb") as packed,
        tarfile.open(fileobj=packed, mode="w") as made,
    ):
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            made.addfile(member, io.BytesIO(content))
    archive.write_bytes(out.getvalue())


def resummed(files):
    import hashlib

    names = sorted(files.keys() - {SUMS})
    files[SUMS] = "".join(f"{hashlib.sha256(files[n]).hexdigest()}  {n}\n" for n in names).encode()


def test_a_frozen_competition_is_verified(finished, tmp_path):
    register, archive = finished(), tmp_path / "cup.tar.gz"
    freeze(register, archive)
    said = list(verify(archive))
    assert "2 submissions are what their SHA-256 says" in said
    assert "competition final: 12 games follow the rules and give the table" in said
    again = tmp_path / "again.tar.gz"
    freeze(register, again)
    assert again.read_bytes() == archive.read_bytes()
    with tarfile.open(archive) as opened:
        text = b"".join(opened.extractfile(m).read() for m in opened if m.name != FILE)
    assert str(register.folder).encode() not in text
    assert b"token" not in text


def first_game(files, **facts):
    lines = files["games/1.jsonl"].decode().splitlines()
    lines[0] = json.dumps({**json.loads(lines[0]), **facts})
    files["games/1.jsonl"] = "\n".join(lines).encode()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda files: files.pop("competition.toml"), "files are missing|not what"),
        (lambda files: files.update({"standings.json": b"{}"}), "not what SHA256SUMS"),
        (lambda files: files.update({"extra": b""}), "extra is not what"),
        (lambda files: (first_game(files, winner="white", reason="line"), resummed(files)),
         "does not end|table|not legal|not a legal"),
        (lambda files: (first_game(files, first="stranger#1"), resummed(files)), "nobody of this"),
        (lambda files: (first_game(files, moves=["z9"], seconds=[0], values=[None], depths=[None],
                                   nodes=[None], cpu=[None]), resummed(files)), "z9"),
        (lambda files: (first_game(files, moves=["a1"]), resummed(files)), "entries, moves has 1"),
        (lambda files: (first_game(files, second="lee#1"), resummed(files)), "table"),
        (lambda files: (files.update({next(n for n in files if n.startswith("store/")): b"other"}),
                        resummed(files)), "not what its name says"),
    ],
)  # fmt: skip
def test_whatever_is_changed_in_it_shows(finished, tmp_path, change, said):
    archive = tmp_path / "cup.tar.gz"
    freeze(finished(), archive)
    repacked(archive, change)
    with pytest.raises(HansuError, match=said):
        list(verify(archive))


def places_in(facts, path=()):
    """Every place in some JSON, from the top down."""
    yield path
    if isinstance(facts, dict | list):
        for key, value in facts.items() if isinstance(facts, dict) else enumerate(facts):
            yield from places_in(value, (*path, key))


@pytest.mark.parametrize("odd", [None, [], {}, "x", -1, 10**30, [[]], "\ud800"])
def test_a_forged_archive_is_refused_with_a_sentence(finished, tmp_path, odd):
    archive = tmp_path / "cup.tar.gz"
    freeze(finished(), archive)
    whole, draw = archive.read_bytes(), random.Random(0)
    for name in ("entries.json", "standings.json"):

        def forge(files, name=name):
            top = {"top": json.loads(files[name])}
            *way, last = ("top", *draw.choice(list(places_in(top["top"]))))
            at = top
            for key in way:
                at = at[key]
            at[last] = odd
            files[name] = json.dumps(top["top"]).encode()
            resummed(files)

        for _ in range(12):
            archive.write_bytes(whole)
            repacked(archive, forge)
            with contextlib.suppress(HansuError):  # some changes do no harm
                list(verify(archive))


def test_what_is_no_archive_is_told(tmp_path):
    for content in (b"", b"no archive", gzip.compress(b"no tar")):
        (tmp_path / "x.tar.gz").write_bytes(content)
        with pytest.raises(HansuError):
            list(verify(tmp_path / "x.tar.gz"))


def test_marks_and_the_verdict_on_an_archive_as_json(finished, tmp_path):
    register = finished()
    folder, table, archive = str(register.folder), tmp_path / "marks.csv", tmp_path / "cup.tar.gz"
    found = json.loads(command("competition", "marks", folder, "--json").stdout)
    assert [(row["participant"], row["rank"]) for row in found] == [("kim", 1), ("lee", 2)]
    again = command("competition", "marks", folder, "--json", "--out", str(table)).stdout
    assert json.loads(again) == found
    assert table.read_text().startswith("participant,version,rank")
    freeze(register, archive)
    said = json.loads(command("competition", "verify", str(archive), "--json").stdout)
    assert said["checked"] == command("competition", "verify", str(archive)).stdout.splitlines()


def test_what_is_alike_as_json(make):
    folder = make()
    assert json.loads(command("competition", "similar", str(folder), "--json").stdout) == []
    register = Register(folder, read_competition(folder))
    for name in ("kim", "lee"):
        register.submit(name, one_file(FIRST), "command")
    found = json.loads(command("competition", "similar", str(folder), "--json").stdout)
    assert [sorted(each["entries"]) for each in found] == [["kim#1", "lee#1"]]
    assert found[0]["how"] == "same bytes"
