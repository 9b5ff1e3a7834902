"""Visitors who leave: an analysis without limit ends with them, and frees what it holds."""

import gc

import pytest

from hansu.search.mcts import Mcts
from hansu.web import server as server_module
from tests.web.talking import hear, join, open_table, say, until
from tests.web.test_connections import deaf, frame

ENDLESS = b'{"type": "analyze", "agent": {"agent": "mcts"}, "seconds": null}'

BOARD = "connect4:width=8"


def pools(server):
    return server.app.state.pools


def is_searching(server):
    return pools(server)._searching > 0


def trees():
    """The trees of our board, which no other test of this process has."""
    gc.collect()
    found = [each for each in gc.get_objects() if type(each) is Mcts]
    return [tree for tree in found if str(tree.state.game) == BOARD]


def analyse_without_end(line):
    hear(line, "state")
    say(line, "analyze", agent={"agent": "mcts"}, seconds=None)
    hear(line, "search")


@pytest.fixture
def alone(other_server):
    """A server that nobody else uses, which soon notices that nobody is there."""
    return other_server(unattended_after=0.5)


@pytest.mark.parametrize("how", ["closed", "cut off"])
def test_an_endless_analysis_ends_when_its_visitor_leaves(alone, how):
    table = open_table(alone, game="connect4", rules={"width": 8, "height": 6})
    with join(alone, table) as line:
        analyse_without_end(line)
        assert is_searching(alone)
        assert trees()
        if how == "cut off":
            alone.break_connections()
            until(lambda: not is_searching(alone))
    until(lambda: not is_searching(alone))
    until(lambda: not trees())
    session = alone.app.state.sessions.by_id[table["id"]]
    assert session._analyses._by_agent == {}
    with join(alone, table) as line:  # the board is still there, and can be analysed again
        analyse_without_end(line)


def test_an_endless_analysis_ends_when_the_network_is_lost(other_server, monkeypatch):
    monkeypatch.setattr(server_module, "PING_EVERY", 0.3)
    monkeypatch.setattr(server_module, "PONG_WITHIN", 0.5)
    alone = other_server(unattended_after=0.5)
    with deaf(alone, open_table(alone, game="othello")) as raw:  # neither reads nor says goodbye
        raw.sendall(frame(ENDLESS))
        until(lambda: is_searching(alone))
        until(lambda: not is_searching(alone))


def test_an_endless_analysis_goes_on_for_the_visitor_who_stays(alone):
    table = open_table(alone, game="othello")
    with join(alone, table) as stays:
        with join(alone, table) as leaves:
            analyse_without_end(leaves)
        nodes = hear(stays, "search")["info"]["nodes"]
        for _ in range(8):  # long after the other was away for long enough
            said = hear(stays, "search")
            assert not said["done"]
        assert said["info"]["nodes"] > nodes
        assert is_searching(alone)
    until(lambda: not is_searching(alone))


def test_a_page_that_is_loaded_again_keeps_its_analysis(other_server):
    server = other_server(unattended_after=30.0)
    table = open_table(server, game="othello")
    with join(server, table) as line:
        analyse_without_end(line)
    with join(server, table) as line:
        assert not hear(line, "search")["done"]
        say(line, "stop")
