"""How much more a game costs on a Ray cluster than on this machine.

python -m benchmarks.cluster

Starts a cluster of two nodes with one core each here, and plays the same games locally and there.
"""

import os
import secrets
import shutil
import tempfile
import time
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

import hansu
from hansu.arena.cluster.executor import RayCluster
from hansu.arena.executor import Executor, Job, LocalProcesses
from hansu.arena.openings import Openings
from hansu.arena.tournament.plan import make_plan
from hansu.arena.tournament.schedule import games_of
from hansu.ray_connection import load_ray
from hansu.records.record import TimeControl

GAMES, WARM = 300, 40
STORE = 80_000_000  # bytes of memory that a node shares
AGENT = """import hansu

class Mine(hansu.Agent):
    def act(self, state):
        return self.rng.choice(list(state.legal_moves))
"""


def job(game: str, players: tuple[str, str]) -> Job:
    board = hansu.game(game)
    rounds = (GAMES + WARM) // 2
    plan = make_plan(board, players, rounds, "round-robin", None, TimeControl(), 1, False)
    return Job(board, players, Openings(board, plan.openings, plan.seed), plan)


def seconds(executor: Executor, chosen: Job) -> float:
    """Return the seconds of all games after the first ones, for which players are made."""
    games = games_of(chosen.plan, {})
    with executor:
        list(executor.play(islice(games, WARM)))
        begin = time.perf_counter()
        assert len(list(executor.play(games))) == GAMES
        return time.perf_counter() - begin


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp"))
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
                    chosen = job(game, (player, "random"))
                    here = seconds(LocalProcesses(chosen, workers), chosen)
                    there = seconds(RayCluster(chosen, workers), chosen)
                    costs = [1000 * each * workers / GAMES for each in (here, there)]
                    told = [f"{each:.1f}" for each in (*costs, costs[1] - costs[0])]
                    table.add_row(game, kind, str(workers), *told)
        Console().print(table)
    finally:
        cluster.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
