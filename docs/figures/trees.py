"""A small tree of tic-tac-toe, with the value of every position and with its cut-offs."""

from dataclasses import dataclass, field

from docs.figures.games import picture
from docs.figures.words import Figure, Word

import hansu
from hansu.display.markup import BAD, EVEN, GOOD, Markup, joined, tag

ROOT = "XXOOOX..."  # X must stop O from finishing the diagonal
CELL, GAP, ROW = 14.0, 18.0, 104.0
COLORS = {1: GOOD, 0: EVEN, -1: BAD}


@dataclass
class Node:
    """A position of the tree; ``value`` is None where the search did not look."""

    state: hansu.State
    move: str = ""
    value: int | None = None
    children: list["Node"] = field(default_factory=list)
    x: float = 0.0


def grow(state: hansu.State, prune: bool) -> Node:
    """Return the whole tree below a state, valued for the side to move at each node."""
    root = Node(state)
    search(root, -2, 2, prune, looked=True)
    return root


def search(node: Node, alpha: int, beta: int, prune: bool, looked: bool) -> int:
    """Value a node as negamax does; what is pruned is drawn too, but has no value."""
    outcome = node.state.outcome()
    if outcome is not None:
        won = 0 if outcome.winner is None else 1 if outcome.winner == node.state.turn else -1
        node.value = won if looked else None
        return won
    for move in node.state.legal_moves:
        child = Node(node.state.forward(move), node.state.move_text(move))
        node.children.append(child)
        value = -search(child, -beta, -alpha, prune, looked)
        if looked:
            alpha = max(alpha, value)
            looked = not (prune and alpha >= beta)
    node.value = alpha if any(child.value is not None for child in node.children) else None
    return alpha


def place(node: Node, left: float) -> float:
    """Give every node its place from left to right; return where the next one begins."""
    if not node.children:
        node.x = left + 1.5 * CELL
        return left + 3 * CELL + GAP
    for child in node.children:
        left = place(child, left)
    node.x = sum(child.x for child in node.children) / len(node.children)
    return left


def drawn(node: Node, depth: int) -> Markup:
    """Draw a node and everything below it."""
    y, faint = 44 + depth * ROW, None if node.value is not None else 0.28
    parts: list[str] = []
    for child in node.children:
        look = {"stroke": "currentColor", "opacity": 0.5 if child.value is not None else 0.2}
        dashes = None if child.value is not None else "3 3"
        ends = {"x1": node.x, "y1": y + 3 * CELL + 19, "x2": child.x, "y2": y + ROW - 4}
        parts.append(tag("line", **ends, **look, stroke_dasharray=dashes))
        parts.append(drawn(child, depth + 1))
    parts.append(tag("g", *board(node, y), opacity=faint))
    return joined(*parts)


def board(node: Node, y: float) -> list[Markup]:
    """Draw the cells of a position and its value."""
    left, parts = node.x - 1.5 * CELL, []
    for i, cell in enumerate(node.state.text()):
        x, top = left + i % 3 * CELL, y + i // 3 * CELL
        square = {"width": CELL, "height": CELL, "fill": "none", "stroke": "currentColor"}
        parts.append(tag("rect", x=x, y=top, **square, stroke_opacity=0.4))
        if cell != ".":
            middle = {"text_anchor": "middle", "font_size": 11, "font_weight": 600}
            parts.append(tag("text", cell, x=x + CELL / 2, y=top + 10.5, **middle))
    if node.value is not None:
        value = f"{node.value:+d}".replace("-", "−") if node.value else "0"
        look = {"fill": COLORS[node.value], "font_size": 14, "font_weight": 700}
        below = {"x": node.x, "y": y + 3 * CELL + 15, "text_anchor": "middle"}
        parts.append(tag("text", value, **below, **look))
    return parts


def count(node: Node) -> int:
    """Return how many nodes were valued."""
    return (node.value is not None) + sum(map(count, node.children))


def tree(prune: bool) -> Figure:
    """Return the figure of the tree."""

    def figure(word: Word) -> str:
        root = grow(hansu.game("tictactoe").parse(ROOT), prune)
        width = place(root, 16.0)
        nodes = count(root)
        title = word(
            f"{nodes} nodes; a value is for the side to move",
            f"노드 {nodes}개. 평가는 둘 차례인 쪽의 것입니다",
        )
        head = tag("text", title, x=16, y=22, font_size=14, font_weight=600)
        return picture(joined(head, drawn(root, 0)), width, 44 + 3.75 * ROW, title)

    return figure


FIGURES: dict[str, Figure] = {"tree": tree(prune=False), "tree_pruned": tree(prune=True)}
