"""What the READMEs show works as it stands there, and what they measure was measured."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hansu
from hansu.games.game import GAMES
from tests.command_line import hansu as command

ROOT = Path(__file__).parent.parent
LANGUAGES = ("README.md", "README.ko.md")
TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in LANGUAGES}
README = TEXTS["README.md"]
TEN_LINES = re.search(r"```python\n(import hansu\n.*?)```", README, re.DOTALL).group(1)
RESULT = re.compile(r"[+−-]\d+ ± \d+|\(\+\d+ =\d+ [−-]\d+\)")


@pytest.mark.parametrize("name", LANGUAGES)
def test_its_examples_give_what_they_show(name):
    failed, tried = doctest.testfile(str(ROOT / name), module_relative=False)
    assert tried > 3
    assert failed == 0


def test_both_languages_have_the_same_code():
    found = {
        name: re.findall(r"```python\n.*?```", text, re.DOTALL) for name, text in TEXTS.items()
    }
    assert found["README.md"] == found["README.ko.md"]


def test_its_ten_lines_run_as_a_program(tmp_path):
    (tmp_path / "ten_lines.py").write_text(TEN_LINES)
    done = subprocess.run(
        [sys.executable, "ten_lines.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "MyAgent against one_step_search, microchess" in done.stdout


@pytest.mark.parametrize("named", ["./my_agent.py", "./my_agent.py:MyAgent", "my_agent.MyAgent"])
def test_its_agent_plays_by_file_and_by_dotted_path(named, tmp_path, monkeypatch):
    (tmp_path / "my_agent.py").write_text(TEN_LINES)
    monkeypatch.chdir(tmp_path)
    record = hansu.play_game("connect4", named, "random", seed=1)
    assert record.evidence == ""
    assert record.outcome.reason in ("line", "board_full")


def test_its_agent_plays_by_class():
    space: dict[str, type[hansu.Agent]] = {}
    exec(TEN_LINES, space)
    result = hansu.match("microchess", space["MyAgent"], "one_step_search", games=4)
    assert len(result.played) == 4
    assert result.disqualified == []


def test_its_make_targets_exist():
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for text in TEXTS.values():
        named = set(re.findall(r"(?:^    |`)make (\w+)", text, re.MULTILINE))
        assert {"play", "test", "docs"} <= named <= targets


@pytest.mark.parametrize("name", LANGUAGES)
def test_its_commands_exist(name):
    for line in re.findall(r"^    (?:\.venv/bin/)?hansu (.*)$", TEXTS[name], re.MULTILINE):
        words = line.partition("#")[0].split()
        deep = 2 if words[0] == "new" else 1
        help_text = command(*words[:deep], "--help").stdout
        assert all(word in help_text for word in words if word.startswith("--")), line


@pytest.mark.parametrize("name", LANGUAGES)
def test_its_links_lead_somewhere(name):
    for target in re.findall(r"\]\(([^)#:]+)\)", TEXTS[name]):
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize("name", LANGUAGES)
def test_its_table_has_every_game(name):
    ending = ".ko.md" if name == "README.ko.md" else ".md"
    rows = re.findall(rf"^\| \[.*?\]\(docs/games/(\w+){ending}\)", TEXTS[name], re.MULTILINE)
    assert sorted(rows) == sorted(GAMES)


def _measured() -> str:
    cards = sorted((ROOT / "src/hansu/learning/models").glob("*.md"))
    files = [ROOT / "benchmarks/strength.md", ROOT / "benchmarks/README.md", *cards]
    return "".join(file.read_text(encoding="utf-8") for file in files).replace("−", "-")


@pytest.mark.parametrize(
    "page",
    [*LANGUAGES, *(p.relative_to(ROOT) for p in sorted((ROOT / "docs/games").glob("*.md")))],
    ids=str,
)
def test_strength_is_what_was_measured(page):
    """Every result on these pages is in the table of measurements or on a model's card."""
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    for result in RESULT.findall(text):
        assert result.replace("−", "-") in _measured(), result
