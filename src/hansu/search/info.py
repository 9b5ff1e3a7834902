"""What a search has found out: for the terminal, the page and programs alike."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Line:
    """One move of the root, and how play would go on.

    ``value`` is the share of the side to move, from 0 (lost) to 1 (won).
    """

    move: Any
    text: str
    value: float
    visits: int = 0
    prior: float | None = None
    variation: tuple[str, ...] = ()  # the principal variation, this move first


@dataclass(frozen=True)
class SearchInfo:
    """All root moves, best first, and what the search cost."""

    lines: tuple[Line, ...]
    nodes: int
    seconds: float
    depth: int | None = None

    @property
    def move(self) -> Any:
        """The best move."""
        return self.lines[0].move

    @property
    def value(self) -> float:
        """The share of the side to move, from 0 (lost) to 1 (won)."""
        return self.lines[0].value

    def __str__(self) -> str:
        speed = self.nodes / self.seconds if self.seconds > 0 else 0.0
        head = f"{self.nodes:,} nodes in {self.seconds:.2f} s ({speed:,.0f}/s)"
        rows = [
            f"{line.text:>8}  {line.value:6.1%}"
            + (f"  {line.visits:>10,} visits" if line.visits else "")
            + f"  {' '.join(line.variation[:8])}"
            for line in self.lines[:8]
        ]
        return "\n".join([head, *rows])
