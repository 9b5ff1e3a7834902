"""Games stepped together are the games of ``State``, on the CPU as on a card."""

import numpy as np
import pytest
from numba import types

import hansu
from hansu.errors import HansuError
from hansu.kernel import gpu
from hansu.kernel.gpu import has_card
from hansu.learning.vector import make_card_kernels
from tests.kernel.test_gpu import COMPILER
from tests.small_games import SMALL_GAMES, all_but_slow

CARD = pytest.mark.skipif(not has_card(), reason="there is no NVIDIA card here, or no numba-cuda")
DEVICES = ["cpu", pytest.param("cuda", marks=CARD)]


def numbers(array):
    return array if isinstance(array, np.ndarray) else array.cpu().numpy()


def assert_shows(games, index, state):
    features = games.game.features
    legal = np.zeros(features.actions, bool)
    legal[[features.action(state, move) for move in state.legal_moves]] = True
    assert np.array_equal(numbers(games.observations)[index], features.planes(state))
    assert np.array_equal(numbers(games.vectors)[index], features.vector(state))
    assert np.array_equal(numbers(games.legal)[index], legal)
    assert numbers(games.turn)[index] == (state.turn != state.game.first_color)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", all_but_slow("hex:size=5", "othello"))
def test_every_game_goes_as_its_state_says(name, device):
    count, ended = 12, 0
    games = hansu.vector(name, count, device=device, seed=3)
    features, first = games.game.features, games.game.first_color
    states = [games.game.start() for _ in range(count)]
    while ended < 2 * count:
        actions = numbers(games.sample()).copy()
        rewards, done = map(numbers, games.step(actions))
        for i, state in enumerate(states):
            state.push(features.move(state, int(actions[i])))
            outcome = state.outcome()
            assert bool(done[i]) == (outcome is not None)
            expected = [0, 0]
            if outcome is not None:
                ended += 1
                if outcome.winner is not None:
                    expected = [1, -1] if outcome.winner == first else [-1, 1]
                states[i] = games.game.start()
            assert rewards[i].tolist() == expected
        i = ended % count
        assert_shows(games, i, states[i])


@pytest.mark.parametrize("device", DEVICES)
def test_an_action_that_is_not_legal_loses(device):
    games = hansu.vector("tictactoe", 4, device=device)
    games.step([4, 4, 4, 4])
    rewards, done = games.step([4, -1, 9, 0])  # the second player moves
    assert numbers(rewards).tolist() == [[1, -1], [1, -1], [1, -1], [0, 0]]
    assert numbers(done).tolist() == [True, True, True, False]
    assert numbers(games.turn).tolist() == [0, 0, 0, 0]
    assert numbers(games.legal).sum(axis=1).tolist() == [9, 9, 9, 7]


def test_resetting_begins_all_games_anew():
    games = hansu.vector("connect4", 3)
    games.step(games.sample())
    games.reset()
    for i in range(3):
        assert_shows(games, i, games.game.start())
    assert not games.rewards.any()


def test_a_seed_repeats_the_sampled_actions():
    def sampled(seed):
        games = hansu.vector("tictactoe", 8, seed=seed)
        return [
            (games.step(actions := games.sample().copy()), actions.tolist())[1] for _ in "12345"
        ]

    assert sampled(1) == sampled(1) != sampled(2)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (([1, 2],), "one action per game is expected"),
        (("ab",), "actions are whole numbers"),
        (([0.5, 1.0, 2.0],), "actions are whole numbers"),
        ((None,), "actions are whole numbers|one action per game"),
    ],
)
def test_what_are_no_actions_is_refused(given, said):
    with pytest.raises(HansuError, match=said):
        hansu.vector("tictactoe", 3).step(*given)


@pytest.mark.parametrize(
    ("count", "device", "said"),
    [
        (0, "cpu", "count is at least 1, not 0"),
        ("x", "cpu", "count: 'x' is not a whole number"),
        (3, "tpu", "there is no device 'tpu'"),
        pytest.param(
            *(3, "cuda", "device=cuda needs"),
            marks=pytest.mark.skipif(has_card(), reason="there is a card here"),
        ),
    ],
)
def test_mistakes_are_one_sentence(count, device, said):
    with pytest.raises(HansuError, match=said):
        hansu.vector("tictactoe", count, device=device)


@pytest.mark.parametrize("device", DEVICES)
def test_the_games_of_a_seed_are_the_same_on_every_device(device):
    here, there = (hansu.vector("connect4", 40, device=where, seed=4) for where in ("cpu", device))
    for _ in range(60):
        actions = numbers(here.sample())
        assert np.array_equal(actions, numbers(there.sample()))
        here.step(actions)
        there.step(there._shown(there._sampled))
        assert np.array_equal(numbers(here.observations), numbers(there.observations))


@COMPILER
@pytest.mark.parametrize("name", all_but_slow(*set(SMALL_GAMES) - {"tictactoe"}))
def test_it_compiles_for_a_card(name):
    features = hansu.game(name).features
    flags, words, keys = types.boolean, types.uint64, types.uint64

    def games_last(kind, dimensions):
        return types.Array(kind, dimensions, "F")

    arrays = (
        *(types.uint64[::1], games_last(words, 2), games_last(keys, 2)),
        *(games_last(types.int64, 2), games_last(types.float32, 4), games_last(types.float32, 2)),
        *(games_last(flags, 2), types.int8[::1], games_last(types.float32, 2), flags[::1]),
    )
    reset, step, sample = make_card_kernels(features)
    drawn = (games_last(types.uint64, 2), games_last(flags, 2), types.int64[::1])
    for function, *takes in ((reset, *arrays), (step, types.int64[::1], *arrays), (sample, *drawn)):
        assert ".entry" in gpu.compiled_for_card(function, *takes, is_kernel=True)
