"""A step of the optimiser: the captured graph does what the same code does launched one by one."""

import copy

import numpy as np
import pytest

import hansu
from hansu.kernel.gpu import has_card
from tests.learning.samples import random_samples

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'hansu[learn]'")

from hansu.learning.learner import Learner  # noqa: E402
from hansu.learning.loss import Batches, losses  # noqa: E402
from hansu.learning.network import make_network  # noqa: E402
from hansu.learning.optimiser import WEIGHT_DECAY, restore, set_rate  # noqa: E402

CARD = pytest.mark.skipif(not has_card(), reason="there is no NVIDIA card here, or no numba-cuda")
DEVICES = ["cpu", pytest.param("cuda", marks=CARD)]
STEPS = 12


class OneByOne(Learner):
    """Launches every kernel by itself."""

    def _replayed(self, drawn):
        return self._gradients({name: each.to(self.device) for name, each in drawn.items()})


def made(kind, device, network="R16x2"):
    game = hansu.game("connect4")
    torch.manual_seed(1)
    own = make_network(network, game.features).to(device)
    optimiser = torch.optim.AdamW(
        own.parameters(), lr=0.002, weight_decay=WEIGHT_DECAY, fused=device == "cuda"
    )
    return kind(game.features, own, optimiser, torch.device(device), historic=False)


def learnt(learner, steps, seed=1):
    samples, rng = random_samples(hansu.game("connect4"), 64), np.random.default_rng(seed)
    drawn = (samples[rng.integers(64, size=32)] for _ in range(steps))
    return np.array([learner(some, rng).cpu().numpy() for some in drawn])


@pytest.mark.parametrize("device", DEVICES)
def test_a_graph_learns_what_the_same_code_learns_without_it(device):
    graph, plain = made(Learner, device), made(OneByOne, device)
    assert np.allclose(learnt(graph, STEPS), learnt(plain, STEPS), rtol=0.02, atol=0.02)
    for one, other in zip(graph.network.buffers(), plain.network.buffers(), strict=True):
        assert torch.allclose(one.float(), other.float(), rtol=0.05, atol=0.02)


@pytest.mark.parametrize("device", DEVICES)
def test_it_learns(device):
    found = learnt(made(Learner, device), 150)
    assert found[-20:, 0].mean() < 0.9 * found[:5, 0].mean()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("before", DEVICES)
def test_the_optimiser_goes_on_where_another_machine_stopped(before, device):
    first, second = made(Learner, before), made(Learner, device)
    learnt(first, 3)
    second.network.load_state_dict(first.network.state_dict())
    saved = copy.deepcopy(first.optimiser.state_dict())
    for numbers in saved["state"].values():  # as a checkpoint is read
        for name, each in numbers.items():
            numbers[name] = each.cpu()
    restore(second.optimiser, saved)
    ours, theirs = learnt(first, 3, seed=2), learnt(second, 3, seed=2)
    assert np.allclose(ours, theirs, rtol=0.02, atol=0.02)


def test_values_of_a_large_board_stay_where_they_can_be_learnt():
    """A full first step drives them all to 1 or -1, where tanh is flat."""
    game = hansu.game("hex")
    torch.manual_seed(0)
    network = make_network("R64x2", game.features)
    network.train()
    optimiser = torch.optim.AdamW(network.parameters())
    batches = Batches(game.features, torch.device("cpu"))
    samples = random_samples(game, 64)
    for step in range(1, 9):
        set_rate(optimiser, 0.002, step)
        batch = batches.made(batches.drawn(samples, None))
        logits, values = network(batch.planes, batch.vector)
        optimiser.zero_grad()
        losses(logits, values, batch, historic=False).total.backward()
        optimiser.step()
        assert values.abs().mean() < 0.9
