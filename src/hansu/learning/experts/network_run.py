"""A learning run that fits a PyTorch network."""

from pathlib import Path
from typing import Any

import torch
from torch import nn

from hansu.learning.experts.run import Run
from hansu.learning.optimiser import restore


class NetworkRun(Run):
    """Keeps the network, its optimiser and the weights with the best validation loss."""

    network: nn.Module

    def __init__(
        self,
        network: nn.Module,
        optimiser: torch.optim.Optimizer,
        folder: Path,
        facts: dict[str, Any],
        max_epochs: int,
        seed: int,
    ) -> None:
        self.network, self.optimiser = network, optimiser
        self.best: dict[str, Any] = {}
        super().__init__(folder, facts, max_epochs, seed)

    def keep_best(self) -> None:
        """Copy the weights."""
        self.best = {name: w.clone() for name, w in self.network.state_dict().items()}

    def state(self) -> dict[str, Any]:
        """Return network, optimiser and the best network so far."""
        return {
            "network": self.network.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "best": self.best,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Resume from what ``state`` returned."""
        self.network.load_state_dict(state["network"])
        restore(self.optimiser, state["optimiser"])
        self.best = state["best"]
