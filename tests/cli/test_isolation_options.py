"""Every command isolates agent files, or wants to be told that they are trusted."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import hansu.web.server
from hansu.arena.isolation import launch as launch_module
from hansu.arena.isolation import sandbox
from hansu.arena.isolation.requirements import Requirement, missing
from tests.command_line import hansu as run

SOURCE = Path(hansu.__file__).parent

AGENT = """import os
import hansu

try:  # as soon as it is imported where it can
    os.close(os.open({mark!r}, os.O_WRONLY | os.O_CREAT))
except OSError:
    pass

class Mine(hansu.Agent):
    def act(self, state):
        return next(iter(state.legal_moves))
"""

TRYING = AGENT.replace(
    "os.close(os.open({mark!r}, os.O_WRONLY | os.O_CREAT))",
    """import ctypes
    ctypes.CDLL(None).creat({mark!r}.encode(), 0o644)""",
)


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """A file that is there as soon as an agent's code has run with our rights."""
    return tmp_path / "mark"


@pytest.fixture
def agent(tmp_path: Path, mark: Path) -> str:
    """An agent that leaves a mark when it is imported."""
    (tmp_path / "own").mkdir()
    file = tmp_path / "own" / "marking.py"
    file.write_text(TRYING.format(mark=str(mark)))
    return str(file)


