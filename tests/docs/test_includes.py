"""Pages that show files of the project: nothing is copied, no link is lost."""

import re

import pytest
from scripts.site_includes import INCLUDE, MODELS, ROOT, include, site_place

from tests.docs.blocks import DOCS, pages

SHOWN = [
    pytest.param(page, source, id=f"{page.relative_to(DOCS)}: {source}")
    for page in (*pages(), *pages(korean=True))
    for source in INCLUDE.findall(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("page", "source"), SHOWN)
def test_a_shown_file_is_there_and_its_links_lead_somewhere(page, source):
    text = include(page.read_text(encoding="utf-8"), page.relative_to(DOCS).as_posix())
    assert "{{" not in text
    assert len(re.findall("^# ", re.sub("(?s)```.*?```", "", text), re.MULTILINE)) == 1
    for target in re.findall(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)", text):
        assert (page.parent / target).resolve().is_file(), target


def test_every_model_card_is_shown():
    cards = {f"{MODELS}{path.name}" for path in (ROOT / MODELS).glob("*.md")}
    assert cards == {p.values[1] for p in SHOWN if p.values[1].startswith(MODELS)}


def test_every_program_that_is_shown_is_run_in_the_tests():
    programs = {p.values[1] for p in SHOWN if p.values[1].endswith(".py")}
    assert programs
    assert all((ROOT / program).parent.name == "examples" for program in programs)


def test_links_are_seen_from_the_page():
    assert site_place("docs/design/kernel.md") == "design/kernel.md"
    assert site_place(f"{MODELS}go.md") == "learning/models/go.md"
    assert site_place("src/hansu/__init__.py") is None
