"""How much more a game costs on a Ray cluster than on this machine.

python -m benchmarks.cluster

Starts a cluster of two nodes with one core each here, and plays games here and there by turns.
"""

import os
import secrets
import shutil
import statistics
import tempfile
import time
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

import hansu
from hansu.arena.cluster.executor import RayCluster
from hansu.arena.executor import Executor, Job
from hansu.arena.local_processes import LocalProcesses
from hansu.arena.openings import Openings
from hansu.arena.tournament.plan import make_plan
from hansu.arena.tournament.schedule import games_of
from hansu.ray_connection import load_ray
from hansu.records.record import TimeControl

BLOCKS, GAMES = 15, 20  # of each, and in each
STORE = 80_000_000  # bytes of memory that a node shares
AGENT = """import hansu

class Mine(hansu.Agent):
    def act(self, state):
        return self.rng.choice(list(state.legal_moves))
"""


def job(game: str, players: tuple[str, str]) -> Job:
    board = hansu.game(game)
    rounds = (BLOCKS + 1) * GAMES
    plan = make_plan(board, players, rounds, "round-robin", None, TimeControl(), 1, False)
    return Job(board, players, Openings(board, plan.openings, plan.seed), plan)


def costs(chosen: Job, workers: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds a game and worker of each block, here and there by turns.

    By turns, because what else runs on this machine must burden both alike. The first block of each
    makes the players and does not count; here it also starts the processes, before Ray has threads.
    """
    games = games_of(chosen.plan, {})

    def block(executor: Executor) -> float:
        begin = time.perf_counter()
        assert len(list(executor.play(islice(games, GAMES)))) == GAMES
        return 1000 * (time.perf_counter() - begin) * workers / GAMES

    with LocalProcesses(chosen, workers) as here:
        block(here)
        with RayCluster(chosen, workers) as there:
            block(there)
            pairs = [(block(here), block(there)) for _ in range(BLOCKS)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def shown(times: list[float]) -> str:
    """Return the median, with the middle half of all blocks."""
    low, middle, high = statistics.quantiles(times, n=4)
    return f"{middle:.1f} ({low:.1f} to {high:.1f})"


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp"))
    Path("/tmp/ray").mkdir(exist_ok=True)  # Ray's Cluster writes its address there, too
    os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    load_ray()
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": STORE}
    cluster = Cluster(initialize_head=True, head_node_args={**head, "temp_dir": str(folder)})
    try:
        for _ in range(2):
            cluster.add_node(num_cpus=1, object_store_memory=STORE)
        os.environ["RAY_ADDRESS"] = cluster.address
        own = folder / "mine.py"
        own.write_text(AGENT)
        table = Table("game", "agents", "workers", "local ms/game", "cluster ms/game", "more")
        for game in ("tictactoe", "connect4"):
            for kind, player in (("built in", "random"), ("isolated", str(own))):
                for workers in (1, 2):
                    here, there = costs(job(game, (player, "random")), workers)
                    more = [b - a for a, b in zip(here, there, strict=True)]
                    table.add_row(game, kind, str(workers), *map(shown, (here, there, more)))
        Console().print(table)
    finally:
        cluster.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
