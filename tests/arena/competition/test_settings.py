"""competition.toml: what is right is read, what is wrong is told in one sentence with its line."""

from datetime import UTC, datetime

import pytest

from hansu.arena.competition.settings import check_name, parse_competition, read_competition
from hansu.arena.competition.template import TEMPLATE, new_competition
from hansu.errors import HansuError

TEXT = TEMPLATE.format(folder="cup", game="connect4", title="Cup")
EARLY, LATE = "2026-12-01T00:00:00Z", "2026-12-02T00:00:00Z"
DEADLINE = '[[deadline]]\nname = "{}"\nat = {}\n'


def test_the_template_is_a_competition(tmp_path):
    file = new_competition(tmp_path / "cup", "go:size=5,komi=0.5", "The cup")
    found = read_competition(file.parent)
    assert (found.title, str(found.board)) == ("The cup", "go:size=5,komi=0.5")
    assert found.control.seconds == 60
    assert [staff.agent for staff in found.staff] == ["random", "one_step_search"]
    assert found.closes is None
    with pytest.raises(HansuError, match="exists already"):
        new_competition(tmp_path / "cup")


def test_deadlines_are_moments_whatever_the_time_zone():
    text = TEXT + DEADLINE.format("one", "2026-12-01T18:00:00+09:00")
    text += DEADLINE.format("two", "2026-12-01T18:00:00Z")
    found = parse_competition(text)
    assert [d.at.astimezone(UTC) for d in found.deadlines] == [
        datetime(2026, 12, 1, 9, tzinfo=UTC),
        datetime(2026, 12, 1, 18, tzinfo=UTC),
    ]
    assert found.closes == found.deadlines[1].at


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seconds = 60", "secconds = 60", "line 9: time.secconds: .* did you mean seconds"),
        ("[rating]", "[ratings]", "line 25: ratings: .* did you mean rating"),
        ("seconds = 60", 'seconds = "60"', "line 9: time.seconds"),
        ("seconds = 60", "seconds = true", "line 9: time.seconds"),
        ("seconds = 60", "seconds = nan", "line 9: time.seconds"),
        ("seconds = 60", "seconds = -1", "line 8: time"),
        ("seconds = 60", "seconds = 0", "line 8: time"),
        ("per_day = 10", "per_day = 0", "line 14: submissions.per_day"),
        ("per_day = 10", "per_day = 2.5", "line 14: submissions.per_day"),
        ("max_kib = 1024", "max_kib = []", "line 17: submissions.max_kib"),
        ("names = []", 'names = "kim"', "line 15: submissions.names: a list"),
        ("names = []", "names = [3]", "line 15: submissions.names"),
        ("names = []", 'names = ["../kim"]', "line 15: submissions.names"),
        ("names = []", 'names = ["staff-random"]', "every name"),
        ("anonymous = false", 'anonymous = "no"', "line 18"),
        ("precision = 30", "precision = 0", "line 26: rating.precision"),
        ('"connect4"', '"conect4"', "line 5: game: there is no game"),
        ('"connect4"', "4", "line 5: game"),
        ('"random:4"', '"random:x"', "line 6: openings"),
        ('"random:4"', '"nowhere.txt"', "line 6: openings: cannot read"),
        ('"round-robin"', '"robin"', "line 29: final.format"),
        ("[1, 0.5, 0]", "[0, 0.5, 1]", "line 31: final.points"),
        ("[1, 0.5, 0]", "[1, true, 0]", "line 31: final.points"),
        ('rule = "rank"', 'rule = "luck"', "line 34: marks.rule"),
        ('agent = "random"', 'agent = "rndom"', "line 45: staff.agent"),
        ('agent = "random"', "", "staff: agent is missing"),
        ('title = "Cup"', "", "title is missing"),
        ('title = "Cup"', 'title = "a\\u001b[2J"', "line 4: title"),
        ('title = "Cup"', "title =", "line 4"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(old, new, said):
    assert old in TEXT
    with pytest.raises(HansuError, match=said) as found:
        parse_competition(TEXT.replace(old, new, 1))
    assert "\n" not in str(found.value)
    assert "\x1b" not in str(found.value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (DEADLINE.format("one", '"tomorrow"'), "deadline.at: a date and time"),
        (DEADLINE.format("one", "2026-12-01"), "deadline.at: a date and time"),
        ('[[deadline]]\nname = "one"\n', "at is missing"),
        (DEADLINE.format("rating", EARLY), "not rating"),
        (DEADLINE.format("a/b", EARLY), "deadline.name: letters"),
        (DEADLINE.format("b", LATE) + DEADLINE.format("a", EARLY), "in order"),
        (DEADLINE.format("a", EARLY) + DEADLINE.format("a", LATE), "name of its own"),
    ],
)
def test_a_mistake_in_a_deadline(more, said):
    with pytest.raises(HansuError, match=said):
        parse_competition(TEXT + more)


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "-x", "a/b", "a\\b", "a b", "a\n", "a\x1b[2J", "a\u202eb", "x" * 41, "a#1",
     "a,b", "e\u0301", "<b>", "_a", "\ud800", "a\0"],
)  # fmt: skip
def test_what_is_no_name(name):
    with pytest.raises(HansuError) as found:
        check_name(name)
    assert str(found.value).isascii()


@pytest.mark.parametrize("name", ["kim", "김하나", "Zoë", "team-7", "a.b_c", "7"])
def test_what_is_a_name(name):
    assert check_name(name) == name
