"""One game: what players may do, and what loses."""

import chess
import pytest

import hansu
from hansu.arena.player import LocalPlayer
from hansu.arena.referee import play
from tests.small_games import SMALL_GAMES


class Answers(hansu.Agent):
    """Gives one answer to everything."""

    answer = None

    def act(self, state):
        return self.answer


def answering(value):
    agent = Answers("odd")
    agent.answer = value
    return LocalPlayer(agent)


def good(name="random", game="tictactoe"):
    return LocalPlayer(hansu.agent(game, name))


@pytest.mark.parametrize(
    "answer",
    [None, "b2", -1, 9, 10**40, 1.0, True, [], object(), float("nan"), b"", chess.Move.null()],
)
@pytest.mark.parametrize("game", [name for name in SMALL_GAMES if name != "microchess"])
def test_an_answer_that_is_no_legal_move_loses(answer, game):
    if game != "tictactoe" and answer == 9:
        pytest.skip("9 may be a move there")
    record = play(hansu.game(game).start(), answering(answer), good(game=game))
    assert record.outcome.reason == "illegal_move"
    assert record.score_first == 0
    assert "odd: answered" in record.evidence
    assert "legal moves are" in record.evidence


@pytest.mark.parametrize(
    "answer", [None, "d2d3", 3, chess.Move.null(), chess.Move.from_uci("e2e4"), chess.A1]
)
def test_an_answer_that_is_no_legal_move_loses_microchess(answer):
    record = play(hansu.game("microchess").start(), answering(answer), good(game="microchess"))
    assert record.outcome.reason == "illegal_move"
    assert record.score_first == 0


def test_resigning_loses():
    record = play(hansu.game("go:size=5").start(), answering(hansu.RESIGN), good(game="go:size=5"))
    assert record.outcome == hansu.Outcome(hansu.WHITE, "resignation")
    assert record.moves == ["resign"]


@pytest.mark.parametrize("method", ["reset", "act", "close"])
def test_an_exception_anywhere_loses(method):
    def fail(*_):
        raise ZeroDivisionError("on purpose")

    agent = hansu.agent("tictactoe", "random")
    setattr(agent, method, fail)
    record = play(hansu.game("tictactoe").start(), good(), LocalPlayer(agent, "bad"))
    assert record.outcome == hansu.Outcome(hansu.WHITE, "crash")
    what = "failed to start: " if method == "reset" else ""
    assert f"bad: {what}ZeroDivisionError: on purpose at" in record.evidence
    assert __file__ in record.evidence


def test_an_agent_only_gets_a_copy():
    class Vandal(hansu.Agent):
        def act(self, state):
            move = next(iter(state.legal_moves))
            while not state.is_game_over():
                state.push(next(iter(state.legal_moves)))
            return move

    record = play(hansu.game("tictactoe").start(), LocalPlayer(Vandal()), LocalPlayer(Vandal()))
    assert record.outcome.reason == "line"
    assert record.moves == ["a1", "b1", "c1", "a2", "b2", "c2", "a3"]


def test_the_same_seed_plays_the_same_game():
    records = [hansu.play_game("othello", "random", "one_step_search", seed=s) for s in (5, 5, 6)]
    assert records[0].moves == records[1].moves != records[2].moves


def test_a_turn_limit_is_part_of_the_rules_where_there_is_one():
    record = hansu.play_game("microchess", "random", "random", max_turns=7, seed=1)
    assert len(record.turns) <= 7
    with pytest.raises(hansu.HansuError, match="no turn limit"):
        hansu.play_game("tictactoe", "random", "random", max_turns=7)


def test_malfunction_loses_and_nothing_else_breaks():
    for seed in range(20):
        record = hansu.play_game("connect4", "malfunction:p=1", "first_move", seed=seed)
        assert record.outcome == hansu.Outcome(hansu.BLACK, "crash")


def test_the_classic_loop():
    env = hansu.Environment("microchess")
    state = env.reset(max_turns=3)
    rewards = []
    done = False
    while not done:
        state, reward, done, info = env.step(next(iter(state.legal_moves)))
        rewards.append(reward)
    assert info["reason"] == "max_turns"
    assert rewards[:2] == [0.5, 0.5]
    with pytest.raises(hansu.HansuError, match="reset"):
        env.step(next(iter(state.legal_moves)))
    env.reset(position="k3/4/1K2/4/3R w - - 0 1")
    _, reward, done, info = env.step(env.state.parse_move("d1d5"))
    assert (reward, done, info["reason"]) == (1.0, True, "checkmate")
    env.close()
