"""The tree of a recorded game: its own moves, variations, and a comment on any position.

A record holds the tree flat. Position 0 is the start and position n the one after n turns; beyond
them the branches are counted on, in the order of ``GameRecord.branches``.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hansu.errors import HansuError, RecordError
from hansu.games.state import State
from hansu.records.problems import Report
from hansu.records.record import RESIGNED, Branch, GameRecord, Turn, tidy_comment


@dataclass(eq=False)
class Node:
    """A position of the tree, by the move that leads to it."""

    turn: Turn
    parent: "Node | None" = None
    is_played: bool = False  # a move of the game itself
    comment: str = ""
    children: "list[Node]" = field(default_factory=list)  # the main line first
    depth: int = 0

    def add_comment(self, comment: str) -> None:
        """Add to what is said here already."""
        self.comment = "\n".join(filter(None, [self.comment, comment]))

    def path(self) -> "list[Node]":
        """Return the nodes from the start to here, without the start."""
        found: list[Node] = []
        node = self
        while node.parent is not None:
            found.append(node)
            node = node.parent
        return found[::-1]


class MoveTree:
    """The moves of a game with their variations.

    >>> record = GameRecord("tictactoe", "a", "b", ".........", True, 1, [Turn("b2"), Turn("a1")])
    >>> tree = MoveTree(record)
    >>> other = tree.add(tree.main_line()[1], Turn("c3"))
    >>> other.comment = "better"
    >>> annotated = tree.annotated(record)
    >>> annotated.branches, annotated.comments
    ([Branch(parent=1, move='c3')], {3: 'better'})
    """

    def __init__(self, record: GameRecord) -> None:
        self.root = Node(Turn(""), is_played=True)
        nodes = [self.root]
        for turn in record.turns:
            nodes.append(self.add(nodes[-1], turn, is_played=True))
        for branch in record.branches:
            nodes.append(self.add(nodes[branch.parent], Turn(branch.move)))
        for number, comment in record.comments.items():
            nodes[number].add_comment(comment)

    def add(self, parent: Node, turn: Turn, is_played: bool = False) -> Node:
        """Return the node after a move; a move that is there already is not added again."""
        if parent.turn.move == RESIGNED and parent.parent is not None:
            parent = parent.parent  # nothing follows; what is tried is an alternative to it
        for child in parent.children:
            if child.turn.move == turn.move:
                return child
        made = Node(turn, parent, is_played, depth=parent.depth + 1)
        parent.children.insert(0 if is_played else len(parent.children), made)
        return made

    def remove(self, node: Node) -> None:
        """Remove a move with all that follows it."""
        assert node.parent is not None
        node.parent.children.remove(node)

    def promote(self, node: Node) -> None:
        """Make the line through a node, to its end, the main line."""
        for each in self.main_line()[1:]:
            each.is_played = False
        for each in node.path():
            assert each.parent is not None
            each.parent.children.remove(each)
            each.parent.children.insert(0, each)
        at = self.root
        while at.children:
            at = at.children[0]
            at.is_played = True

    def main_line(self) -> list[Node]:
        """Return the start and the moves of the game itself."""
        found = [self.root]
        while found[-1].children and found[-1].children[0].is_played:
            found.append(found[-1].children[0])
        return found

    def nodes(self) -> list[Node]:
        """Return all nodes in the order of a record's positions."""
        found: list[Node] = self.main_line()
        lines = deque(child for node in found for child in node.children if not child.is_played)
        while lines:
            node: Node | None = lines.popleft()
            while node is not None:
                found.append(node)
                lines.extend(node.children[1:])
                node = node.children[0] if node.children else None
        return found

    def annotated(self, record: GameRecord) -> GameRecord:
        """Return a record with the moves, variations and comments of this tree."""
        nodes = self.nodes()
        numbers = {id(node): number for number, node in enumerate(nodes)}
        played = sum(node.is_played for node in nodes)
        return replace(
            record,
            turns=[node.turn for node in nodes[1:played]],
            branches=[Branch(numbers[id(node.parent)], node.turn.move) for node in nodes[played:]],
            comments={n: node.comment for n, node in enumerate(nodes) if node.comment},
        )


