"""The replay memory: bounded, whole after a kill, and honest about damage."""

import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import pytest

import hansu
from hansu.learning.replay_buffer import (
    TRAINING,
    VALIDATION,
    VALIDATION_EVERY,
    DamagedFile,
    ReplayBuffer,
    game_samples,
    sample_type,
)
from hansu.learning.self_play import SelfPlay, SelfPlayOptions
from hansu.learning.shown_games import as_record
from hansu.learning.trajectories import RUNNING
from hansu.search.puct import PuctParams
from tests.search.networks import arbitrary
from tests.small_games import all_but_slow

GAME = hansu.game("tictactoe")
KIND = sample_type(GAME.features)


def some_game(turns: int, seed: int) -> np.ndarray:
    samples = np.zeros(turns, KIND)
    samples["seen"] = np.random.default_rng(seed).integers(512, size=samples["seen"].shape)
    samples["action"] = seed
    return samples


def contents(folder: Path) -> dict[str, int]:
    return {path.name: zlib.crc32(path.read_bytes()) for path in folder.glob("*.npy")}


def test_whole_games_are_kept_for_validation(tmp_path):
    replay = ReplayBuffer(tmp_path, KIND, 10_000)
    replay.add([some_game(7, seed) for seed in range(40)])
    assert replay.count(VALIDATION) == 7 * 40 // VALIDATION_EVERY
    assert len(replay) == 7 * 40 - replay.count(VALIDATION)
    rng = np.random.default_rng(1)
    kept_back = set(replay.draw(VALIDATION, 500, rng)["action"].tolist())
    assert kept_back.isdisjoint(replay.draw(TRAINING, 2000, rng)["action"].tolist())
    assert len(kept_back) == 2


def test_the_oldest_samples_go_when_it_is_full(tmp_path):
    replay = ReplayBuffer(tmp_path, KIND, 100)
    for seed in range(30):
        replay.add([some_game(10, seed)])
        assert len(replay) <= 110
    drawn = replay.draw(TRAINING, 1000, np.random.default_rng(1))["action"]
    assert drawn.min() >= 18
    assert drawn.max() == 29 or drawn.max() == 28
    assert len(list(tmp_path.glob("training*.npy"))) <= 11


def test_opened_again_it_is_the_same(tmp_path):
    replay = ReplayBuffer(tmp_path, KIND, 1000)
    for seed in range(8):
        replay.add([some_game(9, seed)])
    again = ReplayBuffer(tmp_path, KIND, 1000)
    assert len(again) == len(replay)
    first, second = (r.draw(TRAINING, 64, np.random.default_rng(3)) for r in (replay, again))
    assert np.array_equal(first, second)


def test_a_damaged_file_is_named_and_left_out(tmp_path):
    replay = ReplayBuffer(tmp_path, KIND, 1000)
    for seed in range(3):
        replay.add([some_game(9, seed)])
    victim = sorted(tmp_path.glob("training*.npy"))[1]
    data = bytearray(victim.read_bytes())
    data[-5] ^= 1
    victim.write_bytes(data)
    (tmp_path / "tmpabc.part").write_bytes(b"cut off")
    with pytest.warns(DamagedFile, match=victim.name):
        again = ReplayBuffer(tmp_path, KIND, 1000)
    assert len(again) == 18
    assert set(again.draw(TRAINING, 200, np.random.default_rng(1))["action"]) == {0, 2}
    assert not list(tmp_path.glob("*.part"))
    again.add([some_game(9, 7)])
    assert len(ReplayBuffer(tmp_path, KIND, 1000)) == 27


WRITE_FOREVER = """
import sys
from pathlib import Path
from tests.learning.test_replay_buffer import KIND, some_game
from hansu.learning.replay_buffer import ReplayBuffer
replay = ReplayBuffer(Path(sys.argv[1]), KIND, 3000)
seed = 0
while True:
    seed += 1
    replay.add([some_game(50, seed % 1000) for _ in range(5)])
    print(seed, flush=True)
"""


@pytest.mark.filterwarnings("error")
def test_a_kill_at_any_moment_leaves_whole_samples(tmp_path):
    command = [sys.executable, "-c", WRITE_FOREVER, str(tmp_path)]
    for delay in (0.0, 0.05):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
        assert process.stdout is not None
        assert process.stdout.readline() == b"1\n"
        time.sleep(delay)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        before = contents(tmp_path)
        replay = ReplayBuffer(tmp_path, KIND, 3000)  # a warning would be an error
        assert contents(tmp_path) == before
        dropped = sum(len(segment.samples) for segment in replay._dropped)  # files go later
        assert replay.count(TRAINING) + replay.count(VALIDATION) + dropped == 50 * sum(
            len(np.load(path)) // 50 for path in tmp_path.glob("*.npy")
        )


