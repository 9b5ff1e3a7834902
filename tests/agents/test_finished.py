"""No agent answers where the game is over: it says so, in the same sentence."""

import random

import pytest

import hansu
from hansu.agents.registry import AGENTS, BY_COMMAND
from tests.small_games import SMALL_GAMES

ADJUDICATED = "8/8/8/8/k7/8/K7/2b5 b - - 0 14"  # a drawn ending, though there are legal moves


def played_out(name):
    state, rng = hansu.game(name).start(), random.Random(1)
    while not state.is_game_over():
        state.push(rng.choice(list(state.legal_moves)))
    return state


OVER = [
    hansu.game("connect4").parse("1212121"),
    hansu.game("microchess").parse(ADJUDICATED),
    *map(played_out, SMALL_GAMES),
]


@pytest.mark.parametrize("state", OVER, ids=lambda state: state.game.name)
@pytest.mark.parametrize("name", [name for name in AGENTS if name not in BY_COMMAND])
def test_no_agent_of_the_table_answers_where_the_game_is_over(name, state):
    try:
        agent = hansu.agent(state.game, name)
    except hansu.HansuError:
        pytest.skip("it does not play this game, or not here")
    if name == "random" and list(state.legal_moves):
        pytest.skip("it looks at the moves alone, for speed")
    for method in (agent.act, getattr(agent, "search", agent.act)):
        with pytest.raises(hansu.HansuError, match="the game is over"):
            method(state)
