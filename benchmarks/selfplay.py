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
from dataclasses import dataclass

# Compiled code goes where it can be written on any machine, without asking for one more package.
os.environ.setdefault("HANSU_CACHE_DIR", os.path.join(tempfile.gettempdir(), "hansu-kernels"))
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # as hansu.learning does; "active" may be tried

import numba
import torch

import hansu
from hansu.games.features import Features
from hansu.learning.evaluator import NetworkEvaluator, pick_device
from hansu.learning.network import make_network
from hansu.learning.self_play import SelfPlay, SelfPlayOptions
from hansu.search.puct import PuctParams


@dataclass(frozen=True)
class Case:
    """A game, its network, and the recorded figures on one H200 (batch 1,024; 64 simulations)."""

    game: str
    network: str
    mctx: float  # Pgx + mctx, simulations a second
    alone: float  # the network alone, half precision, batch 8,192
    must: float  # times mctx
    goal: float  # share of the network alone; times mctx where it is above 1


CASES = (
    Case("connect4", "R64x5", 2.1e6, 4.4e6, 1.7, 0.95),
    Case("othello", "R96x6", 0.65e6, 1.9e6, 2.0, 0.95),
    Case("go", "R96x6", 0.66e6, 1.5e6, 1.5, 0.90),
    Case("microchess", "R64x3", 0.31e6, 13e6, 8.0, 20.0),
    Case("tictactoe", "R32x2", 0.0, 0.0, 0.0, 0.0),
)


def network_rate(evaluators: list[NetworkEvaluator], seconds: float) -> float:
    """Positions a second that the network answers when nobody else does anything."""
    for evaluator in evaluators:
        evaluator.launch()
    for evaluator in evaluators:
        evaluator.wait()
    done, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        for evaluator in evaluators:
            evaluator.wait()
            evaluator.launch()
            done += evaluator.batch
    for evaluator in evaluators:
        evaluator.wait()
    return done / (time.perf_counter() - begin)


def self_play_rate(
    groups: list[tuple[SelfPlay, NetworkEvaluator]], seconds: float
) -> tuple[float, float, float]:
    """Simulations that asked the network, moves, and the share of the time the CPU searched."""
    done, moves, searching, begin = 0, 0, 0.0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        for group, evaluator in groups:
            evaluator.wait()
            then = time.perf_counter()
            done += group.step()
            over = group.finished()
            if over:
                moves += int(group.trajectories.turns[over].sum())
                group.restart()
            searching += time.perf_counter() - then
            evaluator.launch()
    for _, evaluator in groups:
        evaluator.wait()
    spent = time.perf_counter() - begin
    return done / spent, moves / spent, searching / spent


def make_groups(
    features: Features, case: Case, options: argparse.Namespace, device: torch.device
) -> list[tuple[SelfPlay, NetworkEvaluator]]:
    torch.manual_seed(1)
    network = make_network(case.network, features).to(device)
    play = SelfPlayOptions(options.simulations, 16, -2.0, 0.0)
    params = PuctParams(1.5, 32, 0.25, 0.5, 1)
    groups = []
    for seed in range(options.groups):
        games = SelfPlay(features, options.batch, play, params, seed)
        evaluator = NetworkEvaluator(features, options.batch, device)
        games.use_buffers(evaluator.leaves, evaluator.answers)
        evaluator.use(network)
        games.step()
        evaluator.launch()
        groups.append((games, evaluator))
    return groups


def measure(case: Case, options: argparse.Namespace, device: torch.device) -> str:
    groups = make_groups(hansu.game(case.game).features, case, options, device)
    # Games that all begin together also end together: let them spread first.
    self_play_rate(groups, options.seconds / 2)
    alone = network_rate([evaluator for _, evaluator in groups], options.seconds)
    rate, moves, searching = self_play_rate(groups, options.seconds)
    peer = f"{rate / case.mctx:5.2f} x (must {case.must:g})" if case.mctx else ""
    return (
        f"{case.game:<11} {case.network:<7} {alone:>13,.0f} {rate:>13,.0f} {rate / alone:>7.1%} "
        f"{moves:>9,.0f} {searching:>7.0%}   {peer}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="*", help="games")
    parser.add_argument("--batch", type=int, help="games in a group (4096 on a GPU, 64 on a CPU)")
    parser.add_argument("--groups", type=int, help="2 on a GPU, 1 on a CPU")
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--threads", type=int, help="cores that search")
    parser.add_argument("--device", default="auto")
    options = parser.parse_args()
    device = pick_device(options.device)
    on_gpu = device.type == "cuda"
    options.batch = options.batch or (4096 if on_gpu else 64)
    options.groups = options.groups or (2 if on_gpu else 1)
    if options.threads:
        numba.set_num_threads(options.threads)
    name = torch.cuda.get_device_name() if on_gpu else "CPU"
    print(
        f"{name}, {numba.get_num_threads()} cores search; {options.groups} groups of "
        f"{options.batch} games, {options.simulations} simulations a move"
    )
    print("mctx: Pgx + mctx on one H200, recorded, not measured in this run")
    print(
        f"{'game':<11} {'network':<7} {'network alone':>13} {'self-play':>13} {'share':>7} "
        f"{'moves/s':>9} {'CPU':>7}   against mctx"
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
