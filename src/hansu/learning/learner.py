"""One step of the optimiser on some samples; on a GPU a captured CUDA graph.

A small network's step is hundreds of short kernels: launched one by one they take five times as
long as the card needs for them. The graph holds all from the packed samples to the gradients.
Batches are copied through pinned memory in turns, so that the CPU draws the next one meanwhile.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from hansu.games.features import Features
from hansu.learning.evaluator import WARM_UP_RUNS, mixed_precision
from hansu.learning.loss import Batches, auxiliary_loss, losses
from hansu.learning.network import Network, Residual
from hansu.learning.replay_buffer import Samples

TURNS = 2  # batches in pinned memory


class Learner:
    """Fits a network to samples, which all calls give in the same number."""

    def __init__(
        self,
        features: Features,
        network: Network,
        optimiser: torch.optim.Optimizer,
        device: torch.device,
        historic: bool,
        search_share: float = 0.0,  # of the value to learn
        auxiliary: tuple[float, float] = (0.0, 0.0),  # weights: of ownership, of moves left
    ) -> None:
        self.network, self.optimiser, self.device = network, optimiser, device
        self.historic, self.search_share = historic, search_share
        self.auxiliary = auxiliary
        self.batches = Batches(features, device)
        self._graph: Any = None
        self._inputs: dict[str, Tensor] = {}  # the graph keeps only their addresses
        self._found: Tensor | None = None
        self._pinned: list[dict[str, Tensor]] = []
        self._copied: list[Any] = []
        self._turn = 0

    def __call__(self, samples: Samples, symmetries: np.random.Generator | None) -> Tensor:
        """Do one step; return [4] the loss, of policy and of value, and the entropy.

        With ``symmetries`` each sample is turned by a random one.
        """
        self.network.train()
        drawn = self.batches.drawn(samples, symmetries)
        found = self._replayed(drawn) if self.device.type == "cuda" else self._gradients(drawn)
        self.optimiser.step()
        return found

    def _gradients(self, drawn: dict[str, Tensor]) -> Tensor:
        self.optimiser.zero_grad(set_to_none=True)
        batch = self.batches.made(drawn, self.search_share)
        with mixed_precision(self.device):
            if isinstance(self.network, Residual) and any(self.auxiliary):
                logits, values, more = self.network.with_auxiliary(batch.planes, batch.vector)
                found = losses(logits, values, batch, self.historic)
                total = found.total + auxiliary_loss(more, batch, *self.auxiliary)
            else:
                logits, values = self.network(batch.planes, batch.vector)
                found = losses(logits, values, batch, self.historic)
                total = found.total
        total.backward()
        return torch.stack([total.detach(), found.policy, found.value, found.entropy])

    def _replayed(self, drawn: dict[str, Tensor]) -> Tensor:
        if self._graph is None:
            self._prepare(drawn)
        self._turn = (self._turn + 1) % TURNS
        self._copied[self._turn].synchronize()  # the card has read what was there before
        for name, numbers in drawn.items():
            self._pinned[self._turn][name].copy_(numbers)
            self._inputs[name].copy_(self._pinned[self._turn][name], non_blocking=True)
        self._copied[self._turn].record()
        self._graph.replay()
        assert self._found is not None
        return self._found.clone()

    def _prepare(self, drawn: dict[str, Tensor]) -> None:
        """Capture the graph; the network stays as it is."""
        self._inputs = {name: numbers.to(self.device) for name, numbers in drawn.items()}
        for _ in range(TURNS):
            self._pinned.append({name: each.clone().pin_memory() for name, each in drawn.items()})
            self._copied.append(torch.cuda.Event())
        buffers = [each.clone() for each in self.network.buffers()]
        with torch.backends.cudnn.flags(enabled=True, benchmark=True):  # type: ignore[no-untyped-call]
            self._off_stream(lambda: [self._gradients(self._inputs) for _ in range(WARM_UP_RUNS)])
            self._graph = torch.cuda.CUDAGraph()
            self.optimiser.zero_grad(set_to_none=True)
            with torch.cuda.graph(self._graph):
                self._found = self._gradients(self._inputs)
        with torch.no_grad():
            for each, before in zip(self.network.buffers(), buffers, strict=True):
                each.copy_(before)

    def _off_stream(self, run: Callable[[], Any]) -> None:
        """Run in a stream that is not the default one, as a capture does."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            run()
        torch.cuda.current_stream().wait_stream(stream)
