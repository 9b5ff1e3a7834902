"""Leaf evaluation by a network, on a CPU or a GPU.

Positions are copied to a GPU as packed words and unpacked there; unpacking and network are one CUDA
graph and buffers are pinned. ``launch`` returns at once and ``wait`` blocks until the answers are
there, so the CPU searches one group of games while the GPU evaluates another.
"""

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hansu.errors import HansuError
from hansu.games.features import Features
from hansu.learning.network import Network, folded

WARM_UP_RUNS = 3  # before a CUDA graph is captured


def pick_device(name: str = "auto") -> torch.device:
    """Return the device to use: a GPU where there is one."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        device = None
    if device is None or device.type not in ("cpu", "cuda"):
        raise HansuError(f"there is no device {name!r}: auto, cpu or cuda is expected")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise HansuError(f"there is no device {name!r} here: PyTorch finds no such GPU")
    return device


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


class NetworkEvaluator:
    """Evaluates batches of a fixed size.

    Fill ``leaves``, launch, wait, read ``answers``.
    """

    leaves: NDArray[np.uint64]
    answers: NDArray[np.float32]

    def __init__(self, features: Features, batch: int, device: torch.device) -> None:
        assert features.packing is not None
        self.device, self.batch = device, batch
        self._unpack = Unpacker(features, device)
        pinned = device.type == "cuda"
        self._inputs = torch.zeros((batch, features.packing.words), dtype=torch.int64)
        self._outputs = torch.zeros((batch, features.actions + 1), dtype=torch.float32)
        if pinned:
            self._inputs, self._outputs = self._inputs.pin_memory(), self._outputs.pin_memory()
        self.leaves = self._inputs.numpy().view(np.uint64)
        self.answers = self._outputs.numpy()
        self._answer: Callable[[int], None] = lambda count: None
        self._done: Any = None
        self._ready: Network | None = None

    def use(self, network: Network) -> None:
        """Evaluate with this network from now on (its weights are copied); all have one shape."""
        ready = folded(network).to(self.device)
        self.wait()
        if self._ready is not None:  # in place: a CUDA graph has the addresses of the weights
            with torch.inference_mode():
                for old, new in zip(self._ready.parameters(), ready.parameters(), strict=True):
                    old.copy_(new)
            if self.device.type == "cuda":
                torch.cuda.synchronize()  # the graph runs in a stream of its own
            return
        for weights in ready.parameters():
            weights.requires_grad_(False)
        if self.device.type == "cuda":
            ready = ready.half().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._ready = ready
        self._answer = self._on_gpu(ready) if self.device.type == "cuda" else self._on_cpu(ready)

    def launch(self, count: int | None = None) -> None:
        """Start to evaluate ``leaves``, or the first ``count``; a GPU evaluates all anyway."""
        self._answer(self.batch if count is None else count)

    def wait(self) -> None:
        """Wait until the answers are there."""
        if self._done is not None:
            self._done.synchronize()

    def __call__(self, leaves: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Return the answers for some positions, at most a batch."""
        self.leaves[: len(leaves)] = leaves
        self.launch(len(leaves))
        self.wait()
        return self.answers[: len(leaves)].copy()

    def _on_cpu(self, ready: Network) -> Callable[[int], None]:
        def answer(count: int) -> None:
            with torch.inference_mode():
                logits, values = ready(*self._unpack(self._inputs[:count]))
                self._outputs[:count, :-1] = logits
                self._outputs[:count, -1] = values

        return answer

    def _on_gpu(self, ready: Network) -> Callable[[int], None]:
        """Capture one CUDA graph: copy in, unpack, network in half precision, copy out."""
        # The graph keeps only their addresses: they must live as long as it does.
        inputs = torch.zeros_like(self._inputs, device=self.device)
        outputs = torch.zeros_like(self._outputs, device=self.device)
        self._on_device = (inputs, outputs)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())

        def run() -> None:
            inputs.copy_(self._inputs, non_blocking=True)
            planes, vector = self._unpack(inputs, torch.float16)
            planes = planes.contiguous(memory_format=torch.channels_last)
            logits, values = ready(planes, vector)
            outputs[:, :-1].copy_(logits)
            outputs[:, -1].copy_(values)
            self._outputs.copy_(outputs, non_blocking=True)

        graph = torch.cuda.CUDAGraph()
        with torch.inference_mode(), torch.cuda.stream(stream):
            for _ in range(WARM_UP_RUNS):
                run()
            stream.synchronize()
            with torch.cuda.graph(graph, stream=stream):
                run()
        done = torch.cuda.Event()

        def answer(count: int) -> None:
            with torch.cuda.stream(stream):
                graph.replay()
                done.record(stream)
            self._done = done

        return answer


@contextlib.contextmanager
def mixed_precision(device: torch.device) -> Any:
    """Train in bfloat16 on a GPU."""
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        yield
