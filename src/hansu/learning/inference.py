"""Networks that only answer: as they are on a CPU, rearranged on a GPU.

On a GPU, in half precision, what a residual tower costs beside its 3x3 convolutions is small: bias,
ReLU and the residual are part of the convolution; inputs are unpacked straight into padded
channels; both heads are one matrix product over the cells as they lie in memory.
"""

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from hansu.games.features import Features
from hansu.learning.network import Network, Residual, folded
from hansu.learning.unpacker import Unpacker

HALF = 32  # bits
CHANNELS = 8  # inputs are padded to a multiple: matrix units take no fewer


class Inference:
    """Evaluates packed positions: ``network(words, answers)`` fills ``answers``.

    Its weights are changed in place: a CUDA graph has their addresses.
    """

    def __init__(self, features: Features, network: Network, device: torch.device) -> None:
        self.kind = torch.float16 if device.type == "cuda" else torch.float32
        self._weights = self._arranged(network, device)

    def load(self, network: Network) -> None:
        """Evaluate with the weights of this network from now on; it has the same shape."""
        with torch.inference_mode():
            arranged = self._arranged(network, next(iter(self._weights.values())).device)
            for name, weights in self._weights.items():
                weights.copy_(arranged[name])

    def __call__(self, words: Tensor, answers: Tensor) -> None:
        """Write logits and value of every position."""
        raise NotImplementedError

    def _arranged(self, network: Network, device: torch.device) -> dict[str, Tensor]:
        """Return the weights as they are used."""
        raise NotImplementedError


class PlainInference(Inference):
    """Any network, as it is."""

    def __init__(self, features: Features, network: Network, device: torch.device) -> None:
        self._unpack = Unpacker(features, device)
        self._network = folded(network).to(device)
        super().__init__(features, network, device)
        layout = torch.channels_last if device.type == "cuda" else torch.contiguous_format
        self._layout = layout
        self._network.to(self.kind).to(memory_format=layout)  # type: ignore[call-overload]
        self._network.requires_grad_(False)
        self._weights = dict(self._network.named_parameters())

    def __call__(self, words: Tensor, answers: Tensor) -> None:
        """Write logits and value of every position."""
        planes, vector = self._unpack(words, self.kind)
        logits, values = self._network(planes.contiguous(memory_format=self._layout), vector)
        answers[:, :-1].copy_(logits)
        answers[:, -1].copy_(values)

    def _arranged(self, network: Network, device: torch.device) -> dict[str, Tensor]:
        return {name: each.to(device) for name, each in folded(network).named_parameters()}


