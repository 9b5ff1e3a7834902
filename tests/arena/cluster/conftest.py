"""A Ray cluster of three nodes on this machine."""

import importlib.util
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.arena.cluster.strange_workers import ORDERS
from tests.arena.tournament.conftest import server  # noqa: F401 - a PostgreSQL
from tests.conftest import ROOT

STORE = 80_000_000  # bytes of memory that a node shares: the least that Ray accepts


class Nodes:
    """A head without cores, and machines with one core each."""

    def __init__(self, folder: Path) -> None:
        from ray.cluster_utils import Cluster

        self.made = 0
        head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": STORE}
        self._cluster = Cluster(
            initialize_head=True, head_node_args={**head, "temp_dir": str(folder)}
        )
        self.address = self._cluster.address
        self.nodes: list[Any] = []
        self.orders = folder / "orders"  # for strange workers
        self.orders.touch()

    def add(self, count: int = 1) -> None:
        for _ in range(count):
            self.made += 1
            node = self._cluster.add_node(wait=False, num_cpus=1, object_store_memory=STORE)
            self.nodes.append(node)

    def wait(self) -> None:
        self._cluster.wait_for_nodes(120)

    def kill(self, node: Any) -> None:
        self.nodes.remove(node)
        self._cluster.remove_node(node, allow_graceful=False)

    def close(self) -> None:
        self._cluster.shutdown()


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """Two machines and a head, all of which ask for a token."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed")
    folder = Path("/tmp") / f"hansu-ray-{os.getpid()}"  # short: sockets lie there
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
        patch.setenv(ORDERS, str(folder / "orders"))
        folder.mkdir()
        Path("/tmp/ray").mkdir(exist_ok=True)  # Ray's Cluster writes its address there, too
        try:
            made = Nodes(folder)
            patch.setenv("RAY_ADDRESS", made.address)
            try:
                made.add(2)
                made.wait()
                yield made
            finally:
                made.close()
        finally:
            shutil.rmtree(folder, ignore_errors=True)
