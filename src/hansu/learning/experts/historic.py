"""The historic value function from records: a perceptron fits the share of won games.

Net 64-128-256-64-1 with ReLU and a sigmoid; squared error weighted by n/N, where N sums n over the
batch; Adam 0.001 with betas 0.9 and 0.99; batches of 1024; a random fifth of the positions is the
validation set for early stopping.
"""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hansu.learning.evaluator import pick_device
from hansu.learning.experts.network_run import NetworkRun
from hansu.learning.experts.perceptron import LAYERS
from hansu.learning.experts.positions import Table
from hansu.learning.experts.value import write_value

VALIDATION_SHARE = 0.2


def make_perceptron() -> nn.Sequential:
    """Return the network up to its logit.

    >>> sum(weights.numel() for weights in make_perceptron().parameters())
    57857
    """
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(LAYERS):
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def cells_of(black: NDArray[np.uint64], white: NDArray[np.uint64]) -> Tensor:
    """Return the 64 cells of positions, [n, 64]: 0 empty, 1 black, 2 white."""
    return torch.from_numpy(_bits(black) + 2 * _bits(white)).float()


def _bits(sets: NDArray[np.uint64]) -> NDArray[np.uint8]:
    each = np.ascontiguousarray(sets).view(np.uint8).reshape(-1, 8)  # little-endian: a1 first
    return np.unpackbits(each, axis=1, bitorder="little")


def cost(chance: Tensor, share: Tensor, n: Tensor) -> Tensor:
    """Return squared error weighted by n/N."""
    return (n * (chance - share).square()).sum() / n.sum()


def flat(network: nn.Sequential) -> NDArray[np.float32]:
    """Return all weights in the order of ``perceptron``."""
    parts = []
    for layer in network:
        if isinstance(layer, nn.Linear):
            parts += [layer.weight.T.flatten(), layer.bias]
    joined: NDArray[np.float32] = torch.cat([part.detach() for part in parts]).numpy()
    return joined


class HistoricRun(NetworkRun):
    """Fits the historic network to counted positions."""

    batch, large_batch = 1024, 16_384

    def __init__(
        self, table: Table, folder: Path, facts: dict[str, Any], max_epochs: int, seed: int = 0
    ) -> None:
        order = np.random.default_rng(seed).permutation(len(table.n))
        split = int(VALIDATION_SHARE * len(order))
        self.table, self.validation, self.training = table, order[:split], order[split:]
        torch.manual_seed(seed)
        self.device = pick_device()
        network = make_perceptron().to(self.device)
        optimiser = torch.optim.Adam(network.parameters(), lr=0.001, betas=(0.9, 0.99))
        super().__init__(network, optimiser, folder, facts, max_epochs, seed)

    def sizes(self) -> tuple[int, int]:
        """Return the sizes of the training set and the validation set."""
        return len(self.training), len(self.validation)

    def learn(self, which: NDArray[np.int64], rng: np.random.Generator) -> tuple[float, ...]:
        """Learn from some positions."""
        loss, n = self._cost(self.training[which])
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        self.step += 1
        return float(loss.detach()) * n, n

    def validate(self, which: slice) -> tuple[float, ...]:
        """Return the cost of some positions, and how often the winner is predicted."""
        rows = self.validation[which]
        with torch.inference_mode():
            loss, n = self._cost(rows)
            chance = self._chance(rows).cpu().numpy()
        wins, seen = self.table.wins[rows], self.table.n[rows]
        right = float(np.where(chance > 0.5, wins, seen - wins).sum())
        return float(loss) * n, n, right, n

    def _chance(self, which: NDArray[np.int64]) -> Tensor:
        cells = cells_of(self.table.one[which], self.table.other[which])
        return torch.sigmoid(self.network(cells.to(self.device))).squeeze(1)

    def _cost(self, which: NDArray[np.int64]) -> tuple[Tensor, float]:
        n = torch.from_numpy(self.table.n[which]).float()
        share = torch.from_numpy(self.table.wins[which]).float() / n
        found = cost(self._chance(which), share.to(self.device), n.to(self.device))
        return found, float(n.sum())

    def write(self) -> None:
        """Write the best weights for playing."""
        best = make_perceptron()
        best.load_state_dict(self.best)
        write_value(self.folder / "value.npz", "historic", flat(best), self.summary())
