"""``record_learning``: alpha-beta with a value learnt from experts' games."""

import subprocess
import sys

import pytest

import hansu
from hansu.errors import HansuError


@pytest.mark.parametrize("net", ["historic", pytest.param("strong", marks=pytest.mark.slow)])
def test_it_beats_random(net):
    """A random player would come to this score once in 30,000 times."""
    result = hansu.match(
        "othello", f"record_learning:depth=3,net={net}", "random", games=30, seed=1
    )
    assert result.score >= 0.85


def test_it_looks_deeper_from_move_50_on():
    agent = hansu.agent("othello", "record_learning:depth=2,late_depth=3", seed=1)
    state, depths = hansu.game("othello").start(), {}
    opponent = hansu.agent("othello", "random", seed=1)
    while not state.is_game_over():
        discs = sum(map(int.bit_count, state.discs()))
        agent.act(state)
        depths[discs - 3] = agent.info.depth  # the number of the move
        state.push(opponent.act(state))
    assert {depths[number] for number in range(1, 50)} == {2}
    assert {depths[number] for number in range(50, 55)} == {3}


def test_with_a_time_it_looks_as_deep_as_it_gets():
    agent = hansu.agent("othello", "record_learning:net=strong,depth=60,search_time=2", seed=1)
    agent.prepare(hansu.game("othello").start())
    agent.act(hansu.game("othello").parse("f5d6c3d3c4"))
    assert 5 < agent.info.depth < 30


def test_it_takes_a_won_game():
    """White is left with one disc: only e1 takes it, and with it the game."""
    board = "XXXO----" + "-" * 56 + " X"
    state = hansu.game("othello").parse(board)
    agent = hansu.agent("othello", "record_learning", seed=1)
    assert state.move_text(agent.act(state)) == "e1"
    assert agent.info.value == 1.0


def test_other_games_are_refused():
    with pytest.raises(HansuError, match="record_learning plays othello, not connect4"):
        hansu.agent("connect4", "record_learning")
    with pytest.raises(HansuError, match="plays othello"):
        hansu.match("connect4", "record_learning", "random", games=2)


def test_a_model_that_is_not_there_is_told_before_the_match():
    with pytest.raises(HansuError, match=r"cannot read the model nothere\.npz"):
        hansu.match("othello", "record_learning:model=nothere.npz", "random", games=2)


def test_playing_needs_no_pytorch():
    code = (
        "import sys, hansu; a = hansu.agent('othello', 'record_learning:depth=2')\n"
        "a.act(hansu.game('othello').start()); print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
