"""How long do tablebases take, and how large are they? ``python -m benchmarks.tablebases``.

Builds the microchess tables of each number of pieces into an empty folder. Then searches the start
position with and without them, in turns: they must cost nothing where no ending is near.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

import hansu

DEPTH, REPEATS = 6, 15


def build_each(most: int, memory: int) -> Table:
    """Build tables, one number of pieces after the other."""
    table = Table("pieces", "classes", "entries", "seconds", "CPU seconds", "compressed")
    game, before = hansu.game("microchess"), set[Path]()
    folder = Path(os.environ["HANSU_TABLEBASES"])
    for pieces in range(2, most + 1):
        wall, spent = time.perf_counter(), time.process_time()
        game.build_tables(pieces, memory, 2, lambda *_: None, lambda: False)
        wall, spent = time.perf_counter() - wall, time.process_time() - spent
        new = set(folder.rglob("*.table")) - before
        before |= new
        size = sum(file.stat().st_size for file in new)
        table.add_row(
            *(str(pieces), str(len(new)), f"{_entries(pieces):,}"),
            *(f"{wall:,.1f}", f"{spent:,.1f}", f"{size / 1e6:,.2f} MB"),
        )
    return table


def _entries(pieces: int) -> int:
    from hansu.games.microchess.tablebase.classes import material_classes

    return sum(one.entries for one in material_classes(pieces))


def search_ratio() -> float:
    """Return how much longer a search of the start takes with tables: CPU seconds, medians."""
    state, costs = hansu.game("microchess").start(), dict[str, list[float]]()
    agents = {
        name: hansu.agent("microchess", f"abp_negamax:depth={DEPTH},tablebase={name}", seed=1)
        for name in ("on", "off")
    }
    for agent in agents.values():
        agent.prepare(state)
    for _ in range(REPEATS):
        for name, agent in agents.items():
            begin = time.process_time()
            agent.act(state)
            costs.setdefault(name, []).append(time.process_time() - begin)
    return statistics.median(costs["on"]) / statistics.median(costs["off"])


def main() -> None:
    """Build, search, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pieces", type=int, default=4)
    parser.add_argument("--memory", type=int, default=1024, help="megabytes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HANSU_TABLEBASES"] = str(Path(folder) / "warm-up")
        build_each(3, options.memory)  # compiles
        os.environ["HANSU_TABLEBASES"] = str(Path(folder) / "built")
        Console(width=120).print(build_each(options.pieces, options.memory))
        print(f"abp_negamax to depth {DEPTH} with tables: {search_ratio():.3f} × the CPU time")


if __name__ == "__main__":
    main()
