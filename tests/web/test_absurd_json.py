"""Whatever stands in a field: the answer is one sentence, never an error of the server."""

import contextlib
import json
import re

import httpx
import pytest
from websockets.sync.client import connect

from hansu.learning.settings import CONTROL
from hansu.records.record import GameRecord, Turn
from hansu.web.server_settings import ServerSettings
from tests.web.conftest import RunningServer
from tests.web.talking import PLAIN, get, hear, join, open_table

DIGITS = "9" * 400
ABSURD = {
    "huge": DIGITS,
    "minus huge": f"-{DIGITS}",
    "longer than Python reads": "9" * 5000,
    "beyond exact": str(2**64),
    "infinite": "1e400",
    "tiny": "5e-324",
    "large": "1e308",
    "minus": "-1",
    "NaN": "NaN",
    "Infinity": "Infinity",
    "null": "null",
    "true": "true",
    "half a character": r'"\ud800"',
    "the other half": r'"\udc00x"',
    "no character": r'"\u0000"',
    "many letters": f'"{"x" * 70_000}"',
    "digits as text": f'"{DIGITS}"',
    "infinity as text": '"1e400"',
    "nothing": '""',
    "list": "[]",
    "object": "{}",
    "deep lists": "[" * 2_000 + "]" * 2_000,
    "deep objects": '{"a":' * 5_000 + "1" + "}" * 5_000,
    "lines": r'"a\nb\r\nc"',
    "unfinished": '"',
    "no JSON": "<xml>",
}
QUICK = {"huge", "half a character"}
KINDS = [
    pytest.param(absurd, id=name, marks=() if name in QUICK else pytest.mark.slow)
    for name, absurd in ABSURD.items()
]
AGENT = {"agent": "random", "options": {"n_simulations": 1}}
BODIES = {
    "/api/tables": {
        "game": "go",
        "rules": {"size": 9, "komi": 7},
        "position": "",
        "moves": ["e5"],
        "white": AGENT,
        "black": {"agent": "mcts", "options": {"n_simulations": 10, "search_time": 1.0}},
        "clock": {"seconds": 10, "increment": 1},
        "think": 1.0,
        "delay": 0.0,
        "agreement": True,
    },
    "/api/tournaments": {
        "game": "tictactoe",
        "rules": {"size": 1},
        "agents": [AGENT, {"agent": "minimax"}],
        "format": "round-robin",
        "rounds": 1,
        "seconds": 30.0,
    },
    "/api/tables/TABLE/search": {"search": 0, "about": "children", "moves": ["b2"]},
    "/api/runs/one/control": {
        "learning_rate": 0.1,
        "simulations": 10,
        "cpuct": 1.0,
        "resign_below": 0.1,
    },
    "/api/replay": json.loads(
        GameRecord("tictactoe", "a", "b", "", True, 0, [Turn("b2", 1.0, 0.5, 3, 4)]).as_json()
    ),
}
MESSAGES = [
    {"type": "look", "flip": True, "area": True},
    {"type": "move", "move": "b2"},
    {"type": "mark", "point": "b2"},
    {"type": "pace", "paused": True, "delay": 1.0},
    {"type": "analyze", "agent": AGENT, "seconds": 0.01},
    {"type": "hint"},
]
MARK = "*here*"


def fields(value, path=()):
    """The paths to everything inside, and to what is a number or a text."""
    yield path
    if isinstance(value, dict | list):
        for key, below in value.items() if isinstance(value, dict) else enumerate(value):
            yield from fields(below, (*path, key))


def with_mark(value, path):
    if not path:
        return MARK
    copy = json.loads(json.dumps(value))
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = MARK
    return copy


def texts(body, absurd):
    for path in fields(body):
        yield json.dumps(with_mark(body, path)).replace(f'"{MARK}"', absurd)
        if path and isinstance(path[-1], str):
            renamed = json.dumps(with_mark(body, path)).replace(f'"{path[-1]}"', absurd, 1)
            yield renamed.replace(f'"{MARK}"', "1")


def is_sentence(answer):
    told = answer.json()["detail"]
    return isinstance(told, str) and 0 < len(told) < 1000 and "\n" not in told


