"""Every block of the site does what the page says."""

import importlib.util
import re
import shlex
from pathlib import Path

import pytest

from tests.command_line import hansu
from tests.docs.blocks import DOCS, FENCE, OUTPUT, Block, blocks, pages, run_page

SETS_UP = {"python3", "pip", "make", "cd", ".", "git", "source", "jupyter"}
SETS_UP |= {".venv/bin/pip", ".venv/bin/hansu"}
INCLUDE_ONLY = re.compile(r"(?:---\n.*\n---\n)?\s*\{\{ \S+ \}\}\s*$")
RUNNABLE = ("python", "pycon", "console")


def _runnable() -> list[object]:
    found: list[object] = []
    for page in pages():
        if any(block.language in RUNNABLE for block in blocks(page)):
            head = page.read_text(encoding="utf-8").partition("\n---\n")[0]
            marks = [pytest.mark.slow] if "\nslow: true" in head else []
            for package in re.findall(r"^needs: (\w+)$", head, re.MULTILINE):
                missing = importlib.util.find_spec(package) is None
                marks.append(pytest.mark.skipif(missing, reason=f"needs {package}"))
            found.append(pytest.param(page, id=str(page.relative_to(DOCS)), marks=marks))
    return found


@pytest.mark.parametrize("page", _runnable())
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("docs", "examples"):  # as seen from the folder of the project
        (tmp_path / folder).symlink_to(DOCS.parent / folder)
    assert run_page(page)


@pytest.mark.parametrize("page", pages(korean=True), ids=lambda p: str(p.relative_to(DOCS)))
def test_a_korean_page_has_the_code_of_the_english_one(page: Path):
    english = page.with_name(page.name.replace(".ko.md", ".md"))

    def code(of: Path) -> list[object]:
        kinds = (*RUNNABLE, "sh")
        return [
            (b.language, b.meaning())
            for b in blocks(of)
            if b.language in kinds or b.title in OUTPUT
        ]

    assert code(page) == code(english)


STRUCTURE = {
    "headings": r"^(#+) ",
    "rows of tables": r"^\|[ -]",
    "entries of lists": r"^ *(-|\d+\.) ",
    "pictures": r"!\[[^\]]*\]\(([\w./]+?)(?:\.ko)?\.(?:svg|png)\)",
    "commands": r"^ {4,}(hansu [^#\n]*?) *(?:#.*)?$",
}


@pytest.mark.parametrize("page", pages(korean=True), ids=lambda p: str(p.relative_to(DOCS)))
def test_a_korean_page_has_the_structure_of_the_english_one(page: Path):
    english = page.with_name(page.name.replace(".ko.md", ".md")).read_text(encoding="utf-8")
    if INCLUDE_ONLY.match(english):
        return  # a file of the project, which the Korean page tells in short
    korean = page.read_text(encoding="utf-8")
    for what, pattern in STRUCTURE.items():
        bare = (re.sub('"[^"]*"', '""', FENCE.sub("", text)) for text in (english, korean))
        found = [re.findall(pattern, text, re.M) for text in bare]
        assert found[0] == found[1], what


@pytest.mark.parametrize("page", pages(korean=True), ids=lambda p: str(p.relative_to(DOCS)))
def test_comments_on_a_korean_page_are_korean(page: Path):
    code = (line for block in blocks(page) for line in block.text.splitlines())
    indented = re.findall(r"^ {4}.*$", page.read_text(encoding="utf-8"), re.M)
    for line in (*code, *indented):
        comment = re.search(r"(?:^|\s)(?:# +|\"{3})(.*[A-Za-z]{3}.*)", line)
        assert not comment or re.search("[가-힣]", comment[1]), line


def _unrun() -> list[object]:
    return [
        pytest.param(block, id=f"{page.relative_to(DOCS)}:{block.line}")
        for page in pages()
        for block in blocks(page)
        if block.language == "sh"
    ]


@pytest.mark.parametrize("block", _unrun())
def test_commands_that_are_not_run_exist(block: Block):
    for line in filter(None, block.text.splitlines()):
        words = shlex.split(line, comments=True)
        if words and words[0] != "hansu":
            assert words[0] in SETS_UP, line
        elif words:
            deep = 3 if words[1] in ("new", "memory", "competition") else 2
            help_text = hansu(*words[1:deep], "--help").stdout
            for option in (word for word in words if word.startswith("--")):
                assert option in help_text, f"{line}: {option}"


def test_a_wrong_block_is_noticed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    for text in (
        "```python\nassert 1 == 2\n```\n",
        "```pycon\n>>> 1 + 1\n3\n```\n",
        "```pycon\nnothing to try\n```\n",
        '```python\nprint("a")\n```\n\n```text title="Output"\nb\n```\n',
        '```console\n$ hansu perft tictactoe 2 --json\n{"nodes": 73, ...}\n```\n',
        "```console\n$ hansu perft nowhere 2\n```\n",
        "```console\n$ rm -r everything\n```\n",
    ):
        page.write_text(text)
        with pytest.raises(AssertionError):
            run_page(page)
