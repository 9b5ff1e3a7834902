"""A network that answers the leaves of a search, on a CPU or a GPU.

On a GPU the positions go over as packed words and are unpacked there; unpacking and network are one
CUDA graph, buffers are pinned, and nothing waits: ``launch`` returns at once, ``wait`` is for the
answers. So the CPU searches one group of games while the GPU answers another.
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
    """The device to use: a GPU where there is one."""
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
        """The same as ``Packing.unpack``, as the two inputs of a network."""
        bits = words[:, self.word].bitwise_right_shift(self.shift).bitwise_and(self.mask)
        numbers = bits.to(kind) * self.scale.to(kind)
        planes = numbers[:, : self.cells].reshape(-1, *self.shape)
        return planes, numbers[:, self.cells :]


class NetworkEvaluator:
    """A network's answers to a batch of fixed size.

    Fill ``leaves``, launch, wait, read ``answers``.
    """

    leaves: NDArray[np.uint64]
    answers: NDArray[np.float32]

    def __init__(self, features: Features, batch: int, device: torch.device) -> None:
        assert features.packing is not None
        self.device, self.batch = device, batch
        self._unpack = Unpacker(features, device)
        pinned = device.type == "cuda"
        self._asked = torch.zeros((batch, features.packing.words), dtype=torch.int64)
        self._told = torch.zeros((batch, features.actions + 1), dtype=torch.float32)
        if pinned:
            self._asked, self._told = self._asked.pin_memory(), self._told.pin_memory()
        self.leaves = self._asked.numpy().view(np.uint64)
        self.answers = self._told.numpy()
        self._answer: Callable[[int], None] = lambda count: None
        self._done: Any = None
        self._ready: Network | None = None

    def use(self, network: Network) -> None:
        """Answer with this network from now on (its weights are copied); all must be alike."""
        ready = folded(network).to(self.device)
        self.wait()
        if self._ready is not None:  # in place: a CUDA graph knows where the weights are
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
        """Begin to answer what is in ``leaves``, or the first so many; a GPU answers all anyway."""
        self._answer(self.batch if count is None else count)

    def wait(self) -> None:
        """Until the answers are there."""
        if self._done is not None:
            self._done.synchronize()

    def __call__(self, leaves: NDArray[np.uint64]) -> NDArray[np.float32]:
        """The answers to some positions, no more than the batch."""
        self.leaves[: len(leaves)] = leaves
        self.launch(len(leaves))
        self.wait()
        return self.answers[: len(leaves)].copy()

    def _on_cpu(self, ready: Network) -> Callable[[int], None]:
        def answer(count: int) -> None:
            with torch.inference_mode():
                logits, values = ready(*self._unpack(self._asked[:count]))
                self._told[:count, :-1] = logits
                self._told[:count, -1] = values

        return answer

    def _on_gpu(self, ready: Network) -> Callable[[int], None]:
        """One CUDA graph: copy in, unpack, network in half precision, copy out."""
        # The graph knows only the addresses of these: they must live as long as it does.
        asked = torch.zeros_like(self._asked, device=self.device)
        told = torch.zeros_like(self._told, device=self.device)
        self._on_device = (asked, told)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())

        def run() -> None:
            asked.copy_(self._asked, non_blocking=True)
            planes, vector = self._unpack(asked, torch.float16)
            planes = planes.contiguous(memory_format=torch.channels_last)
            logits, values = ready(planes, vector)
            told[:, :-1].copy_(logits)
            told[:, -1].copy_(values)
            self._told.copy_(told, non_blocking=True)

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
    """Train in bfloat16 where the device is good at it."""
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        yield
