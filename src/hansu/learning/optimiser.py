"""The optimiser of a training run."""

import torch

from hansu.learning.network import Network
from hansu.learning.settings import TrainingSettings

WEIGHT_DECAY = 1e-4


def make_optimiser(network: Network, settings: TrainingSettings) -> torch.optim.Optimizer:
    """Return SGD with momentum for the historic recipe, else AdamW."""
    weights, rate = network.parameters(), settings.control.learning_rate
    if settings.historic:
        return torch.optim.SGD(weights, lr=rate, momentum=0.9, weight_decay=WEIGHT_DECAY)
    return torch.optim.AdamW(weights, lr=rate, weight_decay=WEIGHT_DECAY)