COMMANDS = [
    ("analyze", "tictactoe", "--agent", "AGENT", "--seconds", "0.1"),
    ("analyze", "tictactoe", "--agent", "AGENT:Mine", "--seconds", "0.1", "--json"),
    ("play", "tictactoe", "--terminal", "--agent", "AGENT"),
    ("play", "tictactoe", "--no-browser", "--agent", "AGENT"),
    ("watch", "tictactoe", "AGENT", "random", "--quiet"),
    ("match", "tictactoe", "AGENT", "random", "--games", "2"),
    ("tournament", "tictactoe", "AGENT", "random", "--out", "CUP"),
    ("check", "AGENT", "--game", "tictactoe"),
    ("uci", "--agent", "AGENT"),
    ("gtp", "--agent", "AGENT"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_imports_an_agents_file_here(words, agent, mark, tmp_path, monkeypatch):
    if missing():
        pytest.skip("this machine cannot isolate")
    monkeypatch.setattr(hansu.web.server, "serve", lambda *arguments: None)
    names = {"AGENT": agent, "AGENT:Mine": f"{agent}:Mine", "CUP": str(tmp_path / "cup")}
    said = {
        "uci": "isready\nposition startpos\ngo movetime 200\nposition startpos moves d2d3\n"
        "go movetime 100\nquit\n",
        "gtp": "genmove b\nplay w A1\ngenmove b\nundo\nundo\ngenmove w\nquit\n",
    }.get(words[0], "")
    done = run(*(names.get(word, word) for word in words), stdin=said)
    assert not mark.exists()
    if words[0] == "uci":
        assert done.stdout.count("bestmove ") == 2
        assert "(none)" not in done.stdout  # also where ``position`` has stopped it
    if words[0] == "gtp":
        assert "?" not in done.stdout
        assert done.stdout.count("= ") >= 3


def test_the_debugger_wants_to_be_told_that_the_code_is_trusted(agent, mark, tmp_path):
    games = tmp_path / "games.jsonl"
    run("watch", "tictactoe", "first_move", "random", "--quiet", "--save", str(games))
    words = ("replay", str(games), "--at", "2", "--debug", agent)
    assert "if you know its code, add --trust" in run(*words, code=2).stderr
    assert not mark.exists()
    assert "answers" in run(*words, "--trust", stdin="c\n").stdout
    assert mark.exists()


LACKING = [Requirement("bubblewrap", False, "not found", "apt install bubblewrap")]
GAMES = [
    ("watch", "tictactoe", "AGENT", "random", "--json"),
    ("match", "tictactoe", "AGENT", "random", "--games", "2", "--json"),
    ("tournament", "tictactoe", "AGENT", "random", "--out", "CUP", "--json"),
    ("analyze", "tictactoe", "--agent", "AGENT", "--seconds", "0.1", "--json"),
    ("check", "AGENT", "--game", "tictactoe", "--json"),
    ("uci", "--agent", "AGENT"),
]


@pytest.mark.parametrize("words", GAMES, ids=lambda words: words[0])
def test_where_isolation_is_missing_files_are_refused(words, agent, mark, tmp_path, monkeypatch):
    monkeypatch.setattr(launch_module, "missing", lambda: LACKING)
    names = {"AGENT": agent, "CUP": str(tmp_path / "cup")}
    words = [names.get(word, word) for word in words]
    said = run(*words, code=2).stderr
    assert "cannot be isolated on this machine (bubblewrap: not found" in said
    assert "--trust" in said
    assert "--no-isolation" in said
    assert not mark.exists()
    monkeypatch.setattr(sandbox, "is_root", lambda: True)
    assert "would be root" in run(*words, "--no-isolation", code=2).stderr
    assert not mark.exists()
    monkeypatch.setattr(sandbox, "is_root", lambda: False)
    plain = run(*words, "--no-isolation", stdin="quit\n")
    assert "is NOT isolated: it runs with your rights" in plain.stderr
    trusted = run(*words, "--trust", stdin="quit\n", **_again(words, tmp_path))
    assert mark.exists()
    if words[0] in ("watch", "match"):
        assert json.loads(plain.stdout.splitlines()[-1])["isolation"] == ["process", "trusted"]
        assert json.loads(trusted.stdout.splitlines()[-1])["isolation"] == ["trusted", "trusted"]
    if words[0] == "analyze":
        assert [json.loads(d.stdout)["isolation"] for d in (plain, trusted)] == [
            "process",
            "trusted",
        ]
    if words[0] == "tournament":
        told = {agent: "process", "random": "trusted"}
        assert json.loads(plain.stdout)["isolation"] == told
        assert "isolation process there, trusted now" in trusted.stderr
        assert '"isolation": ["process", "trusted"]' in (tmp_path / "cup/games.jsonl").read_text()


def _again(words: list[str], tmp_path: Path) -> dict[str, int]:
    return {"code": 2} if words[0] == "tournament" else {}


def test_both_ways_at_once_are_refused():
    said = run("watch", "tictactoe", "random", "random", "--trust", "--no-isolation", code=2).stderr
    assert "choose one" in said


def test_files_are_loaded_in_one_place():
    """Others use ``named_agent``, which knows nothing but the table, or ``seat`` and its like."""
    users = set()
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in (
                "hansu.agents.registry", "hansu.agents.loading", "hansu.importing",
            ):  # fmt: skip
                names = {alias.name for alias in node.names}
                if names & {"agent", "find_class", "import_file", "import_named"}:
                    users.add(file.relative_to(SOURCE).as_posix())
    assert users == {
        "__init__.py",  # hansu.agent
        "agents/loading.py",
        "agents/registry.py",
        "arena/isolation/agent_host.py",  # inside
        "arena/seat.py",
        "games/game.py",  # a game by its class
    }


def test_doctor_does_not_call_root_unprivileged(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root changes its user")
    done = subprocess.run(
        [sys.executable, "-c", "import hansu.cli.main as m; m.main()", "doctor", "--json"],
        capture_output=True, text=True, timeout=120, env={"PATH": str(tmp_path)},
    )  # fmt: skip
    facts = {fact["name"]: fact for fact in json.loads(done.stdout)["facts"]}
    assert not facts["unprivileged user"]["ok"]


def test_a_file_of_the_current_folder_is_no_library(mark, tmp_path):
    for name in ("typer", "rich", "sqlalchemy", "platformdirs", "torch"):
        (tmp_path / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\n")
    done = subprocess.run(
        [sys.executable, "-m", "hansu", "tournament", "tictactoe", "random", "random",
         "--out", "cup"],
        capture_output=True, text=True, cwd=tmp_path, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not mark.exists()
