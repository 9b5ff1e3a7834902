"""The life of an agent: every method in its order, as often as it promises."""

import pytest

import hansu
from hansu.agents.agent_life import AgentLife
from hansu.agents.registry import named_agent

GAME = hansu.game("tictactoe")
METHODS = ("check", "prepare", "reset", "close", "release")


def noted(*failing):
    """An agent that notes which of its methods are called; some of them fail."""
    calls = []

    def method(name):
        def call(*_):
            calls.append(name)
            if name in failing:
                raise ZeroDivisionError(name)

        return call

    agent = hansu.agent(GAME, "random")
    for name in METHODS:
        setattr(agent, name, method(name))
    return agent, calls


def test_prepared_once_reset_and_closed_for_each_game():
    agent, calls = noted()
    with AgentLife(agent) as life:
        life.begin_game(GAME.start())
        life.end_game()
        life.end_game()  # there is none
        life.begin_game(GAME.start().forward(4))
        assert agent.color == hansu.BLACK
        life.begin_game(GAME.start())  # ends the one before
    games = ["reset", "close"]
    assert calls == ["check", "prepare", *games, *games, *games, "release"]


@pytest.mark.parametrize("method", METHODS[1:])
def test_whatever_fails_it_is_released(method):
    agent, calls = noted(method)
    if method in ("close", "release"):  # the result is there by then: nobody minds
        with AgentLife(agent) as life:
            life.begin_game(GAME.start())
    else:
        with pytest.raises(ZeroDivisionError), AgentLife(agent) as life:
            life.begin_game(GAME.start())
    assert calls[-1] == "release"


def test_it_gets_its_colour_seed_and_game():
    agent, _ = noted()
    other = hansu.game("connect4")
    with AgentLife(agent) as life:
        life.begin_game(other.start(), color=hansu.BLACK, seed=7)
    assert (agent.color, agent.game) == (hansu.BLACK, other)
    assert agent.rng.random() == hansu.agent(GAME, "random", seed=7).rng.random()


def test_one_that_cannot_play_is_refused_at_once():
    with pytest.raises(hansu.HansuError, match="plays"):
        AgentLife(named_agent("stockfish", "go"))