def parse_text(state: State, text: str, number: int) -> Any:
    """Return the move of a record that a text stands for; raises RecordError."""
    try:
        if (outcome := state.outcome()) is not None:
            raise RecordError(f"{text[:20]!r} comes after the end of the game: {outcome}")
        return state.parse_move(text)
    except HansuError as error:
        raise RecordError(f"move {number}: {error}") from None


def play_text(state: State, text: str, number: int) -> str:
    """Play a move of a record; return it in the game's notation. Raises RecordError."""
    move = parse_text(state, text, number)
    canonical = state.move_text(move)
    state.push(move)
    return canonical


def _raise(node: Node, error: RecordError) -> None:
    raise error


def walk(
    tree: MoveTree, start: State, refuse: Callable[[Node, RecordError], None] = _raise
) -> Iterator[tuple[Node, State, Any]]:
    """Yield every node of a tree with the state before it and its move, parents first.

    The state changes from one to the next. Moves are rewritten in the game's notation; one that
    cannot be played goes to ``refuse``, and what follows it is not visited.
    """
    state = start.copy()
    waiting = [(child, False) for child in reversed(tree.root.children)]
    while waiting:
        node, is_done = waiting.pop()
        if is_done:
            state.pop()
        elif node.turn.move != RESIGNED:
            try:
                move = parse_text(state, node.turn.move, node.depth)
            except RecordError as error:
                refuse(node, error)
                continue
            node.turn = node.turn._replace(move=state.move_text(move))
            yield node, state, move
            state.push(move)
            waiting.append((node, True))
            waiting += [(child, False) for child in reversed(node.children)]


def carry_over(
    record: GameRecord,
    kept: GameRecord,
    places: Sequence[int],
    start: State,
    report: Report,
    lines: Sequence[int] = (),
) -> GameRecord:
    """Return ``kept`` with the variations and comments of ``record`` that can be played.

    ``places`` has the turns of ``kept`` for each position of the game of ``record`` that is kept;
    ``lines`` a line of the file for each branch. What is left out goes to ``report``.
    """
    if not record.branches and not record.comments:
        return kept
    tree = MoveTree(kept)
    main = tree.main_line()
    nodes: list[Node | None] = [main[place] for place in places]
    nodes += [None] * (len(record.turns) + 1 - len(nodes))
    at_line: dict[int, int] = {}
    lost = 0
    for number, branch in enumerate(record.branches):
        parent = nodes[branch.parent]
        node = None if parent is None else tree.add(parent, Turn(branch.move))
        lost += node is None
        nodes.append(node)
        if node is not None and lines:
            at_line[id(node)] = lines[number]
    if lost:
        report(f"variations of moves that are left out are left out too ({_moves(lost)})")
    for number, comment in record.comments.items():
        if (commented := nodes[number]) is not None:
            commented.add_comment(tidy_comment(comment))
    if record.branches:
        _keep_playable(tree, start, report, at_line)
    return MoveTree(tree.annotated(kept)).annotated(kept)  # the same move, once written otherwise


def _keep_playable(tree: MoveTree, start: State, report: Report, lines: dict[int, int]) -> None:
    """Remove what cannot be played."""

    def refuse(node: Node, error: RecordError) -> None:
        more = sum(1 for _ in _below(node)) - 1
        rest = f", with {_moves(more)} after it" if more else ""
        report(f"in a variation, {error}; it is left out{rest}", lines.get(id(node)))
        tree.remove(node)

    for _ in walk(tree, start, refuse):
        pass


def _below(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        waiting += (here := waiting.pop()).children
        yield here


def _moves(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"
