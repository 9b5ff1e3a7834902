"""Agents resign lost games against people, and only against people."""

import pytest

from hansu.games.game import BLACK
from hansu.web.desk import Desk
from hansu.web.lobby import Lobby
from hansu.web.messages import AgentChoice, NewTable
from hansu.web.settings import Settings


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
    desk = Desk(1)
    choice = AgentChoice(agent="abp_negamax", options=options)
    _, seats = Lobby(Settings(), desk)._set_up(
        NewTable(game="tictactoe", white=white, black=choice)
    )
    desk.close()
    assert seats[BLACK].player.agent.options.resign == resigns
    assert seats[BLACK].name.startswith("abp_negamax")
    assert "resign=on" not in seats[BLACK].name or options
