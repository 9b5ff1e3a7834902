"""Options of self-play and learning: each does its work, and off it changes nothing."""

import numpy as np
import pytest

import hansu
from hansu.errors import HansuError
from hansu.games.go.board import lead_halves
from hansu.learning.replay_buffer import as_kind, game_samples, sample_type
from hansu.learning.self_play import SelfPlay
from hansu.search.playout import random_move
from tests.learning.samples import random_samples
from tests.learning.self_play_games import OPTIONS, PARAMS, checksum, played_games
from tests.search.networks import arbitrary
from tests.small_games import SMALL_GAMES, all_but_slow

GUMBEL = PARAMS._replace(gumbel_moves=4)
# Written before there were any options; a change here is a change of self-play without them.
CHECKSUMS = {
    "tictactoe": 390231551,
    "connect4": 903717888,
    "go:size=5": 3459838971,
    "othello": 1611890740,
}


@pytest.mark.parametrize(
    "name", ["tictactoe", *(pytest.param(n, marks=pytest.mark.slow) for n in [*CHECKSUMS][1:])]
)
def test_without_options_self_play_is_what_it_was(name):
    assert checksum(name) == CHECKSUMS[name]


def cells_of(words, count):
    """The members of a set of cells, as a mask."""
    return np.unpackbits(words.view(np.uint8), bitorder="little")[:count].astype(bool)


@pytest.mark.parametrize("name", all_but_slow(*set(SMALL_GAMES) - {"tictactoe", "go:size=5"}))
def test_auxiliary_targets_are_those_of_the_final_position(name):
    """Whose cells and how many moves: as replaying the game tells it, for the side to move."""
    options = OPTIONS._replace(auxiliary=True)
    checked = 0
    for play, number in played_games(name, 8, options):
        features, state = play.features, play.features.game.start()
        for action in play.trajectories.action[number, : play.trajectories.turns[number]]:
            state.push(features.move(state, int(action)))
        samples = game_samples(play.trajectories, number, sample_type(features, True))
        assert (samples["left"] == len(state.move_stack) - samples["turn"]).all()
        if features.has_owners:
            owner = features.owners(state)
            for sample in samples:
                mine, theirs = np.split(sample["owners"], 2)
                own = cells_of(mine, features.cells).astype(int)
                own -= cells_of(theirs, features.cells)
                assert np.array_equal(own, owner if sample["turn"] % 2 == 0 else -owner)
        checked += 1
        if checked > 12:
            break
    assert checked > 3


@pytest.mark.parametrize(("name", "points"), [("go:size=5,komi=0", "area"), ("othello", "discs")])
def test_owners_sum_to_the_score(name, points):
    game = hansu.game(name)
    for seed in range(12):
        state = game.start()
        while not state.is_game_over():
            state.push(random_move(state, seed + len(state.move_stack)))
        owner = game.features.owners(state)
        if points == "area":
            assert 2 * owner.sum() == lead_halves(state.words)
        else:
            text = state.text()
            assert owner.sum() == text[:64].count("X") - text[:64].count("O")
        outcome = state.outcome()
        winner = None if owner.sum() == 0 else (owner.sum() > 0) == game.first_color
        assert outcome.winner == winner


def test_a_subtree_is_kept_or_not():
    kept = {True: 0, False: 0}
    for reuse in kept:
        options = OPTIONS._replace(reuse=reuse, full_share=1.0, moves_a_step=1)
        game = hansu.game("tictactoe")
        play = SelfPlay(game.features, 6, options, PARAMS, 4, parallel=False)
        for _ in range(200):
            turns = play.trajectories.turns.copy()
            play.step()
            moved = play.trajectories.turns > turns
            kept[reuse] += int((play.trees.visits[moved, 0] > 2).sum())
            play.trees.answers[:] = arbitrary(game)(play.trees.leaves)
            play.restart()
    assert kept[True] > 10
    assert kept[False] == 0


def test_with_gumbel_noise_samples_have_a_policy_for_every_move():
    shares = []
    options = OPTIONS._replace(full_share=1.0)
    for play, number in played_games("tictactoe", 6, options, GUMBEL, steps=500):
        samples = game_samples(play.trajectories, number, sample_type(play.features))
        for sample in samples:
            legal = np.unpackbits(sample["legal"].view(np.uint8), bitorder="little")[:9] > 0
            assert not sample["visits"][~legal].any()
            assert sample["visits"].sum() > 0
            shares.append((sample["visits"][legal] > 0).mean())
    assert len(shares) > 60
    assert np.mean(shares) > 0.7  # a move that is not visited has its share too


# Learning -----------------------------------------------------------------------------------------

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'hansu[learn]'")

from hansu.kernel.gpu import has_card  # noqa: E402
from hansu.learning.export import export  # noqa: E402
from hansu.learning.learner import Learner  # noqa: E402
from hansu.learning.loss import Batches  # noqa: E402
from hansu.learning.network import folded, make_network  # noqa: E402
from hansu.learning.stopping import Stop  # noqa: E402
from hansu.learning.training import Training  # noqa: E402
from tests.learning.test_training import TINY, left_by  # noqa: E402

CPU = torch.device("cpu")
CARD = pytest.mark.skipif(not has_card(), reason="there is no NVIDIA card here, or no numba-cuda")
DEVICES = ["cpu", pytest.param("cuda", marks=CARD)]


