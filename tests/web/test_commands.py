"""``hansu serve`` and ``hansu play`` as somebody starts them."""

import re
import socket
import subprocess
import sys

import httpx
import pytest

from tests.command_line import hansu


def run(*words):
    return subprocess.Popen(
        [sys.executable, "-m", "hansu", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    ("words", "route"),
    [
        (("serve", "--port", "0", "--no-browser"), ""),
        (  # at once, against an opponent for a first game
            ("play", "--no-browser"),
            "#/play?game=microchess&rules=&agent=engine%3Alevel%3D3&color=white&begin=1",
        ),
        (
            ("play", "go:size=5", "--agent", "negamax:depth=2", "--no-browser"),
            "#/play?game=go&rules=size%3D5&agent=negamax%3Adepth%3D2&color=black&begin=1",
        ),
    ],
)
def test_the_address_is_printed_and_answers(words, route):
    with run(*words) as running:
        try:
            line = running.stdout.readline()
            found = re.match(r"hansu is running at (http://127\.0\.0\.1:\d+/)(\S*)", line)
            assert found, line
            assert found[2] == route
            assert "<title>hansu</title>" in httpx.get(found[1], timeout=60).text
        finally:
            running.terminate()
            running.communicate(timeout=60)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("serve", "--agents", "no/such/folder"), "there is no folder no/such/folder"),
        (("serve", "--runs", __file__), "File exists"),
        (("play", "--agent", "uci:/bin/true"), "--terminal"),
        (("play", "--agent", "mtcs"), "there is no agent 'mtcs': did you mean mcts?"),
        (("play", "--agent", "self_learning:model=x.onnx"), "cannot read the model x.onnx"),
        (("play", "--agent", "self_learning:modle=x.onnx"), "no self_learning option 'modle'"),
        (("play", "checkers"), "there is no game 'checkers'"),
    ],
)
def test_a_mistake_is_one_clear_sentence(words, part):
    told = hansu(*words, code=2).stderr
    assert part in told
    assert len(told.strip().splitlines()) == 1


def test_a_port_that_is_taken_is_said():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("serve", "--no-browser", "--port", str(taken.getsockname()[1]))
        _, told = done.communicate(timeout=120)
    assert done.returncode == 2
    assert "choose another with --port" in told
