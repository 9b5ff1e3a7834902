"""A search tree as text, for terminals and logs: the most visited branches only."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hansu.search.tree_display import BRANCHES

if TYPE_CHECKING:
    from hansu.search.view import SearchView


def tree_text(view: "SearchView", depth: int, branches: int = BRANCHES) -> str:
    """Return the tree to a depth; a value is for the side that moves.

    >>> import hansu
    >>> agent = hansu.agent("tictactoe", "mcts", seed=1)
    >>> state = hansu.game("tictactoe").parse("XX. OO. ..X")
    >>> info = agent.search(state, hansu.Limits(nodes=200))
    >>> print(tree_text(hansu.SearchView(state, info, agent.tree), 2, branches=2))
    black to move, 200 nodes
    ├─ c2  100.0%  112 visits
    ├─ c1   90.3%   67 visits
    │  ├─ c2   14.0%  25 visits
    │  ├─ a3   10.9%  23 visits
    │  └─ 1 more
    └─ 2 more
    """
    facts = view.info()
    head = f"{facts['turn']} to move, {facts['nodes']:,} nodes"
    return "\n".join([head, *_branch(view, (), depth, branches, "")])


def _branch(
    view: "SearchView", moves: Sequence[str], depth: int, branches: int, indent: str
) -> Iterator[str]:
    """Yield the lines below a node."""
    children = view.children(moves) if depth else []
    tried = [child for child in children if child["visits"]] or children
    shown, more = tried[:branches], len(children) - len(tried[:branches])
    width = max((len(child["move"]) for child in shown), default=0)
    digits = max((len(f"{child['visits']:,}") for child in shown), default=0)
    for number, child in enumerate(shown, 1):
        is_last = number == len(shown) and not more
        yield f"{indent}{'└─' if is_last else '├─'} {_node(child, width, digits)}"
        below = f"{indent}{'   ' if is_last else '│  '}"
        if child["children"]:
            yield from _branch(view, [*moves, child["move"]], depth - 1, branches, below)
    if shown and more:
        yield f"{indent}└─ {more} more"


def _node(child: dict[str, Any], width: int, digits: int) -> str:
    visits = f"  {child['visits']:>{digits},} visits" if child["visits"] else ""
    prior = "" if child["prior"] is None else f"  prior {child['prior']:.1%}"
    return f"{child['move']:<{width}}  {child['value']:6.1%}{visits}{prior}"