def auxiliary_samples(game, count, seed=1):
    """Positions with owners and moves left that can be learnt: what is on the board now."""
    samples = as_kind(random_samples(game, count, seed), sample_type(game.features, True))
    planes = game.features.packing.unpack(samples["seen"])
    for sample, row in zip(samples, planes, strict=True):
        board = row[: 2 * game.features.cells].reshape(2, -1)
        sets = [np.packbits(np.resize(half > 0, 64), bitorder="little") for half in board]
        sample["owners"] = np.concatenate(sets).view(np.uint64)
        sample["left"] = 60 - int(board.sum())
    return samples


def test_owners_are_turned_with_the_board():
    game = hansu.game("othello")
    samples, batches = auxiliary_samples(game, 20), Batches(game.features, CPU)
    turned = batches(samples, np.random.default_rng(7))
    planes = turned.planes.flatten(2)
    assert torch.equal(turned.owners, planes[:, 0] - planes[:, 1])
    assert torch.equal(turned.left, 60 - planes[:, :2].sum((1, 2)))


@pytest.mark.parametrize("device", DEVICES)
def test_auxiliary_targets_are_learnt(device):
    game = hansu.game("othello")
    torch.manual_seed(1)
    network = make_network("R16x1", game.features, auxiliary=True).to(device)
    optimiser = torch.optim.AdamW(network.parameters(), lr=0.01)
    how = (game.features, network, optimiser, torch.device(device), False, 0.0, (1.0, 1.0))
    learner, samples, rng = Learner(*how), auxiliary_samples(game, 64), np.random.default_rng(1)
    for _ in range(60):
        learner(samples, rng)
    network.eval()
    batch = learner.batches(samples)
    with torch.inference_mode():
        _, _, found = network.with_auxiliary(batch.planes, batch.vector)
    assert (found.owners - batch.owners).square().mean() < 0.25 * batch.owners.square().mean()
    assert (found.left - batch.left).abs().mean() < 0.25 * batch.left.mean()


def test_what_is_not_known_is_not_learnt():
    """Games that were resigned have no owners, those of experts no number of moves left."""
    game = hansu.game("othello")
    how = {"auxiliary": (1.0, 1.0)}
    known = auxiliary_samples(game, 16)
    with_unknown = np.concatenate([known, known])
    with_unknown["owners"][16:], with_unknown["left"][16:] = 0, 0
    found = []
    for samples in (known, with_unknown):
        torch.manual_seed(1)
        network = make_network("R8x1", game.features, auxiliary=True)
        for norm in network.modules():
            if isinstance(norm, torch.nn.BatchNorm2d):
                norm.momentum = 0.0
        optimiser = torch.optim.SGD(network.parameters(), lr=0.0)
        total = Learner(game.features, network, optimiser, CPU, False, **how)(samples, None)
        found.append(total)
    assert torch.allclose(found[0], found[1], rtol=1e-4)


def test_a_model_is_the_same_with_auxiliary_heads_or_without(tmp_path):
    game = hansu.game("othello")
    for name, auxiliary in (("with", True), ("without", False)):
        torch.manual_seed(2)
        network = make_network("R8x1", game.features, auxiliary)
        assert not hasattr(folded(network), "auxiliary") or folded(network).auxiliary is None
        export(network, tmp_path / name, {"game": "othello"})
    assert (tmp_path / "with").read_bytes() == (tmp_path / "without").read_bytes()


OPTIONS_OF_RUNS = [
    {"gumbel_moves": 3, "moves_left": 0.1},
    {"forced_playouts": 2.0, "reuse": False, "full_share": 0.5, "quick_simulations": 2},
]


@pytest.mark.usefixtures("no_tensorboard")
@pytest.mark.parametrize("options", OPTIONS_OF_RUNS)
def test_a_run_with_options_is_left_and_resumed(options, tmp_path):
    changes = {**TINY, "games": 4, "gate_every": 99, **options}

    def run(folder, samples):
        how = {**changes, "samples": samples}
        return Training(hansu.game("tictactoe"), tmp_path / folder, device="cpu", changes=how)

    (tmp_path / "whole").mkdir()
    (tmp_path / "whole" / "control.json").write_text('{"simulations": 6}')
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "control.json").write_text('{"simulations": 6}')
    run("whole", 12).run_round()
    parts = run("parts", 12)
    pauses = 0
    while parts.round < 1:
        pauses += parts.run_round(stop=Stop(seconds=0)) is None
        parts = run("parts", 12)
    assert pauses > 5
    assert left_by(tmp_path / "parts") == left_by(tmp_path / "whole")


@pytest.mark.usefixtures("no_tensorboard")
def test_options_that_a_run_cannot_have_are_refused_in_one_sentence(tmp_path):
    game = hansu.game("tictactoe")
    with pytest.raises(HansuError, match=r"tictactoe has no owners\(pos, out\) in its features"):
        Training(game, tmp_path / "a", device="cpu", changes={**TINY, "ownership": 0.1})
    both = {**TINY, "gumbel_moves": 4, "forced_playouts": 2.0}
    with pytest.raises(HansuError, match="one must be 0"):
        Training(game, tmp_path / "a", device="cpu", changes=both)
    with pytest.raises(HansuError, match=r"a tower such as R64x5 is needed"):
        Training(game, tmp_path / "a", device="cpu", changes={"network": "L8r", "moves_left": 0.1})
    assert not (tmp_path / "a").exists()
    Training(game, tmp_path / "b", device="cpu", changes=TINY)
    with pytest.raises(HansuError, match="whose auxiliary is False, not True"):
        Training(game, tmp_path / "b", device="cpu", changes={**TINY, "moves_left": 0.1})