@pytest.fixture(scope="module")
def patient(tmp_path_factory):
    """A server that shows a training run, and has no room for tournaments."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "one").mkdir()
    (folder / "one" / "log.csv").write_text("round,loss\n1,2.0\n")
    facts = {"learning_rate": 0.1, "simulations": 50, "cpuct": 1.25, "resign_below": 0.0}
    (folder / "one" / CONTROL).write_text(json.dumps(facts))
    running = RunningServer(ServerSettings(runs=folder, max_tournaments=0))
    yield running
    running.close()


@pytest.mark.parametrize("absurd", KINDS)
def test_no_field_of_a_request_breaks_the_server(patient, absurd):
    server = patient
    table = open_table(server)["id"]
    with httpx.Client(base_url=server.url, timeout=120) as client:
        for path, body in BODIES.items():
            for text in texts(body, absurd):
                answer = client.post(path.replace("TABLE", table), content=text.encode())
                where = (path, text[:200], answer.text[:300])
                assert answer.status_code == 200 or 400 <= answer.status_code < 500, where
                assert answer.status_code == 200 or is_sentence(answer), where
        line = json.dumps(BODIES["/api/replay"])
        for text in texts(BODIES["/api/replay"], absurd):
            answer = client.post("/api/records", content=f"{line}\n{text}".encode())
            assert answer.status_code in (200, 400), (text[:200], answer.text[:300])


@pytest.mark.parametrize("absurd", KINDS)
def test_no_field_of_a_message_breaks_the_server(server, absurd):
    table = open_table(server)
    for message in MESSAGES:
        with join(server, table) as line:
            hear(line, "state")
            for text in texts(message, absurd):
                if len(text) < server.settings.max_message:
                    line.send(text)
            line.send('{"type": "look"}')
            hear(line, "state")
    address = f"{server.url.replace('http', 'ws')}/ws/tables/{table['id']}"
    for text in texts({"type": "hello", "key": table["key"], "token": "x"}, absurd):
        if len(text) < server.settings.max_message:
            with connect(address) as line:
                line.send(text)
                assert json.loads(line.recv(60))["type"] in ("closed", "hello")


@pytest.mark.parametrize("body", [b"", b"\xff\xfe{", b"\xef\xbb\xbf{}", b"\0", b"null", b"[]"])
def test_no_body_breaks_the_server(server, body):
    table = open_table(server)["id"]
    for path in (*BODIES, "/api/records"):
        url = f"{server.url}{path.replace('TABLE', table)}"
        answer = httpx.post(url, content=body, **PLAIN)
        assert 400 <= answer.status_code < 500, (path, answer.text)
        assert is_sentence(answer), (path, answer.text)


ODD = [DIGITS, f"-{DIGITS}", "9" * 5000, "1e9", "-1", "x", "%00", "%ff", "%ed%a0%80", "..%2f.."]


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_no_part_of_an_address_breaks_the_server(server, odd):
    table = open_table(server)["id"]
    for path in (
        f"/api/tables/{odd}/record/jsonl",
        f"/api/tables/{table}/record/{odd}",
        f"/api/tables/{table}/search.html?search={odd}",
        f"/api/tables/{table}/search.html?search=0&language={odd}",
        f"/api/tournaments/{odd}",
        f"/api/tournaments/x/games/{odd}",
        f"/api/runs/{odd}/games/0",
        f"/api/runs/x/games/{odd}",
        f"/api/boards/{odd}.svg",
        f"/words/{odd}.json",
    ):
        answer = get(server, path)
        assert 300 <= answer.status_code < 500, (path, answer.text)
        with contextlib.suppress(json.JSONDecodeError):
            assert is_sentence(answer), (path, answer.text)
    for path in ("/api/replay?flip=", "/api/records?name="):
        answer = httpx.post(f"{server.url}{path}{odd}", content=b"x", **PLAIN)
        assert 400 <= answer.status_code < 500, (path, answer.text)
    token = {"x-hansu-token": re.sub("[^ -~]", "", odd)[:100]}
    assert get(server, "/", **token).status_code == 200


@pytest.mark.parametrize("absurd", ["huge", "longer than Python reads", "infinite", "list"])
def test_an_absurd_option_is_told_what_it_may_be(server, absurd):
    body = '{"game": "tictactoe", "black": {"agent": "mcts", "options": {"n_simulations": %s}}}'
    with httpx.Client(base_url=server.url, timeout=120) as client:
        answer = client.post("/api/tables", content=(body % ABSURD[absurd]).encode())
    assert answer.status_code in (400, 422)
    assert "number" in answer.json()["detail"], answer.text
