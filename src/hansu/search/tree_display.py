"""A search as a notebook shows it: the board, and its tree to be opened with the mouse.

It has no script: the most visited branches are already there, folded.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hansu.display.markup import ACCENT, Markup, bar, joined, tag
from hansu.search.alphabeta_tree import AlphaBetaTree

if TYPE_CHECKING:
    from hansu.search.view import SearchView

BRANCHES = 6  # moves of a node
DEPTH = 3
MINIMAX_DEPTH = 2  # every node of a minimax tree costs a search
ROW = "display:inline-flex;gap:10px;align-items:center;vertical-align:middle"


def tree_display(view: "SearchView") -> Markup:
    """Return the whole display; all text in it is escaped."""
    depth = MINIMAX_DEPTH if isinstance(view.tree, AlphaBetaTree) else DEPTH
    style = "display:flex;flex-wrap:wrap;gap:24px;align-items:flex-start"
    picture = Markup(view.board(ground=True))
    tree = tag("div", _branch(view, (), depth), style="text-align:left")
    return tag("div", tag("div", picture), tree, style=style)


def _branch(view: "SearchView", moves: Sequence[str], depth: int) -> Markup:
    children = view.children(moves)[:BRANCHES] if depth else []
    most = max((child["visits"] for child in children), default=0)
    return joined(*(_node(view, [*moves, child["move"]], child, most, depth) for child in children))


def _node(
    view: "SearchView", moves: list[str], child: dict[str, Any], most: int, depth: int
) -> Markup:
    share = child["visits"] / most if most else child["value"]
    words = f"{child['visits']:,} visits" if most else ""
    row = tag(
        "span",
        tag("strong", child["move"], style="min-width:3.5em"),
        bar([(share, ACCENT)], "110px", words or f"{share:.1%}"),
        tag("span", f"{child['value']:.1%}" if child["visits"] or not most else "–"),
        tag("span", words),
        style=ROW,
    )
    below = _branch(view, moves, depth - 1) if child["children"] else Markup()
    if not below:
        return tag("div", row, style="padding:2px 0 2px 15px")
    inner = tag("div", below, style="margin-left:20px")
    return tag("details", tag("summary", row, style="padding:2px 0"), inner)
