"""Self-play on a GPU is self-play on the CPU, with a table instead of a network."""

import numba
import numpy as np
import pytest

import hansu
from hansu.kernel import gpu
from hansu.kernel.gpu import has_card
from tests.kernel.test_gpu import COMPILER
from tests.small_games import SMALL_GAMES, all_but_slow

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'hansu[learn]'")

from numba import types  # noqa: E402

from hansu.errors import HansuError  # noqa: E402
from hansu.learning.card_trouble import GIGABYTE, card_trouble, fitting_games  # noqa: E402
from hansu.learning.finished_games import FinishedGames  # noqa: E402
from hansu.learning.inference import PlainInference, TowerInference  # noqa: E402
from hansu.learning.network import make_network  # noqa: E402
from hansu.learning.play_groups import CardGroup, CpuGroup, split_games  # noqa: E402
from hansu.learning.replay_buffer import game_samples, sample_type  # noqa: E402
from hansu.learning.self_play import SelfPlay, SelfPlayOptions  # noqa: E402
from hansu.learning.self_play_gpu import (  # noqa: E402
    MOVES_A_STEP,
    SELECTIONS,
    SelfPlayOnCard,
    make_card_kernels,
)
from hansu.search.puct import PuctParams  # noqa: E402
from hansu.search.puct_trees import EDGES, NODES  # noqa: E402

CPU = torch.device("cpu")
CARD = pytest.mark.skipif(not has_card(), reason="there is no NVIDIA card here, or no numba-cuda")
DEVICES = ["cpu", pytest.param("cuda", marks=CARD)]
OPTIONS = SelfPlayOptions(12, 3, -0.9, 0.3, 2, full_share=0.6, quick_simulations=5)
PARAMS = PuctParams(1.5, 16, 0.25, 0.5, 1)
IN_STEP = OPTIONS._replace(moves_a_step=MOVES_A_STEP), PARAMS._replace(selections=SELECTIONS)
GAMES = 24
QUICK = all_but_slow(*set(SMALL_GAMES) - {"tictactoe"})


@pytest.fixture(autouse=True)
def _one_thread():
    """Little work in every step: threads would only wait for each other on a busy machine."""
    before = numba.get_num_threads(), torch.get_num_threads()
    numba.set_num_threads(1)
    torch.set_num_threads(1)
    yield
    numba.set_num_threads(before[0])
    torch.set_num_threads(before[1])


def table(leaves, answers):
    """Answer with numbers that are drawn from the position: the same on every machine."""
    key = (leaves * torch.arange(3, 3 + leaves.shape[1], device=leaves.device) ** 5).sum(1)
    which = torch.arange(answers.shape[1], device=leaves.device)
    bits = (key[:, None] + which * 7919) * 0x5851F42D4C957F2D
    answers.copy_(((bits >> 40) & 0xFFFF).float() / 32768.0 - 1.0)


def cpu_steps(name, steps, how=(OPTIONS, PARAMS), seed=5):
    """Play on the CPU, as the card does it: step, then evaluate and step."""
    group = SelfPlay(hansu.game(name).features, GAMES, *how, seed)
    group.drop_trees()
    group.step()
    leaves = torch.from_numpy(group.trees.leaves.view(np.int64))
    finished, simulations = {}, 0
    for _ in range(steps):
        table(leaves, torch.from_numpy(group.trees.answers))
        simulations += group.step()
        for game in group.finished():
            kind = sample_type(group.features, how[0].auxiliary)
            samples = game_samples(group.trajectories, game, kind)
            finished.setdefault(game, []).append(samples)
        group.restart()
    return group, finished, simulations


def card_launches(name, launches, device, seed=5, played=(OPTIONS, PARAMS), **how):
    features = hansu.game(name).features
    device = torch.device(device)
    group = SelfPlayOnCard(features, GAMES, *played, seed, table, device, **how)
    group.begin()
    found, simulations = [], 0
    for _ in range(launches):
        group.launch()
        turns, leaves = group.collect()
        simulations += leaves
        if turns is not None:
            found += split_games(turns, sample_type(features, played[0].auxiliary))
    return group, found, simulations


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", QUICK)
def test_games_are_those_of_the_cpu(name, device):
    """The card does less in a step, and finished games wait; each goes its own way all the same."""
    _, expected, _ = cpu_steps(name, 600 if name == "tictactoe" else 3000)
    _, found, _ = card_launches(name, 40 if name == "tictactoe" else 250, device)
    known = {samples.tobytes() for games in expected.values() for samples in games}
    assert len(found) > GAMES // 2
    assert {samples.tobytes() for samples in found} <= known


