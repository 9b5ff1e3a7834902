"""The loss: cross-entropy to the search's policy and squared error to the results."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from hansu.games.features import Features
from hansu.learning.self_play import MOST_VISITS
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
    reward: Tensor  # [n] in [-1, 1]: the value to learn


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
        drawn = self.drawn(samples, symmetries)
        return self.made({name: numbers.to(self.device) for name, numbers in drawn.items()})

    def drawn(self, samples: Any, symmetries: np.random.Generator | None) -> dict[str, Tensor]:
        """Return what a batch is made of, on the CPU."""
        names = ("seen", "legal", "visits", "value", "reward")
        found = {name: _tensor(samples[name]) for name in names}
        if symmetries is not None and len(self._cells) > 1:
            which = symmetries.integers(len(self._cells), size=len(samples))
            found["symmetry"] = torch.from_numpy(which)
        return found

    def made(self, drawn: dict[str, Tensor], search_share: float = 0.0) -> Batch:
        """Return a batch of what was drawn and copied to the device.

        ``search_share`` of the value to learn is what the search found, the rest is the result.
        """
        planes, vector = self._unpack(drawn["seen"])
        legal_words = drawn["legal"][:, self._word]
        legal = legal_words.bitwise_right_shift(self._bit).bitwise_and(1).bool()
        visits = drawn["visits"].to(torch.int32).bitwise_and(MOST_VISITS).float()
        policy = visits / visits.sum(1, keepdim=True).clamp(min=1)
        if (which := drawn.get("symmetry")) is not None:
            cells = self._cells[which][:, None, :].expand(-1, self._shape[0], -1)
            planes = planes.flatten(2).gather(2, cells).reshape(planes.shape)
            policy = policy.gather(1, self._turned[which])
            legal = legal.gather(1, self._turned[which])
        reward = drawn["reward"].float().lerp(drawn["value"], search_share)
        return Batch(planes, vector, legal, policy, reward)


def _tensor(numbers: Any) -> Tensor:
    """Return a copy of some numbers; unsigned ones as signed, which is all that PyTorch adds."""
    whole = np.ascontiguousarray(numbers)
    return torch.from_numpy(whole.view(f"i{whole.itemsize}") if whole.dtype.kind == "u" else whole)
