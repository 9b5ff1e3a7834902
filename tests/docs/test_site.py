"""The site is whole: every page in its place, in both languages, with all public names."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import hansu
from tests.docs.blocks import DOCS, FENCE, pages

ROOT = DOCS.parent
IN_ENGLISH = (  # for those who read the code, which is English
    "design/",
    "reference/",
    "learning/README.md",
    "learning/models/",
    "changelog.md",
    "contributing.md",
)
BOTH_IN_ONE = ("glossary.md",)


def test_every_page_is_written_in_korean_too():
    for page in pages():
        place = page.relative_to(DOCS).as_posix()
        if not place.startswith((*IN_ENGLISH, *BOTH_IN_ONE)):
            assert page.with_suffix(".ko.md").exists(), place


def test_no_korean_page_is_left_without_its_english_one():
    for page in pages(korean=True):
        assert page.with_name(page.name.replace(".ko.md", ".md")).exists(), page


def test_code_below_an_entry_of_a_list_is_indented_as_code():
    """With 5 to 7 spaces it is code on GitHub, and a paragraph on the site."""
    for page in (*pages(), *pages(korean=True)):
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        assert not re.findall(r"\n\n {5,7}\S.*", text), page


def test_every_page_is_reached_from_the_menu():
    named = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
    assert named == {str(page.relative_to(DOCS)) for page in pages()}


def test_every_entry_of_the_menu_is_named_in_korean():
    settings, menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:\n")
    entries = {title.strip('"') for title in re.findall(r"- (\S.*?):(?: \S+)?$", menu, re.M)}
    korean = dict(re.findall(r'^ {12}"?([^":]+)"?: (.*[가-힣].*)$', settings, re.M))
    assert len(entries) > 60
    assert not entries - set(korean)
    assert not set(korean) - entries


def test_every_public_name_is_in_the_reference():
    text = "\n".join(p.read_text(encoding="utf-8") for p in (DOCS / "reference").glob("*.md"))
    named = set(re.findall(r"^::: hansu\.(\w+)$", text, re.MULTILINE))
    assert named == set(hansu.__all__) - {"__version__"}


@pytest.mark.slow
def test_the_site_builds_without_a_warning_and_needs_no_network(tmp_path: Path):
    pytest.importorskip("mkdocs", reason="needs pip install '.[docs]'")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    fetched = re.compile(r'<(?:script|img|iframe|source)[^>]+src="https?:|<link[^>]+href="https?:')
    for page in tmp_path.rglob("*.html"):
        found = [f for f in fetched.findall(page.read_text()) if "canonical" not in f]
        assert not found, f"{page.relative_to(tmp_path)}: {found}"
