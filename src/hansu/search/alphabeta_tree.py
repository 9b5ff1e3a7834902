"""The tree of a minimax search, to be explored from the root down.

Such a search keeps only the values of the root's moves. So a node is searched again when it is
opened, as deep as the first search was: every value below is exact, also where pruning found only a
bound.
"""

from dataclasses import replace
from functools import cached_property
from typing import Any

from hansu.games.state import State
from hansu.search.info import Line, SearchInfo
from hansu.search.negamax import search

SECONDS = 0.5  # for opening a node; the search is less deep where they do not suffice
VARIATIONS = 5  # moves of the root that get a principal variation


class AlphaBetaTree:
    """A finished search of a state.

    >>> import hansu
    >>> state = hansu.game("tictactoe").parse("XX. OO. ...")
    >>> tree = AlphaBetaTree(state, search(state, 4, prune=True))
    >>> best = max(tree.children(), key=lambda child: child["value"])
    >>> state.move_text(best["move_id"]), best["value"], best["children"]
    ('c1', 1.0, 0)
    """

    def __init__(self, state: State, found: SearchInfo, prune: bool = True) -> None:
        self.state, self.prune = state, prune
        self.depth = found.depth or 1
        self._found = found
        self._nodes: list[tuple[State, int]] = [(state, self.depth)]  # and the depth to search
        self._children: dict[int, list[dict[str, Any]]] = {}

    def info(self) -> SearchInfo:
        """Return what the search found, with the principal variations of the best moves."""
        return self._info

    def children(self, node: int = 0) -> list[dict[str, Any]]:
        """Return a node's moves with their values; node 0 is the root."""
        if node not in self._children:
            self._children[node] = self._open(*self._nodes[node])
        return self._children[node]

    def _open(self, state: State, depth: int) -> list[dict[str, Any]]:
        if depth == 0 or state.is_game_over():
            return []
        found = search(state, depth, prune=True, seconds=SECONDS, exact=True)
        opened = []
        for line in found.lines:
            after = state.forward(line.move)
            self._nodes.append((after, depth - 1))
            over = depth == 1 or after.is_game_over()
            opened.append(
                {
                    "node": len(self._nodes) - 1,
                    "move_id": state.move_id(line.move),
                    "visits": 0,
                    "value": line.value,
                    "children": 0 if over else len(after.move_ids()),
                }
            )
        return opened

    @cached_property
    def _info(self) -> SearchInfo:
        best, rest = self._found.lines[:VARIATIONS], self._found.lines[VARIATIONS:]
        return replace(self._found, lines=(*map(self._followed, best), *rest))

    def _followed(self, line: Line) -> Line:
        state, texts = self.state.forward(line.move), [line.text]
        for depth in range(self.depth - 1, 0, -1):
            if state.is_game_over():
                break
            best = search(state, depth, prune=True, seconds=SECONDS).lines[0]
            texts.append(best.text)
            state.push(best.move)
        return replace(line, variation=tuple(texts))
