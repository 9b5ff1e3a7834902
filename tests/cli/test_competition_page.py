"""Every command of docs/competition.md, one after the other, as a teacher would type them."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from hansu.arena.isolation.requirements import missing

PAGE = (Path(__file__).parents[2] / "docs" / "competition.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^ {4,8}((?:hansu|cp|grep) .*)$", PAGE, re.MULTILINE)

pytestmark = pytest.mark.skipif(bool(missing()), reason="this machine cannot isolate agents")


def wait_until(is_so):
    for _ in range(1200):
        if found := is_so():
            return found
        time.sleep(0.1)
    raise AssertionError("it never was so")


class Teacher:
    """Types commands in a folder; one of them goes on in the background."""

    def __init__(self, folder):
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        bin = Path(sys.executable).parent
        self.env = {**os.environ, "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}"}
        self.running = None

    def type(self, command):
        command = command.replace(":8400", f":{self.port}")
        if command.endswith(" &"):
            words = [*command.removesuffix(" &").split(), "--port", str(self.port)]
            log = (self.folder / "log").open("wb")
            self.running = subprocess.Popen(
                words, cwd=self.folder, env=self.env, stdout=log, stderr=log
            )
            log.close()
            wait_until(self.facts)
            return ""
        done = subprocess.run(
            command, shell=True, cwd=self.folder, env=self.env, capture_output=True, text=True
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    def facts(self):
        try:
            return httpx.get(f"http://127.0.0.1:{self.port}/api/competition", timeout=30).json()
        except httpx.HTTPError:
            return None

    def stop(self):
        self.running.send_signal(signal.SIGTERM)
        self.running.wait(60)


@pytest.fixture
def teacher(tmp_path):
    made = Teacher(tmp_path)
    yield made
    if made.running is not None and made.running.poll() is None:
        made.running.kill()
        made.running.wait()


def test_the_page_has_them_all():
    words = {tuple(command.split()[:2]) for command in COMMANDS}
    assert {("hansu", "compete"), ("hansu", "submit"), ("hansu", "competition")} <= words
    assert len(COMMANDS) > 15


@pytest.mark.slow
def test_three_submissions_then_a_final_and_marks(teacher):
    middle = next(i for i, command in enumerate(COMMANDS) if "standings" in command)
    for command in COMMANDS[:middle]:
        teacher.type(command)
    wait_until(lambda: (facts := teacher.facts()) and facts["participants"] == 3)
    table = teacher.type(COMMANDS[middle])
    assert all(name in table for name in ("kim", "lee", "park", "staff-search"))
    teacher.stop()
    assert teacher.facts() is None  # the page has ended with it
    file = teacher.folder / "cup" / "competition.toml"
    deadline = f'[[deadline]]\nname = "final"\nat = {datetime.now(UTC).isoformat()}\n'
    file.write_text(f"{file.read_text()}\n{deadline}")
    said = [teacher.type(command) for command in COMMANDS[middle + 1 :]]
    assert "same bytes: kim#1, lee#1" not in said[-3]  # the classes have names of their own
    assert "same syntax tree: kim#1, lee#1, park#1" in said[-3]
    assert "games follow the rules and give the table" in said[-1]
    marks = (teacher.folder / "marks.csv").read_text().splitlines()
    assert marks[0].startswith("participant,version,rank,points")
    assert {line.split(",")[0] for line in marks[1:]} == {"kim", "lee"}
    assert '"max_score": 100.0' in (teacher.folder / "grades/kim/results.json").read_text()
