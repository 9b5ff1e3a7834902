"""How long does a step of the optimiser take, and which part? ``python -m benchmarks.learning``.

Random samples of a game, in a replay buffer on disk. Parts are measured one after another, on a GPU
each waited for. "draw and step" is what training does, but there the two overlap.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

import hansu
from hansu.learning.evaluator import pick_device
from hansu.learning.learner import Learner
from hansu.learning.network import make_network
from hansu.learning.optimiser import make_optimiser
from hansu.learning.replay_buffer import TRAINING, ReplayBuffer, sample_type
from hansu.learning.settings import preset


def milliseconds(run: Callable[[], Any], device: torch.device, times: int) -> float:
    """Return how long something takes, after two runs to warm up."""
    for number in range(times + 2):
        if number == 2:
            begin = time.perf_counter()
        run()
        if device.type == "cuda":
            torch.cuda.synchronize()
    return 1e3 * (time.perf_counter() - begin) / times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--batch", type=int, help="samples in a step (default: the preset's)")
    parser.add_argument("--times", type=int, default=30)
    options = parser.parse_args()
    device, game = pick_device(options.device), hansu.game(options.game)
    settings = preset(game, "modern", device.type == "cuda")
    features, kind = game.features, sample_type(game.features)
    rng, batch = np.random.default_rng(1), options.batch or settings.batch
    with tempfile.TemporaryDirectory() as folder:
        buffer = ReplayBuffer(Path(folder), kind, 2_000_000)
        for _ in range(8):
            samples = np.frombuffer(rng.bytes(20_000 * kind.itemsize), kind).copy()
            samples["reward"], samples["done"] = 0, False
            buffer.add([samples, samples])
        network: Any = make_network(settings.network, features).to(device)
        if device.type == "cuda":
            network.to(memory_format=torch.channels_last)
        optimiser = make_optimiser(network, settings)
        learner = Learner(features, network, optimiser, device, historic=False)
        drawn = buffer.draw(TRAINING, batch, rng)
        parts: dict[str, Callable[[], Any]] = {
            "draw samples": lambda: buffer.draw(TRAINING, batch, rng),
            "draw symmetries": lambda: learner.batches.drawn(drawn, rng),
            "step": lambda: learner(drawn, rng),
            "optimiser": optimiser.step,
            "draw and step": lambda: learner(buffer.draw(TRAINING, batch, rng), rng),
        }
        print(f"{game}, {settings.network}, {batch} samples on {device}")
        for name, run in parts.items():
            print(f"{name:<18} {milliseconds(run, device, options.times):8.2f} ms", flush=True)


if __name__ == "__main__":
    main()
