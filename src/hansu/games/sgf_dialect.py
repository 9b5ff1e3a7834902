"""How a game is written in SGF: what differs from game to game in the format.

The grammar is the same for all; which properties set up a board, how a point is named and which
number the game has (``GM``) is not. A game describes it by a subclass.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from hansu.errors import PositionError
from hansu.games.game import BLACK, WHITE, Game
from hansu.games.sgf import CUT, GameTree, Node, parse_trees
from hansu.games.state import PlainState

COLORS = {"B": BLACK, "W": WHITE}
SHOWN = {BLACK: "Black", WHITE: "White"}
SIDES = {"b": BLACK, "black": BLACK, "1": BLACK, "w": WHITE, "white": WHITE, "2": WHITE}

OnProblem = Callable[..., None]
"""Called with a problem, its line, and how many moves are lost by it."""


@dataclass(eq=False)
class Stretch:
    """Moves from one board, each with its node; None for a pass that the record does not write."""

    state: Any  # of the dialect's game
    line: int
    nodes: list[Node | None] = field(default_factory=list)
    is_resigned: bool = False  # by the side to move


class SgfDialect:
    """A board of black and white stones."""

    number: ClassVar[str]  # the value of GM
    names: ClassVar[frozenset[str]] = frozenset(["GM", "SZ", "AB", "AW", "AE", "PL", "B", "W"])
    pass_text: ClassVar[str] = ""  # played in place of a side that is left out, where it may pass

    def read(self, game: Game, tree: GameTree, refuse: OnProblem, note: OnProblem) -> list[Stretch]:
        """Return the stretches of a record's main line, at least one; raises PositionError.

        ``refuse`` is called with what cannot be read, and may raise; else that is left out, after
        an unplayable move with all that follows. ``note`` is called with what was corrected.
        """
        raise NotImplementedError

    def write(self, state: PlainState) -> str:
        """Return the game so far, from the board it started from."""
        raise NotImplementedError

    def move_text(self, game: Game, value: str) -> str:
        """Return a move of a record in the game's notation; raises PositionError or MoveError."""
        raise NotImplementedError

    def move_value(self, state: PlainState, move: Any) -> str:
        """Return a move as a record writes it."""
        raise NotImplementedError

    def holds_options(self, game: Game) -> bool:
        """Return whether the properties of a record hold all options of its game."""
        return True


def parse_record(
    text: str,
    names: frozenset[str],
    read: Callable[[GameTree, OnProblem, OnProblem], list[Stretch]],
) -> Any:
    """Return the position at the end of a record's main line; raises PositionError.

    Damage that leaves the position clear is accepted, such as a tail that is cut off.
    """
    tree = next(parse_trees(text, names), None)
    if tree is None:
        raise PositionError("this is not SGF: (;GM[1]SZ[9];B[ee]) and the like is expected")

    def refuse(what: str, line: int, lost: int = 0) -> None:
        raise PositionError(what)

    for what, line in tree.problems:
        if what != CUT:
            raise PositionError(f"this is not SGF: line {line}: {what}")
    return read(tree, refuse, lambda what, line: None)[-1].state


def side_to_move(node: Node, refuse: OnProblem) -> bool | None:
    """Return the side to move that a node names with ``PL``, if it does."""
    text = node.text("PL")
    if "PL" in node and text.lower() not in SIDES:
        refuse(f"the side to move is B or W, not PL[{text[:20]}]", node.line)
    return SIDES.get(text.lower())


def count_moves(tree: GameTree) -> int:
    """Return how many moves the main line of a record writes."""
    return sum(name in COLORS for node in tree.nodes for name, _ in node.properties)
