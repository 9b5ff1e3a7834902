"""The loss: cross-entropy to the search's policy and squared error to the results."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from hansu.games.features import Features
from hansu.learning.network import MANY_MOVES, Auxiliary
from hansu.learning.trajectories import MOST_VISITS
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
    owners: Tensor | None = None  # [n, cells] 1 mine, -1 theirs, 0 nobody's at the end
    left: Tensor | None = None  # [n] turns


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


def auxiliary_loss(found: Auxiliary, batch: Batch, ownership: float, moves_left: float) -> Tensor:
    """Return the weighted loss of auxiliary targets, over the samples where they are known."""
    total = found.left.new_zeros(())
    if batch.owners is not None and ownership:
        error = (found.owners.float() - batch.owners).square().mean(1)
        error = error + (found.score.float() - batch.owners.mean(1)).square()
        total = total + ownership * _mean_where(batch.owners.any(1), error)
    if batch.left is not None and moves_left:
        error = F.huber_loss(found.left / MANY_MOVES, batch.left / MANY_MOVES, reduction="none")
        total = total + moves_left * _mean_where(batch.left > 0, error)
    return total


def _mean_where(known: Tensor, numbers: Tensor) -> Tensor:
    return (known * numbers).sum() / known.sum().clamp(min=1)


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
        cell = torch.arange(features.cells, device=device)
        self._cell_word, self._cell_bit = cell // 64, cell % 64

    def __call__(self, samples: Any, symmetries: np.random.Generator | None = None) -> Batch:
        """Return a batch; with ``symmetries`` each sample is turned by a random symmetry."""
        drawn = self.drawn(samples, symmetries)
        return self.made({name: numbers.to(self.device) for name, numbers in drawn.items()})

    def drawn(self, samples: Any, symmetries: np.random.Generator | None) -> dict[str, Tensor]:
        """Return what a batch is made of, on the CPU."""
        names = ("seen", "legal", "visits", "value", "reward")
        more = [name for name in ("owners", "left") if name in samples.dtype.names]
        found = {name: _tensor(samples[name]) for name in (*names, *more)}
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
        owners = self._owners(drawn["owners"]) if "owners" in drawn else None
        left = drawn["left"].float() if "left" in drawn else None
        if (which := drawn.get("symmetry")) is not None:
            if owners is not None:
                owners = owners.gather(1, self._cells[which])
            cells = self._cells[which][:, None, :].expand(-1, self._shape[0], -1)
            planes = planes.flatten(2).gather(2, cells).reshape(planes.shape)
            policy = policy.gather(1, self._turned[which])
            legal = legal.gather(1, self._turned[which])
        reward = drawn["reward"].float().lerp(drawn["value"], search_share)
        return Batch(planes, vector, legal, policy, reward, owners, left)

    def _owners(self, words: Tensor) -> Tensor:
        """Return [n, cells]: 1 where a cell is in the first set, -1 where it is in the second."""
        mine, theirs = (
            half[:, self._cell_word].bitwise_right_shift(self._cell_bit).bitwise_and(1)
            for half in words.chunk(2, 1)
        )
        return (mine - theirs).float()


def _tensor(numbers: Any) -> Tensor:
    """Return a copy of some numbers; unsigned ones as signed, which is all that PyTorch adds."""
    whole = np.ascontiguousarray(numbers)
    return torch.from_numpy(whole.view(f"i{whole.itemsize}") if whole.dtype.kind == "u" else whole)