@pytest.mark.parametrize("name", all_but_slow("connect4", "hex:size=5", "microchess", "othello"))
def test_self_play_writes_what_was_played(name):
    """Replaying the actions through the rules gives the same positions, moves and results.

    Half of the games begin with random moves, which are played but not learnt from.
    """
    game = hansu.game(name)
    features, evaluate = game.features, arbitrary(game)
    options = SelfPlayOptions(12, 3, -2.0, 0.0, random_opening_plies=3)
    play = SelfPlay(features, 6, options, PuctParams(1.5, 32, 0.25, 0.8, 1), seed=4, parallel=False)
    kind, checked = sample_type(features), {"from the start": 0, "after random moves": 0}
    simulations: list[int] = []
    while min(checked.values()) < 2:
        play.step()
        play.trees.answers[:] = evaluate(play.trees.leaves)
        for number in play.finished():
            random_plies = int(play.trajectories.random_plies[number])
            assert 0 <= random_plies <= 3
            state = game.start()
            for action in play.trajectories.action[number, :random_plies]:
                state.push(features.move(state, int(action)))
            samples = game_samples(play.trajectories, number, kind)
            check_record(state, samples)
            simulations += samples["visits"].sum(axis=1).tolist()
            shown = record_of(play, number)
            assert len(shown.moves) == len(state.move_stack)
            assert (shown.final, shown.outcome) == (state.text(), state.outcome())
            checked["after random moves" if random_plies else "from the start"] += 1
        play.restart()
    assert (play.trajectories.result == RUNNING).all()
    assert np.mean(np.array(simulations) >= 11) > 0.5  # fewer only where a proof ends a search


def record_of(play, number):
    """What people are shown of a finished game."""
    actions = play.trajectories.action[number, : play.trajectories.turns[number]]
    record = as_record(play.features, actions, "self-play")
    assert 2 * record.score_first - 1 == play.trajectories.result[number]
    return record


def check_record(state, samples):
    """Follow a record from the state where it begins."""
    features = state.game.features
    for sample in samples:
        assert np.array_equal(sample["seen"], features.pack(state))
        legal = {features.action(state, move) for move in state.legal_moves}
        bits = np.unpackbits(sample["legal"].view(np.uint8), bitorder="little")
        assert set(np.flatnonzero(bits).tolist()) == legal
        assert set(np.flatnonzero(sample["visits"]).tolist()) <= legal
        assert 1 <= sample["visits"].sum() <= 12  # fewer where some are proved to be worse
        sample_turn = state.turn
        state.push(features.move(state, int(sample["action"])))
        assert sample["done"] == state.is_game_over()
    outcome = state.outcome()
    assert outcome is not None
    last = 0 if outcome.winner is None else 1 if outcome.winner == sample_turn else -1
    assert samples["reward"][-1] == last
    assert (samples["reward"][:-1] == -samples["reward"][1:]).all()


def test_resigning_ends_games_and_some_are_played_on():
    game = hansu.game("tictactoe")

    def gloomy(leaves):
        answers = np.zeros((len(leaves), 10), np.float32)
        answers[:, -1] = 0.95  # whoever is to move is glad: whoever moves sees no hope
        return answers

    limits = PuctParams(1.5, 32, 0.0, 1.0, 1)
    play = SelfPlay(
        game.features, 40, SelfPlayOptions(12, 3, -0.9, 0.5), limits, seed=4, parallel=False
    )
    resigned = played_on = 0
    for _ in range(3000):
        play.step()
        play.trees.answers[:] = gloomy(play.trees.leaves)
        for number in play.finished():
            quitter = int(play.trajectories.would_resign[number])
            if play.trajectories.resign_disabled[number]:
                played_on += play.trajectories.turns[number] > 1
            elif quitter:
                assert play.trajectories.result[number] == -quitter
                assert record_of(play, number).outcome.reason == "resignation"
                resigned += 1
        play.restart()
        if resigned > 5 and played_on > 2:
            break
    assert resigned > 5
    assert played_on > 2


def test_quick_searches_give_no_samples():
    """Playout-cap randomisation: all moves are played, a part of them is learnt from."""
    game = hansu.game("tictactoe")
    features, evaluate = game.features, arbitrary(game)
    options = SelfPlayOptions(12, 3, -2.0, 0.0, full_share=0.4, quick_simulations=4)
    play = SelfPlay(
        features, 40, options, PuctParams(1.5, 32, 0.25, 0.8, 1), seed=4, parallel=False
    )
    kind, turns, full = sample_type(features), 0, 0
    while turns < 800:
        play.step()
        play.trees.answers[:] = evaluate(play.trees.leaves)
        for number in play.finished():
            samples = game_samples(play.trajectories, number, kind)
            state, places = game.start(), {int(sample["turn"]): sample for sample in samples}
            for turn in range(play.trajectories.turns[number]):
                if turn in places:
                    assert np.array_equal(places[turn]["seen"], features.pack(state))
                state.push(features.move(state, int(play.trajectories.action[number, turn])))
            turns, full = turns + len(state.move_stack), full + len(samples)
        play.restart()
    assert 0.3 < full / turns < 0.5
