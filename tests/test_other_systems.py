"""Windows and macOS lack modules of Linux: whatever plays there must not import them."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import hansu

MISSING = ("resource", "fcntl", "pwd", "grp", "termios", "tty", "pty", "pyseccomp")

BLOCK = f"""
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {MISSING!r}:
            raise ModuleNotFoundError(f"no module named {{name!r}} on this system", name=name)

for name in {MISSING!r}:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Missing())
"""

WINDOWS = """
import asyncio, ctypes.util, multiprocessing.popen_spawn_posix, multiprocessing.spawn, platform
import fastapi, numba, platformdirs, rich.console, sqlalchemy, starlette.websockets, typer, uvicorn
import click.termui, webbrowser
import os, shutil, signal, types
# How multiprocessing ends a process is its own affair.
multiprocessing.popen_spawn_posix.popen_fork.signal = types.SimpleNamespace(**vars(signal))
multiprocessing.context._concrete_contexts.pop("fork")  # Python 3.14 lists what is there
shutil._winapi = types.SimpleNamespace(NeedCurrentDirectoryForExePath=lambda command: True)
for name in ("geteuid", "getuid", "uname", "fork", "setsid", "killpg", "mkfifo", "pidfd_open"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGHUP", "pthread_sigmask", "SIGKILL", "SIGSTOP", "SIGCONT", "SIGSYS"):
    if hasattr(signal, name):
        delattr(signal, name)
sys.platform = "win32"
"""

COMMANDS = [
    ("watch", "tictactoe", "random", "random", "--quiet"),
    ("match", "connect4", "random", "one_step_search", "--games", "2", "--json"),
    ("match", "tictactoe", "random", "random", "--games", "2", "--concurrency", "2"),
    ("tournament", "tictactoe", "random", "first_move", "--out", "CUP"),
    ("analyze", "tictactoe", "--agent", "mcts", "--seconds", "0.1"),
    ("play", "tictactoe", "--terminal"),
    ("play", "tictactoe", "--no-browser"),
    ("watch", "tictactoe", "AGENT", "random", "--quiet", "--trust"),
    ("doctor",),  # says no
    ("watch", "tictactoe", "AGENT", "random", "--quiet"),  # is refused
]
SYSTEMS = {"modules": BLOCK, "Windows": f"import sys\n{WINDOWS}{BLOCK}"}
"""The libraries are imported as on Linux; only hansu is to believe that it is elsewhere."""

RUN = """
import hansu.web.server
hansu.web.server.serve = lambda *arguments: None
from hansu.__main__ import main
for words in {commands!r}:
    sys.argv = ["hansu", *words]
    try:
        main()
    except SystemExit as end:
        print("status", end.code or 0, *words, flush=True)
    else:
        print("status", 0, *words, flush=True)
"""


@pytest.mark.parametrize("system", SYSTEMS)
def test_everything_but_isolation_works(system, tmp_path):
    agent = tmp_path / "mine.py"
    agent.write_text(
        "import hansu\nclass Mine(hansu.Agent):\n    def act(self, state):\n"
        "        return next(iter(state.legal_moves))\n"
    )
    names = {"CUP": str(tmp_path / "cup"), "AGENT": str(agent)}
    commands = [[names.get(word, word) for word in words] for words in COMMANDS]
    code = SYSTEMS[system] + RUN.format(commands=commands)
    done = subprocess.run(
        [sys.executable, "-c", code], input="", capture_output=True, text=True, timeout=500
    )
    assert "Traceback" not in done.stderr, done.stderr
    told = [line.split(" ", 2) for line in done.stdout.splitlines() if line.startswith("status ")]
    status = {words: int(number) for _, number, words in told}
    assert [status[" ".join(words)] for words in commands[:-2]] == [0] * (len(commands) - 2)
    if system == "Windows":
        assert [status[" ".join(words)] for words in commands[-2:]] == [1, 2]
        assert "--trust runs it in this process" in done.stderr


def test_no_module_names_a_missing_one_at_its_top():
    """What is imported inside a function runs where it is there."""
    source = Path(hansu.__file__).parent
    found = []
    for file in source.rglob("*.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found += [(file.name, name) for name in names if name.partition(".")[0] in MISSING]
    assert found == []
