"""What visitors may choose depends on what the server has."""

import pytest

from hansu.agents.registry import class_of
from hansu.errors import HansuError
from hansu.web import catalogue
from hansu.web.messages import AgentChoice

CHOICE = AgentChoice(agent="pure_mc", options={"device": "cuda"})


@pytest.fixture
def server(monkeypatch):
    """What the page would offer on a machine with a card, or without one."""

    def begin(card):
        monkeypatch.setattr(catalogue, "has_card", lambda: card)
        for known in (catalogue._of_the_server, catalogue._allowed):
            known.cache_clear()
        return {option["name"] for option in catalogue._options(class_of("pure_mc"))}

    yield begin
    for known in (catalogue._of_the_server, catalogue._allowed):
        known.cache_clear()


def test_where_there_is_a_card_visitors_may_play_their_random_games_on_it(server):
    assert "device" in server(card=True)
    assert catalogue.contestant(CHOICE) == "pure_mc:device=cuda"


def test_elsewhere_there_is_only_one_device(server):
    assert "device" not in server(card=False)
    with pytest.raises(HansuError, match="there is no pure_mc option 'device'"):
        catalogue.contestant(CHOICE)
