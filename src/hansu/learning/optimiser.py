"""The optimiser of a training run."""

from typing import Any

import torch

from hansu.learning.network import Network
from hansu.learning.settings import TrainingSettings

WEIGHT_DECAY = 1e-4


def make_optimiser(network: Network, settings: TrainingSettings) -> torch.optim.Optimizer:
    """Return SGD with momentum for the historic recipe, else AdamW."""
    weights, rate = network.parameters(), settings.control.learning_rate
    if settings.historic:
        return torch.optim.SGD(weights, lr=rate, momentum=0.9, weight_decay=WEIGHT_DECAY)
    on_gpu = next(network.parameters()).is_cuda
    return torch.optim.AdamW(weights, lr=rate, weight_decay=WEIGHT_DECAY, fused=on_gpu)


def restore(optimiser: torch.optim.Optimizer, saved: dict[str, Any]) -> None:
    """Continue with a saved state, also of another kind of machine."""
    for group, own in zip(saved["param_groups"], optimiser.param_groups, strict=True):
        group["fused"] = own.get("fused")
    optimiser.load_state_dict(saved)
