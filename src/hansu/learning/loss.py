"""The loss: cross-entropy to the search's policy and squared error to the results."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from hansu.games.features import Features
from hansu.learning.unpacker import Unpacker

ILLEGAL = -100.0  # the logit of an action that is not legal
VALUE_SHARE = 0.02  # of the historic loss


@dataclass(frozen=True)
class Batch:
    """Samples as a network takes them."""

    planes: Tensor
    vector: Tensor
    legal: Tensor  # [n, actions] bool
    policy: Tensor  # [n, actions] π: the share of the visits
    reward: Tensor  # [n] in [-1, 1]


@dataclass(frozen=True)
class Losses:
    """The loss and its parts."""

    total: Tensor
    policy: Tensor  # cross-entropy, summed over the actions
    value: Tensor  # mean squared error
    entropy: Tensor  # of the network's policy


def losses(logits: Tensor, values: Tensor, batch: Batch, historic: bool) -> Losses:
    """Return the loss of a batch.

    Historic: ``-(π · log p)`` averaged over batch *and outputs*, and 0.02 times the mean of
    ``(r - v)²``; otherwise the sum over the outputs, and the mean squared error as it is. Weight
    decay is the optimiser's.
    """
    log_p = F.log_softmax(logits.float().masked_fill(~batch.legal, ILLEGAL), 1)
    policy = -(batch.policy * log_p).sum(1).mean()
    value = (batch.reward - values.float()).square().mean()
    entropy = -(log_p.exp() * log_p).sum(1).mean().detach()
    total = policy / logits.shape[1] + VALUE_SHARE * value if historic else policy + value
    return Losses(total, policy.detach(), value.detach(), entropy)


class Batches:
    """Makes batches on a device from samples of the replay buffer."""

    def __init__(self, features: Features, device: torch.device) -> None:
        self.device = device
        self._unpack = Unpacker(features, device)
        self._shape = features.shape
        self._cells = torch.from_numpy(np.stack([s.cells for s in features.symmetries])).to(device)
        self._turned = torch.from_numpy(np.stack([s.actions for s in features.symmetries])).to(
            device
        )
        action = torch.arange(features.actions, device=device)
        self._word, self._bit = action // 64, action % 64

    def __call__(self, samples: Any, symmetries: np.random.Generator | None = None) -> Batch:
        """Return a batch; with ``symmetries`` each sample is turned by a random symmetry."""
        seen, legal_words = (self._to_device(samples[name]) for name in ("seen", "legal"))
        planes, vector = self._unpack(seen)
        legal = legal_words[:, self._word].bitwise_right_shift(self._bit).bitwise_and(1).bool()
        visits = torch.from_numpy(samples["visits"].astype(np.float32)).to(self.device)
        policy = visits / visits.sum(1, keepdim=True).clamp(min=1)
        reward = torch.from_numpy(samples["reward"].astype(np.float32)).to(self.device)
        if symmetries is not None and len(self._cells) > 1:
            which = torch.from_numpy(symmetries.integers(len(self._cells), size=len(samples)))
            which = which.to(self.device)
            cells = self._cells[which][:, None, :].expand(-1, self._shape[0], -1)
            planes = planes.flatten(2).gather(2, cells).reshape(planes.shape)
            policy = policy.gather(1, self._turned[which])
            legal = legal.gather(1, self._turned[which])
        return Batch(planes, vector, legal, policy, reward)

    def _to_device(self, words: Any) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(words).view(np.int64)).to(self.device)
