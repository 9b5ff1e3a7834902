"""Networks, by name.

    C64r6L1024r   six 3x3 convolutions of 64, then a linear layer of 1024: the historic network
    L1024r        a linear layer of 1024: the historic perceptron
    R64x5         a residual tower: 5 blocks of 64 channels, with policy and value heads

Inputs are planes [n, planes, height, width] and a vector [n, size], outputs the logits of all
actions and a value in [-1, 1] for the side to move.
"""

import copy
import re
from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from hansu.errors import HansuError
from hansu.games.features import Features

MANY_MOVES = 20.0  # a number of moves left that is 1 to the network

_RESIDUAL = re.compile(r"R([1-9]\d{0,3})x([1-9]\d?)")
_HISTORIC = re.compile(r"(?:C([1-9]\d{0,3})r([1-9]\d?))?(?:L([1-9]\d{0,4})r)")


class Network(nn.Module):
    """Planes and vector -> logits and value."""

    def __init__(self, name: str, features: Features) -> None:
        super().__init__()
        self.name = name
        self.shape, self.vector_size = features.shape, features.vector_size
        self.actions = features.actions

    def forward(self, planes: Tensor, vector: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits [n, actions] and the values [n]."""
        raise NotImplementedError


class Auxiliary(NamedTuple):
    """What a network learns beside policy and value, for the side to move; play does without."""

    owners: Tensor  # [n, cells] in [-1, 1]: who has each cell at the end
    score: Tensor  # [n] their mean
    left: Tensor  # [n] the moves that are left


class AuxiliaryHeads(nn.Module):
    """A number for each cell, and two of the whole board."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.owners = nn.Conv2d(channels, 1, 1)
        self.whole = nn.Linear(channels, 2)

    def forward(self, x: Tensor) -> Auxiliary:
        """Return what a tower's output says."""
        score, left = self.whole(x.mean((2, 3))).unbind(1)
        return Auxiliary(
            torch.tanh(self.owners(x)).flatten(1), torch.tanh(score), left * MANY_MOVES
        )


class Historic(Network):
    """Plain convolutions, one linear layer, two outputs."""

    def __init__(
        self, name: str, features: Features, channels: int, layers: int, width: int
    ) -> None:
        super().__init__(name, features)
        planes, height, across = features.shape
        body: list[nn.Module] = []
        for layer in range(layers):
            body += [nn.Conv2d(channels if layer else planes, channels, 3, padding=1), nn.ReLU()]
        self.body = nn.Sequential(*body, nn.Flatten())
        inputs = (channels if layers else planes) * height * across + features.vector_size
        self.hidden = nn.Sequential(nn.Linear(inputs, width), nn.ReLU())
        self.policy = nn.Linear(width, features.actions)
        self.value = nn.Linear(width, 1)

    def forward(self, planes: Tensor, vector: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits [n, actions] and the values [n]."""
        hidden = self.hidden(torch.cat([self.body(planes), vector], 1))
        return self.policy(hidden), torch.tanh(self.value(hidden)).squeeze(1)


class Block(nn.Module):
    """A residual block: two convolutions whose result is added to the input."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first, self.first_norm = _convolution(channels, channels)
        self.second, self.second_norm = _convolution(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        """Return the input plus its residual."""
        y = torch.relu(self.first_norm(self.first(x)))
        return torch.relu(x + self.second_norm(self.second(y)))


class Residual(Network):
    """A residual tower; each number of the vector becomes a constant plane."""

    def __init__(
        self, name: str, features: Features, channels: int, blocks: int, auxiliary: bool = False
    ) -> None:
        super().__init__(name, features)
        planes, height, width = features.shape
        narrow = min(32, channels)
        self.stem, self.stem_norm = _convolution(planes + features.vector_size, channels)
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        self.head, self.head_norm = _convolution(channels, 2 * narrow, size=1)
        self.policy = nn.Linear(narrow * height * width, features.actions)
        self.value = nn.Sequential(
            nn.Linear(narrow * height * width, channels), nn.ReLU(), nn.Linear(channels, 1)
        )
        self.auxiliary = AuxiliaryHeads(channels) if auxiliary else None

    def forward(self, planes: Tensor, vector: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits [n, actions] and the values [n]."""
        return self._answers(self._tower(planes, vector))

    def with_auxiliary(self, planes: Tensor, vector: Tensor) -> tuple[Tensor, Tensor, Auxiliary]:
        """Return the same and what the auxiliary heads say."""
        assert self.auxiliary is not None
        x = self._tower(planes, vector)
        return *self._answers(x), self.auxiliary(x)

    def _tower(self, planes: Tensor, vector: Tensor) -> Tensor:
        if self.vector_size:
            spread = vector[:, :, None, None].expand(-1, -1, *self.shape[1:])
            planes = torch.cat([planes, spread], 1)
        found: Tensor = self.blocks(torch.relu(self.stem_norm(self.stem(planes))))
        return found

    def _answers(self, x: Tensor) -> tuple[Tensor, Tensor]:
        head = torch.relu(self.head_norm(self.head(x)))
        policy, value = head.chunk(2, 1)  # one half of the channels for each
        logits = self.policy(policy.flatten(1))
        return logits, torch.tanh(self.value(value.flatten(1))).squeeze(1)


def _convolution(inputs: int, outputs: int, size: int = 3) -> tuple[nn.Conv2d, nn.BatchNorm2d]:
    layer = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)
    return layer, nn.BatchNorm2d(outputs)


def make_network(name: str, features: Features, auxiliary: bool = False) -> Network:
    """Return the network with a name, sized for a game; ``auxiliary`` heads are for training.

    >>> import hansu
    >>> network = make_network("L1024r", hansu.game("microchess").features)
    >>> sum(weights.numel() for weights in network.parameters())
    661905
    """
    if match := _RESIDUAL.fullmatch(name):
        return Residual(name, features, int(match[1]), int(match[2]), auxiliary)
    if match := _HISTORIC.fullmatch(name):
        if auxiliary:
            raise HansuError(f"{name} learns no auxiliary targets: a tower such as R64x5 is needed")
        channels, layers, width = (int(number or 0) for number in match.groups())
        return Historic(name, features, channels, layers, width)
    raise HansuError(f"{name!r} is not a network: R64x5, C64r6L1024r or L1024r is expected")


def folded(network: Network) -> Network:
    """Return a copy for inference: without auxiliary heads, and batch normalisation is folded."""
    ready = copy.deepcopy(network).eval()
    if isinstance(ready, Residual):
        ready.auxiliary = None
    for path, layer, norm in list(normalised(ready)):
        ready.set_submodule(path, fuse_conv_bn_eval(layer, norm))
        ready.set_submodule(f"{path}_norm", nn.Identity())
    return ready


def normalised(network: Network) -> Iterator[tuple[str, nn.Conv2d, nn.BatchNorm2d]]:
    """Yield every convolution that batch normalisation follows: its name, and both layers."""
    layers = dict(network.named_modules())
    for path, layer in layers.items():
        norm = layers.get(f"{path}_norm")
        if isinstance(layer, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
            yield path, layer, norm
