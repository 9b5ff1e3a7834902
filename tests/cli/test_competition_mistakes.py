"""Mistakes with competitions are told in one sentence, and nothing is left behind."""

import os
import re
import stat
from pathlib import Path

import pytest

from hansu.arena.competition.register import Register
from hansu.arena.competition.settings import read_competition
from tests.command_line import hansu

NOBODY = "http://127.0.0.1:9"
GOOD = "import hansu\n\nclass A(hansu.Agent):\n    def act(self, state):\n        return None\n"


@pytest.fixture
def cup(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hansu("new", "competition", "cup", "--game", "tictactoe")
    (tmp_path / "agent.py").write_text(GOOD)
    return tmp_path / "cup"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compete", "nowhere", "--no-page"], "there is no competition.toml in nowhere"),
        (["new", "competition", "cup"], "exists already"),
        (["new", "competition", "other", "--game", "chess"], "there is no game 'chess'"),
        (["new", "competition", "other", "--title", 'a"b'], "is no title"),
        (["new", "competition", "other", "--title", "a\x1b[2J"], "is no title"),
        (["submit", "agent.py", "--to", "cup"], "needs the participant's name"),
        (["submit", "agent.py", "--to", "cup", "--name", "../x"], "is no name"),
        (["submit", "nothing.py", "--to", "cup", "--name", "kim"], "nothing.py cannot be read"),
        (["submit", "cup", "--to", "cup", "--name", "kim"], "there is no agent.py"),
        (["submit", "agent.py", "--to", "nowhere", "--name", "kim"], "no competition.toml"),
        (["submit", "agent.py", "--to", NOBODY], "needs your token"),
        (["submit", "agent.py", "--to", NOBODY, "--token-file", "none"], "cannot read"),
        (["submit", "agent.py", "--to", NOBODY, "--token-file", "agent.py"], "does not answer"),
        (["competition", "invite", "cup", "kim", "a b"], "is no name"),
        (["competition", "invite", "cup", "kim", "--out", "agent.py"], "exists already"),
        (["competition", "withdraw", "cup", "nobody"], "there is no participant 'nobody'"),
        (["competition", "marks", "cup"], "no final has begun"),
        (["competition", "verify", "agent.py"], "agent.py cannot be read"),
        (["competition", "standings", "."], "there is no competition.toml"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence(cup, words, said):
    told = hansu(*words, code=2).stderr
    assert re.search(said, told), told
    assert "Traceback" not in told
    assert "\x1b[2J" not in told
    register = Register(cup, read_competition(cup))
    assert register.entries() == {}
    assert register.participants() == {}


def test_tokens_go_into_a_file_for_the_organiser_alone(cup):
    said = hansu("competition", "invite", "cup", "kim", "김하나", "--out", "tokens.csv").stdout
    assert stat.S_IMODE(os.stat("tokens.csv").st_mode) == 0o600
    lines = Path("tokens.csv").read_text(encoding="utf-8").splitlines()
    tokens = dict(line.split(",") for line in lines)
    register = Register(cup, read_competition(cup))
    assert {register.owner(token) for token in tokens.values()} == {"kim", "김하나"}
    assert not any(token in said for token in tokens.values())


def test_submitting_twice_is_one_version(cup):
    for _ in range(2):
        said = hansu("submit", "agent.py", "--to", "cup", "--name", "kim").stdout
        assert said.startswith("version 1 was received: ")


def test_a_competition_runs_once_at_a_time(cup):
    from hansu.arena.tournament.claim import claimed_file

    with claimed_file(cup / "lock"):
        told = hansu("compete", "cup", "--no-page", "--until-idle", code=2).stderr
    assert "another process is running" in told
