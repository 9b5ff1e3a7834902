"""The result of a search, for the terminal, the page and programs."""

from dataclasses import dataclass
from typing import Any

from hansu.display.markup import ACCENT, Markup, bar, tag
from hansu.statistics.stats import Tally

SHOWN = 12  # lines of a display, and those of a search that have a principal variation
LEFT, RIGHT = "text-align:left", "text-align:right"


@dataclass(frozen=True)
class Line:
    """One move of the root, with its principal variation.

    ``value`` is the win probability of the side to move, from 0 to 1.
    """

    move: Any
    text: str
    value: float
    visits: int = 0
    prior: float | None = None
    variation: tuple[str, ...] = ()  # the principal variation, this move first
    tally: Tally | None = None  # of simulated games, for the side to move, where they are counted
    proved: bool = False  # whether the value is certain
    score: int | None = None  # as the game counts it, where it is proved

    def proof_text(self) -> str:
        """Say what is proved, in a few letters."""
        if not self.proved:
            return ""
        return "  proved" + ("" if self.score is None else f" {self.score:+d}")

    def facts(self) -> dict[str, Any]:
        """Return the numbers, as programs read them."""
        return {
            "move": self.text,
            "value": round(self.value, 6),
            "visits": self.visits,
            "prior": None if self.prior is None else round(self.prior, 6),
            "variation": list(self.variation),
            **({} if self.tally is None else {"tally": self.tally.facts()}),
            **({"proved": True, "score": self.score} if self.proved else {}),
        }


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
        """The win probability of the side to move, from 0 to 1."""
        return self.lines[0].value

    @property
    def proved(self) -> bool:
        """Whether it is certain that the best move is the best, and what it leads to."""
        return bool(self.lines) and all(line.proved for line in self.lines)

    def facts(self) -> dict[str, Any]:
        """Return the numbers, as programs read them."""
        return {
            "move": self.lines[0].text if self.lines else None,
            "value": round(self.value, 6) if self.lines else None,
            "lines": [line.facts() for line in self.lines],
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "depth": self.depth,
            **({"proved": True} if self.proved else {}),
        }

    def __str__(self) -> str:
        speed = self.nodes / self.seconds if self.seconds > 0 else 0.0
        depth = "" if self.depth is None else f", depth {self.depth}"
        head = f"{self.nodes:,} nodes in {self.seconds:.2f} s ({speed:,.0f}/s){depth}"
        tried = [line for line in self.lines if line.visits] or self.lines
        rows = [
            f"{line.text:>8}  {line.value:6.1%}{line.proof_text()}"
            + (f"  {line.visits:>10,} visits" if line.visits else "")
            + f"  {' '.join(line.variation)}"
            for line in tried[:8]
        ]
        return "\n".join([head, *(self.tally_rows() or rows)])

    def tally_rows(self) -> list[str]:
        """Return every move with its counts and rate, one text each; none without counts."""
        return [
            f"{line.text:>8}  {line.value:6.1%}  {tally.wins:>9,} won  {tally.draws:>9,} drawn"
            f"  {tally.losses:>9,} lost  rate {tally.rate:6.1%}"
            for line in self.lines
            if (tally := line.tally) is not None
        ]

    def _repr_html_(self) -> str:
        total = sum(line.visits for line in self.lines)
        titles = ["move", "visits" if total else "", "value"]
        titles += ["prior"] if any(line.prior is not None for line in self.lines) else []
        titles += ["principal variation"]
        depth = "" if self.depth is None else f", depth {self.depth}"
        more = len(self.lines) - SHOWN
        words = f"{self.nodes:,} nodes in {self.seconds:.2f} s{depth}"
        return tag(
            "table",
            tag("caption", words, style=f"{LEFT};padding:4px 0;color:inherit"),
            tag("tr", *(tag("th", title, style=LEFT, scope="col") for title in titles)),
            *(self._row(line, total) for line in self.lines[:SHOWN]),
            tag("tr", tag("td", f"and {more} more", colspan=9, style=LEFT)) if more > 0 else None,
        )

    def _row(self, line: Line, total: int) -> Markup:
        share = line.visits / total if total else line.value
        words = f"{line.visits:,} visits, {share:.1%}" if total else f"{share:.1%}"
        is_known = line.visits or not total
        return tag(
            "tr",
            tag("th", line.text, style=LEFT, scope="row"),
            tag("td", bar([(share, ACCENT)], "140px", words), style=LEFT),
            tag(
                "td",
                f"{line.value:.1%}{line.proof_text()}" if is_known else "–",
                style=RIGHT,
            ),
            None if line.prior is None else tag("td", f"{line.prior:.1%}", style=RIGHT),
            tag("td", " ".join(line.variation), style=LEFT),
        )
