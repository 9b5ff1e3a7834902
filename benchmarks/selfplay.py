"""How fast is self-play? ``python -m benchmarks.selfplay`` measures it beside its own network.

For each game: how many positions a second the network alone answers, how many simulations a second
self-play makes with it, and what Pgx + mctx did on one H200 with a network of the same size
(recorded; they are not part of the run). Needs PyTorch, Numba and NumPy; prints plain text.

    python -m benchmarks.selfplay                              # on a GPU
    python -m benchmarks.selfplay --batch 64 --seconds 2 --only connect4    # a smoke test on a CPU
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

# Compiled code goes where it can be written on any machine, without asking for one more package.
os.environ.setdefault("HANSU_CACHE_DIR", os.path.join(tempfile.gettempdir(), "hansu-kernels"))
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # as hansu.learning does; "active" may be tried

import numba
import torch

import hansu
from hansu.games.features import Features
from hansu.learning.evaluator import pick_device
from hansu.learning.finished_games import FinishedGames
from hansu.learning.inference import make_inference
from hansu.learning.network import make_network
from hansu.learning.play_groups import CardGroup, CpuGroup
from hansu.learning.playing import plays_on_card
from hansu.learning.self_play import SelfPlayOptions
from hansu.search.puct import PuctParams

Group = CpuGroup | CardGroup


@dataclass(frozen=True)
class Case:
    """A game, its network, and what is expected of one H200; mctx was recorded there."""

    game: str
    network: str
    mctx: float  # Pgx + mctx, simulations a second
    must: float  # simulations a second
    goal: float


CASES = (
    Case("connect4", "R64x5", 2.06e6, 5.0e6, 6.5e6),
    Case("othello", "R96x6", 0.65e6, 1.9e6, 2.3e6),
    Case("go", "R96x6", 0.66e6, 1.4e6, 1.9e6),
    Case("microchess", "R64x3", 0.31e6, 12e6, 20e6),
    Case("tictactoe", "R32x2", 0.0, 0.0, 0.0),
)


def network_rate(
    features: Features, case: Case, batch: int, device: torch.device, seconds: float
) -> float:
    """Positions a second that the network answers when nobody else does anything."""
    network = make_inference(features, make_network(case.network, features), device)
    assert features.packing is not None
    words = torch.randint(-(2**62), 2**62, (batch, features.packing.words), device=device)
    answers = torch.zeros((batch, features.actions + 1), device=device)
    return batch * repeated(lambda: network(words, answers), device, seconds)


def tower_rate(case: Case, features: Features, batch: int, device: torch.device) -> float:
    """Positions a second of nothing but the tower's 3x3 convolutions and ReLUs."""
    channels, blocks = (int(number) for number in case.network[1:].split("x"))
    layers = 2 * blocks
    weights = [torch.randn(channels, channels, 3, 3, device=device) / 30 for _ in range(layers)]
    x = torch.randn(batch, channels, *features.shape[1:], device=device)
    kernels = [each.half().to(memory_format=torch.channels_last) for each in weights]
    start = x.half().to(memory_format=torch.channels_last)

    def run() -> None:
        y = start
        for weight in kernels:
            y = torch.nn.functional.conv2d(y, weight, padding=1).relu_()

    return batch * repeated(run, device, 0.5)


def repeated(run: Callable[[], None], device: torch.device, seconds: float) -> float:
    """How often a second something runs: on a card, from a captured graph."""
    with torch.inference_mode():
        if device.type == "cuda":
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream):
                for _ in range(3):
                    run()
                stream.synchronize()
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph, stream=stream):
                    for _ in range(8):
                        run()
        done, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < seconds:
            if device.type == "cuda":
                graph.replay()
                torch.cuda.synchronize()
            else:
                run()
            done += 8 if device.type == "cuda" else 1
        return done / (time.perf_counter() - begin)


def self_play_rate(groups: Sequence[Group], seconds: float) -> tuple[float, float, float]:
    """Simulations that asked the network, moves, and how many cores were busy meanwhile."""
    found, begin, used = FinishedGames(), time.perf_counter(), time.process_time()
    while time.perf_counter() - begin < seconds:
        for group in groups:
            group.advance(found)
    for group in groups:
        group.wait()
    spent = time.perf_counter() - begin
    return found.simulations / spent, found.samples / spent, (time.process_time() - used) / spent


def make_groups(
    features: Features, case: Case, options: argparse.Namespace, device: torch.device
) -> list[Group]:
    torch.manual_seed(1)
    network = make_network(case.network, features).to(device)
    play = SelfPlayOptions(options.simulations, 16, -2.0, 0.0)
    params = PuctParams(1.5, 32, 0.25, 0.5, 1)
    groups: list[Group] = []
    for seed in range(options.groups):
        how = (features, options.batch, play, params, seed, device)
        if options.search == "card":
            groups.append(CardGroup(*how, games_last=options.layout == "games-last"))
        else:
            groups.append(CpuGroup(*how))
        groups[-1].begin(network)
        groups[-1].launch()
    return groups


def measure(case: Case, options: argparse.Namespace, device: torch.device) -> str:
    features = hansu.game(case.game).features
    alone = network_rate(features, case, options.batch, device, options.seconds / 4)
    tower = tower_rate(case, features, options.batch, device) if device.type == "cuda" else 0.0
    groups = make_groups(features, case, options, device)
    # Games that all begin together also end together: let them spread first.
    self_play_rate(groups, options.seconds / 2)
    rate, moves, cores = self_play_rate(groups, options.seconds)
    aims = f"(must {case.must:,.0f}, goal {case.goal:,.0f})"
    peer = f"{rate / case.mctx:5.2f} x {aims}" if case.mctx else ""
    return (
        f"{case.game:<11} {case.network:<7} {tower:>13,.0f} {alone:>13,.0f} {rate:>13,.0f} "
        f"{rate / alone:>7.1%} {moves:>9,.0f} {cores:>6.1f}   {peer}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="*", help="games")
    parser.add_argument("--batch", type=int, help="games in a group (8192 on a GPU, 64 on a CPU)")
    parser.add_argument("--groups", type=int, help="3 on a GPU, 1 on a CPU")
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--search", choices=["cpu", "card"], help="who searches")
    parser.add_argument("--layout", choices=["games-first", "games-last"], default="games-first")
    parser.add_argument("--threads", type=int, help="cores that search")
    parser.add_argument("--device", default="auto")
    options = parser.parse_args()
    device = pick_device(options.device)
    on_gpu = device.type == "cuda"
    options.search = options.search or ("card" if plays_on_card(device) else "cpu")
    options.batch = options.batch or (8192 if on_gpu else 64)
    options.groups = options.groups or ({"card": 3, "cpu": 2}[options.search] if on_gpu else 1)
    if options.threads:
        numba.set_num_threads(options.threads)
    name = torch.cuda.get_device_name() if on_gpu else "CPU"
    print(
        f"{name}; the {options.search} searches; {options.groups} groups of "
        f"{options.batch} games, {options.simulations} simulations a move"
    )
    print("mctx: Pgx + mctx on one H200, recorded, not measured in this run")
    print(
        f"{'game':<11} {'network':<7} {'bare tower':>13} {'network alone':>13} {'self-play':>13} "
        f"{'share':>7} {'moves/s':>9} {'cores':>6}   against mctx"
    )
    for case in CASES:
        if options.only and case.game not in options.only:
            continue
        try:
            print(measure(case, options, device), flush=True)
        except ModuleNotFoundError as error:
            print(f"{case.game:<11} left out: the package {error.name} is missing", flush=True)


if __name__ == "__main__":
    main()