class TowerInference(Inference):
    """A residual tower."""

    def __init__(self, features: Features, network: Residual, device: torch.device) -> None:
        assert features.packing is not None
        self.blocks, self.actions = len(network.blocks), features.actions
        planes, self.height, self.width = features.shape
        self.inputs = -(-(planes + features.vector_size) // CHANNELS) * CHANNELS
        places, is_used = _channels_last(features, self.inputs)
        packing = features.packing
        # Words are read as halves of 32 bits: a word that is a number is a small one.
        word = 2 * packing.word + packing.shift // HALF
        self._word, self._shift, self._mask, self._scale = (
            torch.from_numpy(numbers[places]).to(device)
            for numbers in (word, packing.shift % HALF, packing.mask, packing.scale)
        )
        self._mask *= torch.from_numpy(is_used).to(device)
        self._shift, self._mask = self._shift.to(torch.int32), self._mask.to(torch.int32)
        self._scaled = bool((packing.scale != 1).any())
        super().__init__(features, network, device)
        self._scale = self._scale.to(self.kind)

    def __call__(self, words: Tensor, answers: Tensor) -> None:
        """Write logits and value of every position."""
        weights = self._weights
        x = _convolved(self._unpacked(words), weights, "stem")
        for block in range(self.blocks):
            y = _convolved(x, weights, f"{block}.first")
            x = _convolved(y, weights, f"{block}.second", x)
        head = _convolved(x, weights, "head").permute(0, 2, 3, 1).flatten(1)
        both = torch.addmm(weights["both.bias"], head, weights["both.weight"])
        hidden = both[:, self.actions :].relu()
        value = torch.addmm(weights["value.bias"], hidden, weights["value.weight"])
        answers[:, :-1].copy_(both[:, : self.actions])
        answers[:, -1:].copy_(value.tanh_())

    def _unpacked(self, words: Tensor) -> Tensor:
        """Return the inputs [n, channels, height, width], the channels of a cell side by side."""
        halves = words.contiguous().view(torch.int32)
        bits = halves[:, self._word].bitwise_right_shift_(self._shift).bitwise_and_(self._mask)
        numbers = bits.to(self.kind)
        if self._scaled:
            numbers *= self._scale
        return numbers.view(-1, self.height, self.width, self.inputs).permute(0, 3, 1, 2)

    def _arranged(self, network: Network, device: torch.device) -> dict[str, Tensor]:
        ready: Any = folded(network).to(device)
        found: dict[str, Tensor] = {}

        def add(name: str, layer: Any, weight: Tensor) -> None:
            kept = weight.to(self.kind)
            is_kernel = weight.ndim == 4
            layout = torch.channels_last if is_kernel else torch.contiguous_format
            found[f"{name}.weight"] = kept.contiguous(memory_format=layout)
            found[f"{name}.bias"] = layer.bias.to(self.kind)

        with torch.inference_mode(False), torch.no_grad():
            stem = ready.stem.weight
            add("stem", ready.stem, F.pad(stem, (0, 0, 0, 0, 0, self.inputs - stem.shape[1])))
            for number, block in enumerate(ready.blocks):
                add(f"{number}.first", block.first, block.first.weight)
                add(f"{number}.second", block.second, block.second.weight)
            add("head", ready.head, ready.head.weight)
            narrow, cells = ready.head.weight.shape[0] // 2, self.height * self.width
            found["both.weight"] = _both_heads(ready, narrow, cells).to(self.kind).contiguous()
            bias = torch.cat([ready.policy.bias, ready.value[0].bias])
            found["both.bias"] = bias.to(self.kind)
            add("value", ready.value[2], ready.value[2].weight.T)
        return found


def make_inference(features: Features, network: Network, device: torch.device) -> Inference:
    """Return a network for inference on a device."""
    if device.type == "cuda" and isinstance(network, Residual):
        return TowerInference(features, network, device)
    return PlainInference(features, network, device)


def _channels_last(features: Features, inputs: int) -> tuple[Any, Any]:
    """Return [cells * inputs] which of the packed numbers each input is, and whether it is one."""
    planes, height, width = features.shape
    cells = height * width
    cell, channel = np.divmod(np.arange(cells * inputs), inputs)
    is_plane = channel < planes
    place = np.where(is_plane, channel * cells + cell, planes * cells + channel - planes)
    is_used = channel < planes + features.vector_size
    return np.where(is_used, place, 0), is_used


def _both_heads(ready: Any, narrow: int, cells: int) -> Tensor:
    """Return one matrix for both linear layers, its rows in the order of cells, then channels."""
    parts = []
    for number, layer in enumerate((ready.policy, ready.value[0])):
        weight = layer.weight.view(-1, narrow, cells)
        whole = weight.new_zeros(weight.shape[0], 2 * narrow, cells)
        whole[:, number * narrow : (number + 1) * narrow] = weight
        parts.append(whole.transpose(1, 2).flatten(1))
    return torch.cat(parts).T


def _convolved(
    x: Tensor, weights: dict[str, Tensor], name: str, residual: Tensor | None = None
) -> Tensor:
    """Return relu(convolution + bias [+ residual]), one kernel on a card."""
    weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    padding = [weight.shape[2] // 2, weight.shape[3] // 2]
    if not x.is_cuda:
        y = F.conv2d(x, weight, bias, padding=padding)
        return (y if residual is None else y.add_(residual)).relu_()
    where = ([1, 1], padding, [1, 1], 1)
    if residual is None:
        return torch.cudnn_convolution_relu(x, weight, bias, *where)
    return torch.cudnn_convolution_add_relu(x, weight, residual, 1.0, bias, *where)
