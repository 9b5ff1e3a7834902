"""Agents resign lost games against people, and only against people."""

import pytest

from hansu.games.game import BLACK
from hansu.web.fair_share import Account
from hansu.web.messages import AgentChoice, NewSession
from hansu.web.server_settings import ServerSettings
from hansu.web.sessions import Sessions
from hansu.web.thread_pools import ThreadPools


@pytest.mark.parametrize(
    ("white", "options", "resigns"),
    [
        (None, {}, True),
        (None, {"resign": False}, False),
        (AgentChoice(agent="random"), {}, False),
        (AgentChoice(agent="random"), {"resign": True}, True),
    ],
)
def test_an_agent_resigns_against_people(white, options, resigns):
    pools = ThreadPools(1)
    choice = AgentChoice(agent="abp_negamax", options=options)
    _, seats, _, _ = Sessions(ServerSettings(), pools)._set_up(
        NewSession(game="tictactoe", white=white, black=choice), 1, Account(pools.visitor("here"))
    )
    assert seats[BLACK].player.agent.options.resign == resigns
    assert seats[BLACK].name.startswith("abp_negamax")
    assert "resign=on" not in seats[BLACK].name or options
