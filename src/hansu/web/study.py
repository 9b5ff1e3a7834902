"""A study: the analysis board's game with its variations and comments."""

import itertools
from typing import Any

from hansu.games.state import Outcome, State
from hansu.records.record import RESIGNED, GameRecord, Turn, tidy_comment
from hansu.records.variations import MoveTree, Node, walk
from hansu.web.game_log import GameLog
from hansu.web.refusals import Refusal

MOST_NODES = 5000
MOST_LETTERS = 100_000  # of all comments
UNFINISHED = Outcome(None, "unfinished")


class Study:
    """A tree of moves, and the place in it that the board shows.

    Nodes have numbers that stay theirs, whatever is added or removed: 0 is the start.
    """

    def __init__(self, record: GameRecord, start: State) -> None:
        """Begin with a recorded game, whose moves start from ``start``; raises HansuError."""
        self._record, self._start = record, start.copy()
        self._tree = MoveTree(record)
        self.node = self._tree.root
        self.revision = 0  # raised by each change of the tree
        self._count = itertools.count()
        self._numbers: dict[Node, int] = {}
        self._nodes: dict[int, Node] = {}
        self._names: dict[Node, str] = {}
        for node in self._tree.nodes():
            self._enter(node, node.turn.move)
        for node, before in walk(self._tree, start):
            self._names[node] = before.move_name(before.parse_move(node.turn.move))
        if len(self._nodes) > MOST_NODES:
            raise Refusal("too_many_variations", most=MOST_NODES)

    def position(self, number: int) -> Node:
        """Return a node by its place in the record that the study began with."""
        return self._nodes.get(number, self._tree.root)

    def find(self, number: int) -> Node:
        """Return a node by its number; raises HansuError."""
        if number not in self._nodes:
            raise Refusal("no_such_position")
        return self._nodes[number]

    def follow(self, log: GameLog) -> None:
        """Stand where the log is: its moves are added where they are new."""
        node = self._tree.root
        for turn, name in zip(log.turns, log.move_names, strict=True):
            node = self._after(node, turn, name)
        self.node = node
        if log.outcome is not None and node is self._end:
            self._record.outcome, self._record.evidence = log.outcome, log.evidence

    def check_room(self) -> None:
        """Raise HansuError if no move can be added."""
        if len(self._nodes) >= MOST_NODES:
            raise Refusal("too_many_variations", most=MOST_NODES)

    def ending(self, node: Node, state: State) -> Outcome | None:
        """Return the recorded end of the game, if this is its last position and it is over there."""
        is_over = node.turn.move == RESIGNED or state.is_game_over()
        is_known = node is self._end and self._record.outcome.reason != UNFINISHED.reason
        return self._record.outcome if is_over and is_known else None

    @property
    def evidence(self) -> str:
        """What goes with the end of the game."""
        return self._record.evidence

    def comment(self, number: int, text: str) -> None:
        """Say something about a position; raises HansuError."""
        node, tidy = self.find(number), tidy_comment(text)
        letters = sum(len(each.comment) for each in self._numbers if each is not node)
        if letters + len(tidy) > MOST_LETTERS:
            raise Refusal("comments_too_long", most=MOST_LETTERS)
        node.comment = tidy
        self.revision += 1

    def promote(self, number: int) -> None:
        """Make the line through a position the main line; raises HansuError."""
        node, before = self.find(number), self._end
        self._tree.promote(node)
        self._change_end(before)

    def remove(self, number: int) -> None:
        """Remove a move with all that follows; the board then stands before it."""
        node, before = self.find(number), self._end
        if node.parent is None:
            raise Refusal("no_such_position")
        if node in self.node.path():
            self.node = node.parent
        self._tree.remove(node)
        kept = set(self._tree.nodes())
        for each in set(self._numbers) - kept:
            del self._nodes[self._numbers.pop(each)], self._names[each]
        self._change_end(before)

    def step_back(self) -> None:
        """Go back by a move; one at the end of its line is removed."""
        if self.node.parent is None:
            raise Refusal("nothing_to_take_back")
        if self.node.children:
            self.node = self.node.parent
        else:
            self.remove(self._numbers[self.node])

    def facts(self) -> dict[str, Any]:
        """Return the whole tree: the game itself first, as a record counts positions."""
        nodes = self._tree.nodes()
        places = {node: place for place, node in enumerate(nodes)}
        return {
            "numbers": [self._numbers[node] for node in nodes],
            "parents": [places.get(node.parent, 0) if node.parent else 0 for node in nodes],
            "played": [node.turn.move for node in nodes],
            "names": [self._names[node] for node in nodes],
            "main": len(self._tree.main_line()),
            "comments": {place: node.comment for node, place in places.items() if node.comment},
            "outcome": self._record.outcome.reason,
        }

    @property
    def number(self) -> int:
        """The number of the position that the board shows."""
        return self._numbers[self.node]

    def record(self) -> GameRecord:
        """Return the game with all that was added."""
        return self._tree.annotated(self._record)

    @property
    def _end(self) -> Node:
        return self._tree.main_line()[-1]

    def _after(self, node: Node, turn: Turn, name: str) -> Node:
        end, count = self._end, len(self._numbers)
        is_open = self._record.outcome.reason == UNFINISHED.reason
        found = self._tree.add(node, turn, is_played=node is end and is_open)
        if found not in self._numbers:
            self._enter(found, name)
        if len(self._numbers) > count:
            self.revision += 1
            self._settle(found)
        return found

    def _settle(self, node: Node) -> None:
        """The game has gone on: how it ends is not known any more, or by the rules."""
        if node is self._end:
            self._change_end(None)

    def _change_end(self, before: Node | None) -> None:
        """Another main line has another end: what the rules say."""
        self.revision += 1
        if before is self._end:
            return
        state = self._start.copy()
        for node in self._end.path():
            if node.turn.move == RESIGNED:
                return
            state.push(state.parse_move(node.turn.move))
        self._record.outcome, self._record.evidence = state.outcome() or UNFINISHED, ""
        self._record.final = state.text()

    def _enter(self, node: Node, name: str) -> None:
        number = next(self._count)
        self._numbers[node], self._nodes[number], self._names[node] = number, node, name
