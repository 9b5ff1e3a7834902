"""Learning to move as experts do, from records of go."""

import numpy as np
import pytest

import hansu
from hansu.errors import HansuError
from hansu.learning.model import Model
from hansu.records.sgf import read_sgf

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'hansu[learn]'")
pytest.importorskip("onnx", reason="onnx is not installed: pip install 'hansu[learn]'")

from hansu.learning.experts.imitation import ImitationRun, expert_samples  # noqa: E402
from hansu.learning.experts.start import LearnRequest, start_run  # noqa: E402
from hansu.learning.stopping import Stop  # noqa: E402

# Twelve short games of 5x5 go; both sides follow one of three plans.
PLANS = ["cc bc bb cb dc cd bd db", "cc cd dd dc bd cb be db", "cc dc db cb dd bc ed ab"]


def games(komi="7"):
    texts = []
    for number in range(12):
        points = PLANS[number % 3].split()
        moves = "".join(f";{'BW'[turn % 2]}[{point}]" for turn, point in enumerate(points))
        result = "B+R" if number % 3 else "W+R"
        texts.append(f"(;GM[1]SZ[5]KM[{komi}]RE[{result}]{moves})")
    return "\n".join(texts)


def test_samples_are_the_turns_of_a_game():
    game = hansu.game("go:size=5")
    (record, *_) = read_sgf(games(komi="3.5"))
    bad = []
    (samples,) = expert_samples(game, [record], bad)
    assert not bad
    assert len(samples) == 8  # the resignation is no move
    features = game.features
    state = hansu.game("go:size=5,komi=3.5").start()
    for turn, sample in enumerate(samples):
        move = state.parse_move(record.moves[turn])
        assert np.array_equal(sample["seen"], state.game.features.pack(state))
        assert sample["action"] == features.action(state, move)
        assert sample["visits"].sum() == sample["visits"][sample["action"]] == 1
        assert sample["reward"] == (1 if state.turn == hansu.WHITE else -1)
        legal = {a for a in range(26) if int(sample["legal"][a // 64]) >> a % 64 & 1}
        assert legal == {features.action(state, m) for m in state.legal_moves}
        state.push(move)
    assert samples["done"].tolist() == [False] * 7 + [True]


def test_games_of_another_board_and_without_a_result_are_told():
    game = hansu.game("go:size=5")
    other = "(;GM[1]SZ[7]RE[B+R];B[cc];W[dd])(;GM[1]SZ[5];B[cc];W[dd])"
    bad = []
    assert expert_samples(game, read_sgf(other), bad) == []
    assert ["not of go:size=5" in str(bad[0]), "has no result" in str(bad[1])] == [True, True]


def test_a_few_games_are_learnt_by_heart_and_played(tmp_path):
    (tmp_path / "games.sgf").write_text(games())
    game = hansu.game("go:size=5")
    request = LearnRequest(game, [tmp_path / "games.sgf"], net="R16x1", out=tmp_path / "run")
    started = start_run(request, [])
    first, *_, last = [started.run.run_epoch() for _ in range(40)]
    assert last.training_loss < 0.5 * first.training_loss
    assert last.accuracy > first.accuracy
    model = Model(started.model, game)
    assert model.facts["games"] == "12"
    agent = hansu.agent(game, f"self_learning:model={started.model},n_simulations=10", seed=1)
    state = game.parse("(;GM[1]SZ[5]KM[7];B[cc];W[bc];B[bb];W[cb];B[dc])")
    assert agent.act(state) in state.legal_moves


def test_a_resumed_imitation_is_the_same_run(tmp_path):
    game = hansu.game("go:size=5")
    samples = expert_samples(game, read_sgf(games()), [])

    def run(name):
        return ImitationRun(game, samples, "R8x1", tmp_path / name, {"games": 12}, 300, seed=4)

    whole = run("whole")
    whole.run_epoch()
    whole.run_epoch()
    run("parts").run_epoch()
    again, pauses = run("parts"), 0
    while again.epoch < 2:
        pauses += again.run_epoch(stop=Stop(seconds=0)) is None
        again = run("parts")
    assert pauses == 2  # after the batch and after the validation
    for one, other in zip(again.network.parameters(), whole.network.parameters(), strict=True):
        assert torch.equal(one, other)


def test_too_few_games_are_one_sentence(tmp_path):
    (tmp_path / "game.sgf").write_text("(;GM[1]SZ[5]RE[B+R];B[cc];W[dd])")
    request = LearnRequest(hansu.game("go:size=5"), [tmp_path / "game.sgf"], out=tmp_path / "run")
    with pytest.raises(HansuError, match="too few games to learn from, 1: at least 10 are needed"):
        start_run(request, [])
