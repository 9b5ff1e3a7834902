"""Nobody can keep the others from playing: agents that think, processes, spectators, tables."""

import contextlib
import json
import time
from pathlib import Path

import httpx
import pytest

from hansu.errors import HansuError
from hansu.records.record import GameRecord
from hansu.web.audience import MOST_OWNERS
from tests.web.talking import get, hear, join, open_table, post, say, until

THINKER = {"agent": "mcts", "options": {"n_simulations": 100_000_000}}
DEEP = {"agent": "abp_negamax", "options": {"depth": 40}}  # compiled code that cannot be paused
OWN = (
    "import hansu\n\n\nclass Mine(hansu.Agent):\n"
    "    def act(self, state):\n        return list(state.legal_moves)[-1]\n"
)


def moves_of(server, table):
    text = get(server, f"/api/tables/{table['id']}/record/jsonl").text
    return GameRecord.from_json(text).moves


# Thinking -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thinker", "are_watched"),
    [
        (THINKER, True),
        (DEEP, False),
        pytest.param(THINKER, False, marks=pytest.mark.slow),
        pytest.param(DEEP, True, marks=pytest.mark.slow),
    ],
)
def test_a_person_is_answered_while_others_think(other_server, thinker, are_watched):
    server = other_server(thinkers=1)
    with contextlib.ExitStack() as lines:
        tables = [
            open_table(server, game="connect4", white=thinker, black=thinker, think=60)
            for _ in range(4)
        ]
        for table in tables if are_watched else []:
            lines.enter_context(join(server, table))
        mine = open_table(server, game="connect4", black={"agent": "random"})
        line = lines.enter_context(join(server, mine))
        hear(line, "state")
        say(line, "move", move="4")
        while len(hear(line, "state")["played"]) < 2:
            pass
        assert [moves_of(server, table) for table in tables] == [[], [], [], []]


def test_a_hint_is_given_while_others_think(other_server):
    server = other_server(thinkers=1)
    tables = [
        open_table(server, game="connect4", white=THINKER, black=THINKER, think=60)
        for _ in range(3)
    ]
    with contextlib.ExitStack() as lines:
        for table in tables:
            lines.enter_context(join(server, table))
        line = lines.enter_context(join(server, open_table(server)))
        hear(line, "state")
        say(line, "hint")
        while not hear(line, "search")["done"]:
            pass
        assert [moves_of(server, table) for table in tables] == [[], [], []]


def test_agents_pause_while_nobody_is_there(other_server):
    server = other_server(unattended_after=0.2)
    agents = {"white": {"agent": "random"}, "black": {"agent": "random"}}
    table = open_table(server, game="othello", delay=0.3, **agents)
    session = sessions_of(server).by_id[table["id"]]
    until(lambda: session._game.unattended)
    played = moves_of(server, table)
    time.sleep(1.5)
    assert moves_of(server, table) == played
    with join(server, table) as line:
        while len(hear(line, "state")["played"]) < len(played) + 2:
            pass
    until(lambda: session._game.unattended)


def test_the_clock_of_an_agent_stands_still_while_nobody_is_there(other_server):
    server = other_server(unattended_after=0.2)
    table = open_table(server, white=THINKER, think=60, clock={"seconds": 100})
    session = sessions_of(server).by_id[table["id"]]
    until(lambda: session._game.unattended and session._game.thought is None)
    with join(server, table) as line:
        assert hear(line, "state")["clock"]["white"] == 100


def test_a_table_that_was_left_can_be_played_on(other_server):
    server = other_server(unattended_after=0.05)
    table = open_table(server, black={"agent": "random"})
    session = sessions_of(server).by_id[table["id"]]
    for turns in (2, 4, 6):
        until(lambda: session._game.unattended)
        with join(server, table) as line:
            move = hear(line, "state")["moves"][0]["text"]
            say(line, "move", move=move)
            while (state := hear(line, "state"))["outcome"] is None and (
                len(state["played"]) < turns
            ):
                pass


def sessions_of(server):
    return server.app.state.sessions


# Processes ----------------------------------------------------------------------------------------


def processes_of(folder):
    """The processes that were started for agents of a folder."""
    found = 0
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = command.read_bytes().split(b"\0")
            found += words[0].endswith(b"bwrap") and any(str(folder).encode() in w for w in words)
    return found


