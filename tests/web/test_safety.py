"""Who may come in, what may be asked for, and that nothing breaks the server."""

import asyncio
import base64
import contextlib
import gzip
import hashlib
import json
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from hansu.errors import HansuError
from hansu.web.app import STATIC
from hansu.web.messages import AgentChoice, NewSession, read_message
from hansu.web.server_settings import ServerSettings
from hansu.web.sessions import Sessions
from hansu.web.thread_pools import ThreadPools
from tests.web.talking import get, hear, join, open_table, post, upload


def raw(server, request):
    with socket.create_connection(("127.0.0.1", server.settings.port), timeout=60) as line:
        line.sendall(request)
        return line.recv(65536)


# Who may come in --------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_other_names_for_this_machine_are_refused(server, host):
    answer = raw(server, f"GET /api/offer HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert b" 403 " in answer.splitlines()[0] or b" 400 " in answer.splitlines()[0]


def test_pages_of_others_are_refused(server):
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        wish = post(server, "/api/tables", {"game": "tictactoe"}, origin=origin)
        assert wish.status_code == get(server, "/api/offer", origin=origin).status_code == 403
    assert get(server, "/api/offer", origin=server.url).status_code == 200


def test_web_sockets_from_pages_of_others_are_refused(server):
    table = open_table(server)
    address = f"{server.url.replace('http', 'ws')}/ws/tables/{table['id']}"
    with pytest.raises(InvalidStatus, match="403"), connect(address, origin="http://evil.example"):
        pass
    with connect(address, origin=server.url) as line:
        line.send("{}")
        assert hear(line, "closed")["why"] == "hello"


def test_no_script_but_our_own_can_run(server):
    policy = get(server, "/").headers["content-security-policy"]
    page = (STATIC / "index.html").read_text()
    (names,) = re.findall('<script type="importmap">(.*?)</script>', page, re.S)
    digest = base64.b64encode(hashlib.sha256(names.encode()).digest()).decode()
    scripts = f"script-src 'self' 'sha256-{digest}'"  # one text and no other
    assert policy.startswith(f"default-src 'none'; {scripts}; style-src 'self'; img-src")
    assert "unsafe" not in policy
    assert json.loads(names) == {"imports": {"hansu/": "/js/"}}  # it says where our files are
    rest = page.replace(f'<script type="importmap">{names}</script>', "")
    assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", rest)


@pytest.mark.parametrize(
    "path", ["/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/js/../../app.py", "//etc/passwd"]
)
def test_no_file_outside_the_page_is_served(server, path):
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    answer = raw(server, request.encode())
    assert b" 404 " in answer.splitlines()[0]


def test_by_default_only_this_machine_is_listened_to():
    assert ServerSettings().host == "127.0.0.1"
    assert not ServerSettings().is_known("192.168.1.5")
    assert ServerSettings(host="0.0.0.0").is_known("192.168.1.5")
    assert not ServerSettings(host="0.0.0.0").is_known("evil.example")
    assert ServerSettings(host="MyBox.local").is_known("mybox.local")


def test_with_a_token_nothing_starts_without_it(other_server):
    guarded = other_server(token="secret")
    assert get(guarded, "/").status_code == 200
    assert post(guarded, "/api/tables", {"game": "tictactoe"}).status_code == 401
    assert upload(guarded, b"4453").status_code == 401
    wrong = post(guarded, "/api/tables", {"game": "tictactoe"}, **{"x-hansu-token": "secre"})
    assert wrong.status_code == 401
    right = {"x-hansu-token": "secret"}
    table = post(guarded, "/api/tables", {"game": "tictactoe"}, **right).json()
    with join(guarded, table) as line:
        assert hear(line, "hello")["may_act"] is False
        line.send('{"type": "move", "move": "b2"}')
        assert "spectating" in hear(line, "error")["text"]
    with join(guarded, table, token="secret") as line:
        assert hear(line, "hello")["may_act"] is True


# What may be asked for --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "choice",
    [
        {"agent": "./my_agent.py"},
        {"agent": "/etc/passwd.py"},
        {"agent": "uci:/bin/sh"},
        {"agent": "gtp"},
        {"agent": "lines"},
        {"agent": "lines:/bin/sh"},
        {"agent": "lines", "options": {"command": "/bin/sh"}},
        {"agent": "/bin/sh"},
        {"agent": "./my_program/"},
        {"agent": "os.path"},
        {"agent": "human"},
        {"agent": "self_learning", "options": {"model": "/etc/passwd"}},
        {"agent": "mcts_memory", "options": {"memory": "/tmp/x"}},
        {"agent": "mcts", "options": {"n_simulations": 10**12}},
        {"agent": "brute", "options": {"playouts": -1}},
        {"agent": "mcts", "options": {"search_time": "1,model=x"}},
        {"agent": "mcts:model=x"},
    ],
)
def test_agents_come_from_the_list_only(server, choice):
    answer = post(server, "/api/tables", {"game": "tictactoe", "black": choice})
    assert answer.status_code in (400, 422), answer.text
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("name", ["os:getcwd", "hansu.games.go:Go", "checkers", ""])
def test_games_come_from_the_table_only(server, name):
    assert post(server, "/api/tables", {"game": name}).status_code == 400


