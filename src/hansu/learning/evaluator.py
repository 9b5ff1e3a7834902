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

from hansu.errors import HansuError
from hansu.games.features import Features
from hansu.learning.inference import Inference, make_inference
from hansu.learning.network import Network

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


class NetworkEvaluator:
    """Evaluates batches of a fixed size.

    Fill ``leaves``, launch, wait, read ``answers``.
    """

    leaves: NDArray[np.uint64]
    answers: NDArray[np.float32]

    def __init__(self, features: Features, batch: int, device: torch.device) -> None:
        assert features.packing is not None
        self.device, self.batch = device, batch
        self._features = features
        pinned = device.type == "cuda"
        self._inputs = torch.zeros((batch, features.packing.words), dtype=torch.int64)
        self._outputs = torch.zeros((batch, features.actions + 1), dtype=torch.float32)
        if pinned:
            self._inputs, self._outputs = self._inputs.pin_memory(), self._outputs.pin_memory()
        self.leaves = self._inputs.numpy().view(np.uint64)
        self.answers = self._outputs.numpy()
        self._answer: Callable[[int], None] = lambda count: None
        self._done: Any = None
        self._network: Inference | None = None

    def use(self, network: Network) -> None:
        """Evaluate with this network from now on (its weights are copied); all have one shape."""
        self.wait()
        if self._network is not None:
            self._network.load(network)
            if self.device.type == "cuda":
                torch.cuda.synchronize()  # the graph runs in a stream of its own
            return
        self._network = made = make_inference(self._features, network, self.device)
        self._answer = self._on_gpu(made) if self.device.type == "cuda" else self._on_cpu(made)

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

    def _on_cpu(self, network: Inference) -> Callable[[int], None]:
        def answer(count: int) -> None:
            with torch.inference_mode():
                network(self._inputs[:count], self._outputs[:count])

        return answer

    def _on_gpu(self, network: Inference) -> Callable[[int], None]:
        """Capture one CUDA graph: copy in, unpack, network in half precision, copy out."""
        # The graph keeps only their addresses: they must live as long as it does.
        inputs = torch.zeros_like(self._inputs, device=self.device)
        outputs = torch.zeros_like(self._outputs, device=self.device)
        self._on_device = (inputs, outputs)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())

        def run() -> None:
            inputs.copy_(self._inputs, non_blocking=True)
            network(inputs, outputs)
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
    on_gpu = device.type == "cuda"
    # Without a cache of cast weights: a CUDA graph must cast them in every replay.
    with torch.autocast(device.type, torch.bfloat16, enabled=on_gpu, cache_enabled=False):
        yield