def test_agents_with_processes_share_a_few_places(other_server, tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    server = other_server(agents=tmp_path, max_processes=2)
    with contextlib.ExitStack() as lines:
        tables = [open_table(server, black={"agent": "mine.py"}) for _ in range(3)]
        seats = [lines.enter_context(join(server, table)) for table in tables]
        for line in seats:  # each agent has its turn, one after the other
            say(line, "move", move="a1")
            while hear(line, "state")["played"] != ["a1", "c3"]:
                pass
            until(lambda: processes_of(tmp_path) <= 2 * 2)  # bubblewrap is two processes


def test_no_process_is_left_at_a_table_that_was_left(other_server, tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    server = other_server(agents=tmp_path, unattended_after=0.2)
    open_table(server, black={"agent": "mine.py"})
    until(lambda: not processes_of(tmp_path))


# Spectators ---------------------------------------------------------------------------------------


def test_spectators_never_lock_the_owner_out(other_server):
    server = other_server(max_watchers=20)
    table = open_table(server)
    with contextlib.ExitStack() as lines:
        for _ in range(18):
            line = lines.enter_context(join(server, {**table, "key": ""}))
            hear(line, "state")
        late = lines.enter_context(join(server, {**table, "key": ""}))
        assert hear(late, "closed")["why"] == "full"
        for _ in range(MOST_OWNERS + 3):
            own = lines.enter_context(join(server, table))
            assert hear(own, "hello")["may_act"] is True
            hear(own, "state")
        say(own, "move", move="b2")
        while hear(own, "state")["played"] != ["b2"]:
            pass


def test_the_fullest_table_makes_room_for_the_others(other_server):
    server = other_server(max_watchers=10)
    full, other = open_table(server), open_table(server)
    with contextlib.ExitStack() as lines:
        crowd = [lines.enter_context(join(server, {**full, "key": ""})) for _ in range(9)]
        for line in crowd:
            hear(line, "state")
        newcomer = lines.enter_context(join(server, {**other, "key": ""}))
        hear(newcomer, "state")
        assert hear(crowd[-1], "closed")["why"] == "full"


def test_a_table_of_spectators_sees_the_newest_state(other_server):
    server = other_server()
    table = open_table(server)
    with join(server, table) as own, join(server, {**table, "key": ""}) as other:
        hear(own, "state")
        for _ in range(40):
            say(own, "move", move="b2")
            say(own, "undo")
        say(own, "move", move="c3")
        while hear(own, "state")["played"] != ["c3"]:
            pass
        while hear(other, "state")["played"] != ["c3"]:
            pass


# Tables -------------------------------------------------------------------------------------------


def test_tables_that_nobody_visits_go_before_one_that_was_left(other_server):
    small = other_server(max_sessions=4, unattended_after=0.0)
    mine = open_table(small)
    with join(small, mine) as line:
        hear(line, "state")
    for _ in range(10):
        open_table(small)
    with join(small, mine) as line:
        hear(line, "state")


def from_address(server, address, **wanted):
    """Open a table as a visitor from another address of this machine."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address=address)) as client:
        answer = client.post(f"{server.url}/api/tables", json={"game": "tictactoe", **wanted})
        return answer


def test_who_has_most_tables_gives_one_up_for_somebody_else(other_server):
    small = other_server(max_sessions=3)
    tables = [from_address(small, "127.0.0.2").json() for _ in range(3)]
    with contextlib.ExitStack() as lines:
        for table in tables:
            hear(lines.enter_context(join(small, table)), "state")
        assert "full" in from_address(small, "127.0.0.2").text
        assert from_address(small, "127.0.0.3").status_code == 200


def test_only_so_many_tournaments_of_one_visitor_wait(other_server):
    server = other_server(max_tournaments=4)
    agents = [{"agent": "mcts"}, {"agent": "mcts_dev"}]
    wanted = {"game": "go", "agents": agents, "rounds": 50, "seconds": 400}
    answers = [post(server, "/api/tournaments", wanted) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 400]
    name = answers[0].json()["name"]
    facts = [get(server, f"/api/tournaments/{name}").json()["state"] for _ in range(3)]
    assert set(facts) <= {"waiting", "playing"}


def test_questions_about_one_search_are_bounded(other_server):
    server = other_server()
    requests = server.app.state.requests
    with contextlib.ExitStack() as rooms:
        for _ in range(4):
            rooms.enter_context(requests.room("a table"))
        with pytest.raises(HansuError, match="too many requests"), requests.room("a table"):
            pass
        rooms.enter_context(requests.room("another table"))


def test_many_who_ask_the_same_get_one_answer(other_server):
    server = other_server()
    words = {json.dumps(get(server, "/api/offer").json()) for _ in range(3)}
    assert len(words) == 1


def test_a_flood_of_requests_is_the_loss_of_its_own_address(other_server):
    server = other_server(request_burst=3, request_rate=0.01)
    flood = [from_address(server, "127.0.0.2").status_code for _ in range(6)]
    assert flood == [200, 200, 200, 429, 429, 429]
    assert from_address(server, "127.0.0.3").status_code == 200


def test_requests_beyond_the_rate_are_answered_later(other_server):
    server = other_server(request_burst=1, request_rate=5)
    assert {from_address(server, "127.0.0.2").status_code for _ in range(6)} == {200}
