"""What the README shows works as it stands there."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hansu

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEN_LINES = re.search(r"```python\n(import hansu\n.*?)```", README, re.DOTALL).group(1)


def test_its_examples_give_what_they_show():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried > 3
    assert failed == 0


def test_its_ten_lines_run_as_a_program(tmp_path):
    (tmp_path / "ten_lines.py").write_text(TEN_LINES)
    done = subprocess.run(
        [sys.executable, "ten_lines.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "MyAgent against one_step_search, microchess" in done.stdout


@pytest.mark.parametrize("named", ["./my_agent.py", "./my_agent.py:MyAgent", "my_agent.MyAgent"])
def test_its_agent_plays_by_file_and_by_dotted_path(named, tmp_path, monkeypatch):
    only_the_class = TEN_LINES.partition("\nresult")[0]
    (tmp_path / "my_agent.py").write_text(only_the_class)
    monkeypatch.chdir(tmp_path)
    record = hansu.play_game("connect4", named, "random", seed=1)
    assert record.evidence == ""
    assert record.outcome.reason in ("line", "board_full")


def test_its_agent_plays_by_class():
    space: dict[str, type[hansu.Agent]] = {}
    exec(TEN_LINES.partition("\nresult")[0], space)
    result = hansu.match("microchess", space["MyAgent"], "one_step_search", games=4)
    assert len(result.played) == 4
    assert result.disqualified == []


def test_its_make_targets_exist():
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:^    |`)make (\w+)", README, re.MULTILINE))
    assert {"play", "test"} <= named <= targets
