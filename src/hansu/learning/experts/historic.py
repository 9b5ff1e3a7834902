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


def cells_of(black: Tensor, white: Tensor) -> Tensor:
    """Return the 64 cells of positions, [n, 64]: 0 empty, 1 black, 2 white; squares are bits."""
    squares = torch.arange(64, device=black.device)
    black, white = ((side[:, None] >> squares) & 1 for side in (black, white))
    return (black + 2 * white).float()


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
        self,
        table: Table,
        folder: Path,
        facts: dict[str, Any],
        max_epochs: int,
        seed: int = 0,
        device: str = "auto",
    ) -> None:
        order = np.random.default_rng(seed).permutation(len(table.n))
        split = int(VALIDATION_SHARE * len(order))
        torch.manual_seed(seed)
        self.device = pick_device(device)
        # All positions lie on the device: a batch is gathered there, without waiting for the CPU.
        self.black, self.white = map(self._there, (table.one, table.other))
        self.n, self.wins = (self._there(each).float() for each in (table.n, table.wins))
        self.validation, self.training = map(self._there, (order[:split], order[split:]))
        network = make_perceptron().to(self.device)
        optimiser = torch.optim.Adam(
            network.parameters(), lr=0.001, betas=(0.9, 0.99), fused=self.device.type == "cuda"
        )
        super().__init__(network, optimiser, folder, facts, max_epochs, seed)

    def sizes(self) -> tuple[int, int]:
        """Return the sizes of the training set and the validation set."""
        return len(self.training), len(self.validation)

    def learn(self, which: NDArray[np.int64], rng: np.random.Generator) -> tuple[Tensor, ...]:
        """Learn from some positions."""
        rows = self.training[self._there(which)]
        n = self.n[rows]
        loss = cost(self._chance(rows), self.wins[rows] / n, n)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        self.step += 1
        weight = n.sum().double()
        return loss.detach() * weight, weight

    def validate(self, which: slice) -> tuple[float, ...]:
        """Return the cost of some positions, and how often the winner is predicted."""
        rows = self.validation[which]
        n, wins = self.n[rows], self.wins[rows]
        with torch.inference_mode():
            chance = self._chance(rows)
            loss = cost(chance, wins / n, n)
        right = torch.where(chance > 0.5, wins, n - wins).sum()
        weight = float(n.sum())
        return float(loss) * weight, weight, float(right), weight

    def _chance(self, rows: Tensor) -> Tensor:
        cells = cells_of(self.black[rows], self.white[rows])
        return torch.sigmoid(self.network(cells)).squeeze(1)

    def _there(self, array: NDArray[Any]) -> Tensor:
        signed = array.view(np.int64) if array.dtype == np.uint64 else array
        return torch.from_numpy(np.ascontiguousarray(signed)).to(self.device)

    def write(self) -> None:
        """Write the best weights for playing."""
        best = make_perceptron()
        best.load_state_dict(self.best)
        write_value(self.folder / "value.npz", "historic", flat(best), self.summary())
