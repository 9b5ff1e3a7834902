"""Every agent of the ladder plays every game, within its rules and its clock."""

import time

import pytest

import hansu
from hansu.agents.registry import AGENTS
from hansu.search.info import SearchInfo
from tests.games.tictactoe.test_tictactoe import all_positions
from tests.small_games import SMALL_GAMES

QUICK = {
    "brute": "brute:playouts=500",
    "pure_mc": "pure_mc:batches=2,batch=5",
    "mcts": "mcts:n_simulations=300",
    "mcts_dev": "mcts_dev:n_simulations=300",
    "mcts_memory": "mcts_memory:scope=game,n_simulations=60",
    "negamax": "negamax:depth=2",
    "abp_negamax": "abp_negamax:depth=2",
    "minimax": "minimax:depth=2",
    "engine": "engine:search_time=0.05",
}
ELSEWHERE = {
    "human",
    "malfunction",
    "stockfish",
    "fairy_stockfish",
    "gnugo",
    "grhino",
    "uci",
    "gtp",
    "lines",
    "openspiel",
    "record_learning",  # plays othello only
    "self_learning",  # not trained for every game yet
    "perfect",  # plays solved games only
}
PLAYERS = [QUICK.get(name, name) for name in AGENTS if name not in ELSEWHERE]


@pytest.mark.parametrize("game", SMALL_GAMES)
@pytest.mark.parametrize("player", PLAYERS)
def test_every_agent_finishes_a_game_by_the_rules(player, game):
    record = hansu.play_game(game, player, "random", seed=1)
    assert record.evidence == ""
    assert record.outcome.reason not in ("crash", "timeout", "illegal_move", "unfinished")


@pytest.mark.parametrize("player", ["minimax", "abp_negamax:depth=9"])
def test_perfect_players_never_lose_tictactoe(player):
    for opponent in ("random", "first_move", "winning_moves", "mcts:n_simulations=200"):
        assert hansu.match("tictactoe", player, opponent, games=20).losses == 0


def test_minimax_keeps_the_value_of_every_tictactoe_position():
    agent = hansu.agent("tictactoe", "minimax", seed=1)
    positions = all_positions()
    values: dict[str, int] = {}
    for text, state in sorted(positions.items(), key=lambda item: item[0].count(".")):
        outcome = state.outcome()
        if outcome is not None:
            values[text] = 0 if outcome.winner is None else -1
        else:
            values[text] = max(-values[state.forward(m).text()] for m in state.legal_moves)
    for text, state in positions.items():
        if not state.is_game_over():
            assert -values[state.forward(agent.act(state)).text()] == values[text]


SLOW_PLAYERS = ("mcts:n_simulations=100000", "brute", "pure_mc", "abp_negamax:depth=60")
TIMED_GAMES = ("connect4", "go:size=5", "microchess")


@pytest.mark.parametrize(
    ("player", "game"),
    [
        *zip(SLOW_PLAYERS, (*TIMED_GAMES, "microchess"), strict=True),
        *(
            pytest.param(player, game, marks=pytest.mark.slow)
            for player in SLOW_PLAYERS
            for game in TIMED_GAMES
        ),
    ],
)
def test_nobody_loses_on_time_with_a_short_clock(player, game):
    """The clock counts this process's own seconds: a busy machine makes nobody late."""
    record = hansu.play_game(game, player, "random", seconds=3, seed=2, timer=time.process_time)
    assert record.outcome.reason != "timeout"


def test_a_search_tells_what_it_found():
    agent = hansu.agent("connect4", "mcts:n_simulations=500", seed=1)
    move = agent.act(hansu.game("connect4").start())
    assert isinstance(agent.info, SearchInfo)
    assert agent.info.move == move
    assert agent.info.lines[0].visits == max(line.visits for line in agent.info.lines)
    assert "visits" in str(agent.info)


def test_hopeless_positions_are_resigned_only_when_asked():
    for option, resigns in (("off", False), ("on", True)):
        agent = hansu.agent("connect4", f"abp_negamax:depth=4,resign={option}", seed=1)
        state = hansu.game("connect4").parse("44553")  # both ends are open: nothing helps
        assert (agent.act(state) is hansu.RESIGN) == resigns


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("alphago", "there is no agent 'alphago'; the agents are abp_negamax"),
        ("mcts:speed=3", "there is no mcts option 'speed'; .* n_simulations"),
        ("mcts:n_simulations=many", "'many' is not a whole number"),
        ("mcts:action_score=best", "not one of visits, mean"),
    ],
)
def test_a_wrong_agent_says_what_would_be_right(text, part):
    with pytest.raises(hansu.HansuError, match=part):
        hansu.agent("connect4", text)