def test_agents_of_the_organisers_folder_play_isolated(other_server, tmp_path):
    (tmp_path / "mine.py").write_text(
        "import hansu\n\n\nclass Mine(hansu.Agent):\n"
        "    def act(self, state):\n        return list(state.legal_moves)[-1]\n"
    )
    server = other_server(agents=tmp_path)
    assert get(server, "/api/offer").json()["files"] == ["mine.py"]
    refused = post(server, "/api/tables", {"game": "tictactoe", "white": {"agent": "../mine.py"}})
    assert refused.status_code == 400
    table = open_table(server, white={"agent": "mine.py"})
    with join(server, table) as line:
        while not (state := hear(line, "state"))["played"]:
            pass
        assert state["played"] == ["c3"]
        assert state["white"] == "mine.py"


def test_what_is_too_long_is_refused(server):
    most = server.settings.max_upload
    assert upload(server, b"4" * (most + 1)).status_code == 413
    long = post(server, "/api/tables", {"game": "go", "position": "x" * 30_000})
    assert long.status_code == 422
    assert long.json() == {
        "detail": "this message cannot be read: body.position: "
        "String should have at most 20000 characters",
        "rule": "message",
    }
    table = open_table(server)
    with join(server, table) as line:
        hear(line, "state")
        line.send("x" * (server.settings.max_message + 1))
        with pytest.raises(ConnectionClosed):
            hear(line, "nothing")
    with join(server, table) as line:
        hear(line, "state")


def test_there_is_room_for_so_many_tables_and_the_first_one_left_goes(other_server):
    small = other_server(max_sessions=2)
    first, second = open_table(small), open_table(small)
    third = open_table(small)
    with join(small, first) as line:
        assert hear(line, "closed")["why"] == "gone"
    with join(small, second) as one, join(small, third) as other:
        hear(one, "state")
        hear(other, "state")
        assert "the server is full" in post(small, "/api/tables", {"game": "tictactoe"}).text


def test_when_many_come_at_once_each_gets_the_room_of_a_table_that_was_left():
    async def come():
        sessions = Sessions(ServerSettings(max_sessions=4), ThreadPools(1))
        wanted = NewSession(game="tictactoe", black=AgentChoice(agent="random"))
        for _ in range(4):
            await sessions.open(wanted)
        opened = await asyncio.gather(*(sessions.open(wanted) for _ in range(4)))
        assert set(sessions.by_id) == {table.id for table in opened}
        await sessions.close()

    # In a thread of its own: a browser that other tests have opened keeps a loop in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, come()).result()


def test_only_who_began_the_game_can_move(server):
    table = open_table(server)
    with join(server, {**table, "key": "guessed"}) as line:
        assert hear(line, "hello")["may_act"] is False
        line.send('{"type": "resign"}')
        assert "spectating" in hear(line, "error")["text"]


# Nonsense ---------------------------------------------------------------------------------------

words = st.text(max_size=20) | st.sampled_from(["move", "hello", "look", "pace", "undo", "agent"])
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=6,
)
KINDS = ["hello", "look", "move", "undo", "resign", "hint", "stop", "pace", "analyze", "x", 1, None]
messages = st.fixed_dictionaries({"type": st.sampled_from(KINDS)}) | values
FIELDS = ["move", "key", "token", "flip", "area", "paused", "delay", "agent", "seconds", "options"]
told = st.tuples(messages, st.dictionaries(st.sampled_from(FIELDS), values, max_size=3)).map(
    lambda both: json.dumps({**both[0], **both[1]} if isinstance(both[0], dict) else both[0])
)


@given(told | st.text(max_size=200) | st.binary(max_size=200))
def test_any_message_is_read_or_refused(text):
    with contextlib.suppress(HansuError):
        read_message(text)


def test_nonsense_gets_an_answer_and_the_game_goes_on(server):
    table = open_table(server)
    with join(server, table) as line:
        hear(line, "state")

        @settings(max_examples=60, database=None)
        @given(told | st.text(max_size=100))
        def say(text):
            line.send(text)
            line.send('{"type": "look"}')
            hear(line, "state")

        say()
        line.send('{"type": "move"}')
        while "cannot be read: move.move" not in hear(line, "error")["text"]:
            pass  # answers to the nonsense before may still be on their way


@settings(max_examples=60)
@given(content=st.binary(max_size=300), name=st.sampled_from(["a.pgn", "b.wtb", "c", "../d.sgf"]))
def test_any_file_is_read_or_refused_in_one_sentence(server, content, name):
    answer = upload(server, content, name)
    assert answer.status_code in (200, 400), answer.text
    assert isinstance(answer.json(), dict)


@settings(max_examples=60)
@given(
    wanted=st.dictionaries(st.sampled_from(["game", "rules", "position", "white", "clock"]), values)
)
def test_any_wish_for_a_table_is_met_or_refused(server, wanted):
    answer = post(server, "/api/tables", {"game": "tictactoe", **wanted})
    assert answer.status_code in (200, 400, 422), answer.text


def test_options_that_are_far_off_do_no_harm(server):
    for agent, options in (
        ("negamax", {"depth": 300}),
        ("mcts", {"n_simulations": 1, "exploration_coef": 0, "max_depth": 1}),
        ("pure_mc", {"batches": 3000, "batch": 3000}),
    ):
        answer = post(
            server,
            "/api/tables",
            {"game": "tictactoe", "think": 0.05, "white": {"agent": agent, "options": options}},
        )
        assert answer.status_code == 200, (agent, answer.text)
        with join(server, answer.json()) as line:
            while not ((state := hear(line, "state"))["played"] or state["outcome"]):
                pass


def test_the_static_files_are_all_there_and_light():
    """As they are sent, all pages together: half of what the page may weigh."""
    files = [file for file in Path(STATIC).rglob("*") if file.is_file()]
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) < 175_000
