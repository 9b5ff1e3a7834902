"""A search for a viewer: its moves, its tree on demand, its boards, its steps.

All results are plain data, ready for JSON; a node is given by the moves that lead there from the
root, as people write them (``State.move_name``). The page's viewer
(``display/static/js/viewer``) makes exactly these calls, to a server or to a file that holds all
results.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from hansu.errors import HansuError
from hansu.games.game import COLOR_NAMES
from hansu.games.state import State
from hansu.search.alphabeta_steps import alphabeta_steps
from hansu.search.alphabeta_tree import AlphaBetaTree
from hansu.search.info import SearchInfo
from hansu.search.mcts import Mcts
from hansu.search.mcts_steps import mcts_steps
from hansu.search.puct_search import PuctSearch
from hansu.search.puct_steps import puct_steps
from hansu.search.rave import RaveMcts
from hansu.search.tree_display import tree_display
from hansu.search.tree_text import tree_text

ARROWS = 8  # on a board, at most
STEPS_DEPTH = 3  # of a minimax search that is stepped through


@runtime_checkable
class SearchTree(Protocol):
    """The interface of ``agent.tree``, whatever the search."""

    state: State

    def info(self) -> SearchInfo:
        """Return every root move, best first."""

    def children(self, node: int = 0) -> list[dict[str, Any]]:
        """Return a node's moves: node, move_id, visits, value, children and perhaps prior."""


class History:
    """The evaluation over the time of a search; ``SearchHandle(history.add)`` fills it."""

    def __init__(self) -> None:
        self.moments: list[dict[str, Any]] = []

    def add(self, info: Callable[[], SearchInfo]) -> None:
        """Add what the search has found so far."""
        self.note(info())

    def note(self, now: SearchInfo) -> None:
        """Add a result, unless it is empty or the last one again."""
        if now.lines and (not self.moments or now.nodes != self.moments[-1]["nodes"]):
            self.moments.append(
                {
                    "seconds": round(now.seconds, 4),
                    "nodes": now.nodes,
                    "value": round(now.value, 4),
                    "move": now.lines[0].text,
                }
            )


class SearchView:
    """A search of a state, finished or running. A notebook shows its tree.

    >>> import hansu
    >>> state = hansu.game("tictactoe").parse("XX. OO. ...")
    >>> search = Mcts(state, seed=1)
    >>> search.run(500)
    >>> view = SearchView(state, search.info(), search)
    >>> [child["move"] for child in view.children()][0]
    'c1'
    >>> view.children(["c2"])[0]["visits"] <= view.children()[1]["visits"]
    True
    """

    def __init__(
        self,
        state: State,
        info: SearchInfo,
        tree: object = None,
        agent: str = "",
        history: History | None = None,
    ) -> None:
        if not isinstance(state, State) or not isinstance(info, SearchInfo):
            raise HansuError("a SearchView shows a State and the SearchInfo of its search")
        self.state, self.agent = state, agent
        self.tree = tree if isinstance(tree, SearchTree) else None  # a user's may be anything
        self.history = history or History()
        self._found = info
        self.history.note(info)

    @functools.cached_property
    def _info(self) -> SearchInfo:
        """What was found; a minimax search finds principal variations only when they are shown."""
        return self.tree.info() if isinstance(self.tree, AlphaBetaTree) else self._found

    def info(self) -> dict[str, Any]:
        """Return the root: the position, every move, the evaluation over time."""
        facts, name = self._info.facts(), self._name
        for line in facts["lines"]:
            line["variation"] = self.state.move_names(line["variation"])
            line["move"] = name(line["move"])
        return {
            "game": str(self.state.game),
            "title": self.state.game.title,
            "position": self.state.text(),
            "turn": COLOR_NAMES[self.state.turn],
            "agent": self.agent,
            "has_steps": self.has_steps,
            **facts,
            "move": facts["lines"][0]["move"] if facts["lines"] else None,
            "history": [now | {"move": name(now["move"])} for now in self.history.moments],
        }

    def children(self, moves: Sequence[str] = ()) -> list[dict[str, Any]]:
        """Return the children of a node, best first; nothing is searched for it."""
        if self.tree is None:
            return [] if moves else self._root_only()
        state, node = self.state.copy(), 0
        for text in moves:
            move = state.parse_move(text)
            move_id = state.move_id(move)
            known = (child for child in self.tree.children(node) if child["move_id"] == move_id)
            child = next(known, None)
            if child is None or not child["children"]:
                return []
            node = child["node"]
            state.push(move)
        found = [
            {
                "move": state.move_name(state.move_from_id(child["move_id"])),
                "visits": child["visits"],
                "value": round(child["value"], 4),
                "prior": round(child["prior"], 4) if "prior" in child else None,
                "children": child["children"],
            }
            for child in self.tree.children(node)
        ]
        return sorted(found, key=lambda child: (-child["visits"], -child["value"]))

    def board(self, moves: Sequence[str] = (), **look: Any) -> str:
        """Return the position after some moves as a picture, with arrows for the searched moves."""
        state = self.state.copy()
        for text in moves:
            state.push(state.parse_move(text))
        best = self.children(moves)[:ARROWS]
        most = max((child["visits"] for child in best), default=0)
        arrows = {
            state.parse_move(child["move"]): child["visits"] / most
            for child in best
            if most and child["visits"]
        }
        if best and not most:  # a search without visits: only the best move
            arrows = {state.parse_move(best[0]["move"]): 1.0}
        return state.svg(arrows=arrows, **look)

    @property
    def has_steps(self) -> bool:
        """Whether this kind of search can be stepped through."""
        shown = isinstance(self.tree, Mcts | PuctSearch | AlphaBetaTree)
        return shown and not isinstance(self.tree, RaveMcts)

    def steps(self) -> dict[str, Any] | None:
        """Return the steps of a small search of the same kind from the same state."""
        match self.tree:
            case RaveMcts():
                return None
            case Mcts() as tree:
                return mcts_steps(self.state, tree.settings, tree.seed)
            case PuctSearch() as tree:
                return puct_steps(self.state, tree.evaluate, tree.settings)
            case AlphaBetaTree() as tree:
                return alphabeta_steps(self.state, min(tree.depth, STEPS_DEPTH), tree.prune)
        return None

    def text(self, depth: int = 3) -> str:
        """Return the tree as text, the most visited branches only."""
        return tree_text(self, depth)

    def _repr_html_(self) -> str:
        return tree_display(self)

    @functools.cached_property
    def _name(self) -> Callable[[str], str]:
        return functools.cache(lambda text: self.state.move_names([text])[0])

    def _root_only(self) -> list[dict[str, Any]]:
        return [
            {
                "move": self._name(line.text),
                "visits": line.visits,
                "value": round(line.value, 4),
                "prior": None if line.prior is None else round(line.prior, 4),
                "children": 0,
            }
            for line in self._info.lines
        ]
