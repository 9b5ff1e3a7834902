"""The page of a game says what the code says."""

import re

import pytest

import hansu
from hansu.games.game import GAMES
from tests.docs.blocks import DOCS
from tests.docs.game_facts import HEADINGS, options, table

LANGUAGES = (".md", ".ko.md")
PAGES = [(name, language) for name in GAMES for language in LANGUAGES]


def _page(name: str, language: str) -> str:
    return (DOCS / "games" / f"{name}{language}").read_text(encoding="utf-8")


def _section(name: str, language: str, heading: str) -> str:
    wanted = HEADINGS[heading] if language == ".ko.md" else heading
    parts = re.split(r"^## (.*)$", _page(name, language), flags=re.MULTILINE)
    return parts[parts.index(wanted) + 1]


def test_every_game_has_a_page_and_no_other():
    pages = {path.name for path in (DOCS / "games").glob("*.md")}
    assert pages == {f"{name}{language}" for name in (*GAMES, "index") for language in LANGUAGES}


@pytest.mark.parametrize(("name", "language"), PAGES)
def test_the_headings_are_those_of_every_game(name, language):
    headings = re.findall(r"^## (.*)$", _page(name, language), re.MULTILINE)
    assert headings == list(HEADINGS.values() if language == ".ko.md" else HEADINGS)


@pytest.mark.parametrize(("name", "language"), PAGES)
def test_the_table_is_that_of_the_code(name, language):
    assert table(hansu.game(name), language == ".ko.md") in _page(name, language)


@pytest.mark.parametrize(("name", "language"), PAGES)
def test_every_option_is_explained(name, language):
    named = re.findall(r"^\| `(\w+)`", _section(name, language, "Rules"), re.MULTILINE)
    assert named == re.findall(r"`(\w+)=", options(hansu.game(name)))


@pytest.mark.parametrize(("name", "language"), PAGES)
def test_every_plane_is_named(name, language):
    features = hansu.game(name).features
    assert len(features.plane_names) == features.shape[0]
    assert len(features.vector_names) == features.vector_size
    section = _section(name, language, "Observation planes")
    rows = re.findall(r"^\| (\d+) \| (.+) \|$", section, re.MULTILINE)
    names = (*features.plane_names, *features.vector_names)
    numbers = [*range(features.shape[0]), *range(features.vector_size)]
    assert [int(number) for number, _ in rows] == numbers
    if language == ".md":
        assert tuple(text for _, text in rows) == names


@pytest.mark.parametrize(("name", "language"), PAGES)
def test_every_ending_is_explained(name, language):
    section = _section(name, language, "Endings")
    named = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert tuple(named) == hansu.game(name).rules.ENDINGS[1:]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_overview_lists_every_game(language):
    for name in GAMES:
        features = hansu.game(name).features
        shape = " × ".join(map(str, features.shape))
        row = next(r for r in _page("index", language).splitlines() if f"({name}.md)" in r)
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells[-3:] == [shape, str(features.actions), str(len(features.symmetries))]


@pytest.mark.parametrize("name", GAMES)
def test_the_picture_is_drawn_by_the_project(name):
    drawn = (DOCS / "images" / "games" / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn == hansu.game(name).showcase().svg(), "run python scripts/draw_boards.py"
    for language in LANGUAGES:
        assert f"(../images/games/{name}.svg)" in _page(name, language)


def test_no_picture_is_left_over():
    drawn = {path.stem for path in (DOCS / "images" / "games").glob("*")}
    assert drawn == set(GAMES)
