"""Timing two programs against each other on a noisy machine: take turns, compare medians.

Seconds are CPU seconds, so that other programs on the machine disturb less.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

Rate = Callable[[], float]  # does some work and returns how much of it was done


@dataclass(frozen=True)
class Row:
    """One comparison: our rate against a peer's, both in units a second."""

    what: str
    ours: float
    peer_name: str
    peer: float | None  # None: the peer is missing
    must: float  # the ratio to reach
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the peer."""
        return None if self.peer is None else self.ours / self.peer


def compare(ours: Rate, peer: Rate | None, repeats: int = 5) -> tuple[float, float | None]:
    """The median rates (units a second) of both, measured in turns after one warm-up each."""
    pairs = [ours] if peer is None else [ours, peer]
    for work in pairs:
        work()
    rates: list[list[float]] = [[] for _ in pairs]
    for _ in range(repeats):
        for work, found in zip(pairs, rates, strict=True):
            clock = getattr(work, "clock", time.process_time)  # a peer may be another process
            begin = clock()
            done = work()
            found.append(done / (clock() - begin))
    medians = [statistics.median(found) for found in rates]
    return medians[0], medians[1] if peer is not None else None


def print_rows(title: str, rows: list[Row]) -> bool:
    """Print the table; whether every measured row reached its ratio."""
    table = Table(
        "what",
        "hansu /s",
        "peer",
        "peer /s",
        "ratio",
        "must",
        "",
        title=title,
        title_justify="left",
    )
    for row in rows:
        ratio = row.ratio
        reached = "" if ratio is None else "yes" if ratio >= row.must else "[red]NO[/]"
        table.add_row(
            row.what,
            f"{row.ours:,.0f}",
            row.peer_name,
            "missing" if row.peer is None else f"{row.peer:,.0f}",
            "" if ratio is None else f"{ratio:.1f} ×",
            f"≥ {row.must:g} ×",
            f"{reached} {row.note}".strip(),
        )
    Console(width=120).print(table)
    return all(row.ratio is None or row.ratio >= row.must for row in rows)
