"""The optimiser of a training run."""

from typing import Any

import torch

from hansu.learning.network import Network
from hansu.learning.settings import TrainingSettings

WEIGHT_DECAY = 1e-4
WARM_UP_STEPS = 20  # of AdamW: its first steps are as long as all others, whatever the gradient is


def make_optimiser(network: Network, settings: TrainingSettings) -> torch.optim.Optimizer:
    """Return SGD with momentum for the historic recipe, else AdamW."""
    weights, rate = network.parameters(), settings.control.learning_rate
    if settings.historic:
        return torch.optim.SGD(weights, lr=rate, momentum=0.9, weight_decay=WEIGHT_DECAY)
    on_gpu = next(network.parameters()).is_cuda
    return torch.optim.AdamW(weights, lr=rate, weight_decay=WEIGHT_DECAY, fused=on_gpu)


def set_rate(optimiser: torch.optim.Optimizer, rate: float, step: int) -> None:
    """Set the learning rate for a step, counted from 1.

    On a large board the first full step would drive every value to 1 or -1, where tanh is flat: the
    value would never be learnt. SGD, whose steps shrink with the gradient, needs no warm-up.
    """
    is_warm = isinstance(optimiser, torch.optim.SGD) or step >= WARM_UP_STEPS
    for group in optimiser.param_groups:
        group["lr"] = rate if is_warm else rate * step / WARM_UP_STEPS


def restore(optimiser: torch.optim.Optimizer, saved: dict[str, Any]) -> None:
    """Continue with a saved state, also of another kind of machine."""
    for group, own in zip(saved["param_groups"], optimiser.param_groups, strict=True):
        group["fused"] = own.get("fused")
    optimiser.load_state_dict(saved)
