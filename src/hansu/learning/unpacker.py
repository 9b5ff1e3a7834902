"""Packed positions as the inputs of a network, on the device where the network is."""

import numpy as np
import torch
from torch import Tensor

from hansu.games.features import Features


class Unpacker:
    """Packed words -> planes and vector, on the device where the network is."""

    def __init__(self, features: Features, device: torch.device) -> None:
        assert features.packing is not None
        packing = features.packing
        self.shape, self.cells = features.shape, int(np.prod(features.shape))
        self.word, self.shift, self.mask, self.scale = (
            torch.from_numpy(numbers).to(device)
            for numbers in (packing.word, packing.shift, packing.mask, packing.scale)
        )

    def __call__(self, words: Tensor, kind: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
        """Do the same as ``Packing.unpack``, and return the two inputs of a network."""
        bits = words[:, self.word].bitwise_right_shift(self.shift).bitwise_and(self.mask)
        numbers = bits.to(kind) * self.scale.to(kind)
        planes = numbers[:, : self.cells].reshape(-1, *self.shape)
        return planes, numbers[:, self.cells :]