OTHER_WAYS = {
    "gumbel": (OPTIONS._replace(auxiliary=True), PARAMS._replace(gumbel_moves=4)),
    "forced": (OPTIONS._replace(reuse=False), PARAMS._replace(forced_playouts=2.0)),
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("way", OTHER_WAYS)
@pytest.mark.parametrize("name", QUICK)
def test_games_with_options_are_those_of_the_cpu(name, way, device):
    how = OTHER_WAYS[way]
    _, expected, _ = cpu_steps(name, 600 if name == "tictactoe" else 3000, how)
    _, found, _ = card_launches(name, 40 if name == "tictactoe" else 250, device, played=how)
    known = {samples.tobytes() for games in expected.values() for samples in games}
    assert len(found) > GAMES // 2
    assert {samples.tobytes() for samples in found} <= known


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("games_last", [True, False])
@pytest.mark.parametrize("name", QUICK)
def test_trees_are_those_of_the_cpu(name, games_last, device):
    """In the first steps no game is over: trees, games and random numbers must all be equal."""
    steps = 16 if name in ("tictactoe", "go:size=5") else 24  # both may end soon
    expected, finished, simulations = cpu_steps(name, steps, IN_STEP)
    group, found, counted = card_launches(name, steps // 8, device, games_last=games_last)
    assert not finished
    assert not found
    assert counted == simulations + GAMES  # the leaves of the first step, before any launch
    group.saved(with_trees=True)
    of_games = ("turns", "result", "action", "visits", "value", "seen", "legal", "would_resign")
    for name in (*of_games, "full"):
        assert np.array_equal(
            getattr(group.host.trajectories, name), getattr(expected.trajectories, name)
        ), name
    for name in ("roots", "rng", "sizes", "leaf", "depth", "leaves"):
        assert np.array_equal(getattr(group.host.trees, name), getattr(expected.trees, name)), name
    for size, of_size in ((NODES, ("visits", "edge_count")), (EDGES, ("move", "prior", "proved"))):
        used = np.arange(expected.trees.visits.shape[1] * 500) < expected.trees.sizes[:, size, None]
        for name in of_size:
            here, there = getattr(group.host.trees, name), getattr(expected.trees, name)
            assert np.array_equal(here[used[:, : here.shape[1]]], there[used[:, : here.shape[1]]])
    assert np.array_equal(group.host.trees.edge_visits, expected.trees.edge_visits)
    assert np.array_equal(group.host.trees.edge_value, expected.trees.edge_value)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("trees", [True, False])
def test_saved_games_go_on_where_they_were(trees, device):
    group, _, _ = card_launches("tictactoe", 40, device)
    saved = group.saved(trees)
    again, _, _ = card_launches("tictactoe", 3, device, seed=9)
    again.restore(saved)
    assert again.saved(trees) == saved
    if not trees:
        group.begin()
        again.begin()
    for _ in range(40):
        for each in (group, again):
            each.launch()
        ended, others = group.collect()[0], again.collect()[0]
        assert (ended is None) == (others is None)
        if ended is not None:
            assert all(np.array_equal(a, b) for a, b in zip(ended[:9], others[:9], strict=True))


def network_of(name):
    torch.manual_seed(3)
    return make_network("R8x1", hansu.game(name).features)


@pytest.mark.parametrize("device", DEVICES)
def test_a_group_collects_what_it_finished(device):
    """With a network: what a group of the card collects are whole games, legal and scored."""
    features = hansu.game("tictactoe").features
    group = CardGroup(features, GAMES, OPTIONS, PARAMS, 1, torch.device(device))
    group.begin(network_of("tictactoe"))
    group.launch()
    found = FinishedGames()
    while len(found.results) < 60:
        group.advance(found)
    group.collect(found)
    assert found.samples == sum(map(len, found.games)) > 60
    assert found.simulations > found.samples
    assert len(found.results) == len(found.games)
    assert FinishedGames.restored(found.saved()).results == found.results
    for actions in found.shown:
        state = features.game.start()
        for action in actions:
            state.push(features.move(state, int(action)))
    for samples, result in zip(found.games, found.results, strict=True):
        assert samples["done"].sum() == (len(samples) > 0)
        assert (samples["reward"] == np.where(samples["turn"] % 2 == 0, result, -result)).all()
        assert (np.diff(samples["turn"]) >= 1).all()


def test_groups_of_cpu_and_card_play_the_same_games():
    features, found = hansu.game("tictactoe").features, {}
    for make in (CpuGroup, CardGroup):
        group = make(features, GAMES, OPTIONS, PARAMS, 1, CPU)
        group.begin(network_of("tictactoe"))
        group.launch()
        games = found[make] = FinishedGames()
        while len(games.results) < (120 if make is CpuGroup else 24):
            group.advance(games)
    known = {samples.tobytes() for samples in found[CpuGroup].games}
    assert {samples.tobytes() for samples in found[CardGroup].games} <= known


@COMPILER
@pytest.mark.parametrize("games_last", [True, False])
@pytest.mark.parametrize("name", all_but_slow(*SMALL_GAMES))
def test_it_compiles_for_a_card(name, games_last):
    features = hansu.game(name).features
    host = SelfPlay(features, 2, OPTIONS, PARAMS, 1, parallel=False)

    def typed(arrays, layout):
        kinds = [numba.typeof(array) for array in arrays]
        return types.NamedTuple(
            [types.Array(k.dtype, k.ndim, layout if k.ndim > 1 else "C") for k in kinds],
            type(arrays),
        )

    trees = typed(host.trees, "F" if games_last else "C")
    trajectories = typed(host.trajectories, "C")
    options, params = numba.typeof(OPTIONS), numba.typeof(PARAMS)
    step, restart, drop = make_card_kernels(features)
    start, counts = types.uint64[::1], types.int32[::1]
    for function, *takes in (
        (step, trees, trajectories, options, params, counts),
        (restart, trees, trajectories, start, options),
        (drop, trees),
    ):
        assert ".entry" in gpu.compiled_for_card(function, *takes, is_kernel=True)


# The network ------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", [*SMALL_GAMES, "go:size=9"])
def test_a_rearranged_tower_answers_as_the_network_does(name, device):
    game, device = hansu.game(name), torch.device(device)
    torch.manual_seed(1)
    first, network = (make_network("R24x2", game.features) for _ in range(2))
    for each in (first, network):
        for weights in each.parameters():
            torch.nn.init.normal_(weights, std=0.1)
    state, packed = game.start(), []
    while len(packed) < 20 and not state.is_game_over():
        packed.append(game.features.pack(state))
        moves = list(state.legal_moves)
        state.push(moves[len(packed) % len(moves)])
    words = torch.from_numpy(np.array(packed).view(np.int64))
    expected = torch.zeros(len(packed), game.features.actions + 1)
    found = expected.to(device)
    with torch.inference_mode():
        plain = PlainInference(game.features, network, CPU)
        plain(words, expected)
        tower = TowerInference(game.features, first, device)
        tower.load(network)
        tower(words.to(device), found)
    assert expected.abs().max() > 0.05
    close = 1e-5 if device == CPU else 2e-2  # half precision
    assert torch.allclose(found.cpu(), expected, atol=close, rtol=close)


# When the card fails ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate"), "memory is full"),
        (RuntimeError("CUDA error: unspecified launch failure\nmore"), "the card has failed"),
        (RuntimeError("cuDNN error: CUDNN_STATUS_EXECUTION_FAILED"), "the card has failed"),
    ],
)
def test_a_card_that_fails_is_one_sentence(error, said):
    with pytest.raises(HansuError, match=said) as caught, card_trouble():
        raise error
    assert "re-run the same command to resume" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_errors_are_not_the_cards():
    with pytest.raises(RuntimeError, match="a fault of ours"), card_trouble():
        raise RuntimeError("a fault of ours")


def test_games_fit_into_the_cards_memory():
    assert fitting_games(8192, 3, 200_000, free=8 * GIGABYTE) == 8192
    few = fitting_games(8192, 3, 200_000, free=GIGABYTE)
    assert 3 * few * 200_000 <= GIGABYTE
    assert few % 64 == 0
    with pytest.raises(HansuError, match=r"0\.0 GB of free memory; self-play needs 0\.1 GB"):
        fitting_games(8192, 3, 200_000, free=1 << 20)
