"""A record played again: states, clocks, and agents put back to a turn."""

import random

import pytest

import hansu
from hansu.arena.player import LocalPlayer
from hansu.arena.restore_agent import restore_agent
from hansu.records.record import TimeControl, Turn
from hansu.records.replay import state_at, states
from tests.small_games import SMALL_GAMES


class Noted(hansu.Agent):
    """Random, and remembers what it saw."""

    def reset(self):
        self.seen = []

    def act(self, state):
        left = (state.white_remain_sec, state.black_remain_sec)
        self.seen.append((state.text(), left, self.rng.getstate()))
        return self.rng.choice(list(state.legal_moves))


@pytest.mark.parametrize("game", SMALL_GAMES)
def test_states_and_clocks_are_those_of_the_game(game):
    shown = []
    watch = lambda state, move, used: shown.append(  # noqa: E731
        (state.text(), state.white_remain_sec, state.black_remain_sec)
    )
    record = hansu.play_game(game, Noted, Noted, seconds=30, increment=0.5, seed=2, watch=watch)
    again = [(s.text(), s.white_remain_sec, s.black_remain_sec) for s in states(record)]
    assert again[:-1] == shown
    assert again[-1][0] == record.final
    assert state_at(record, 3).text() == shown[3][0]


@pytest.mark.parametrize("seat", [0, 1])
def test_an_agent_is_put_back_with_its_seed_memory_and_clock(seat):
    agent = Noted("me")
    players = [agent, "random"] if seat == 0 else ["random", agent]
    record = hansu.play_game("othello", *players, seed=7)
    seen = agent.seen
    for turn in (seat, seat + 2, seat + 20):
        moment = restore_agent(LocalPlayer(agent), record, turn)
        assert moment.departures == []
        assert moment.played == record.moves[turn]
        move = agent.act(moment.state.copy())
        assert moment.state.move_text(move) == moment.played
        assert agent.seen == seen[: len(agent.seen)]
    moment = restore_agent(LocalPlayer(agent), record, seat + 20, rethink=False)
    assert agent.seen == []
    assert agent.rng.getstate() == seen[0][2]


def test_where_an_agent_departs_from_the_game_is_told():
    record = hansu.play_game("connect4", "first_move", "random", seed=1)
    moment = restore_agent(LocalPlayer(Noted("other")), record, 6)
    assert moment.departures
    assert moment.departures[0].startswith("turn ")
    assert " instead of 1" in moment.departures[0]


def test_what_cannot_be_rebuilt_is_one_sentence():
    record = hansu.play_game("tictactoe", "first_move", "first_move")
    with pytest.raises(hansu.HansuError, match=r"after 7 turns the game is over, White wins"):
        restore_agent(LocalPlayer(Noted("me")), record, 7)
    with pytest.raises(hansu.HansuError, match="the game has 7 turns: there is no turn 8"):
        restore_agent(LocalPlayer(Noted("me")), record, 8)
    with pytest.raises(hansu.HansuError, match="the game has 7 turns: there is no turn -1"):
        state_at(record, -1)
    with pytest.raises(hansu.HansuError, match=r"malfunction failed in turn 1: .*as intended"):
        restore_agent(LocalPlayer(hansu.agent("tictactoe", "malfunction:p=1")), record, 2)


def test_clocks_follow_the_time_control():
    record = hansu.play_game("tictactoe", "first_move", "first_move")
    record.turns = [Turn(move, 2.0) for move in record.moves]
    record.control = TimeControl(10.0, increment=0.5)
    assert state_at(record, 4).white_remain_sec == 7.0
    assert state_at(record, 5).white_remain_sec == 5.5
    record.control = TimeControl(None)
    assert state_at(record, 5).white_remain_sec == float("inf")


def test_searching_agents_leave_their_expectation_in_the_record():
    record = hansu.play_game("tictactoe", "minimax", "random", seed=random.Random(1).randrange(99))
    assert all(0 <= turn.value <= 1 for turn in record.turns[::2])
    assert all(turn.value is None for turn in record.turns[1::2])
