"""A study: the analysis board's game with its variations and comments."""

import itertools
from dataclasses import replace
from typing import Any

from hansu.games.game import COLOR_NAMES
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
        is_over = record.outcome.reason != UNFINISHED.reason
        self._ended = record.outcome if is_over else None  # how the game itself ended
        self._evidence = record.evidence
        self._tree = MoveTree(record)
        self.node = self._tree.root
        self.revision = 0  # raised by each change of the tree
        self._count = itertools.count()
        self._numbers: dict[Node, int] = {}
        self._nodes: dict[int, Node] = {}
        self._names: dict[Node, str] = {}
        for node in self._tree.nodes():
            self._enter(node, node.turn.move)
        for node, before, move in walk(self._tree, start):
            self._names[node] = before.move_name(move)
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
            same = (child for child in node.children if child.turn.move == turn.move)
            node = next(same, None) or self._grow(node, turn, name)
        self.node = node
        if log.outcome is not None and self._ended is None and node is self._end:
            self._ended, self._evidence = log.outcome, log.evidence
            self.revision += 1

    def _grow(self, node: Node, turn: Turn, name: str) -> Node:
        is_played = self._ended is None and node is self._end
        if turn.move == RESIGNED and not is_played:
            return node  # nobody resigns in a variation
        found = self._tree.add(node, turn, is_played)
        self._enter(found, name)
        self.revision += 1
        return found

    def check_room(self) -> None:
        """Raise HansuError if no move can be added."""
        if len(self._nodes) >= MOST_NODES:
            raise Refusal("too_many_variations", most=MOST_NODES)

    def ending(self, node: Node, state: State) -> tuple[Outcome, str] | None:
        """Return how the game ended, if this is its last position and nothing can be played."""
        is_over = node.turn.move == RESIGNED or state.is_game_over()
        is_known = self._ended is not None and node is self._end
        return (self._ended, self._evidence) if is_over and is_known and self._ended else None

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
        self._note_change(before)

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
        self._note_change(before)

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
            "parents": [places[node.parent] if node.parent else 0 for node in nodes],
            "played": [node.turn.move for node in nodes],
            "names": [self._names[node] for node in nodes],
            "main": len(self._tree.main_line()),
            "comments": {place: node.comment for node, place in places.items() if node.comment},
        }

    def place(self) -> dict[str, Any]:
        """Return where the board is, and who played the game."""
        return {
            "node": self._numbers[self.node],
            "players": {
                name: self._record.player(color)
                for color, name in COLOR_NAMES.items()
                if color is not None
            },
        }

    def record(self) -> GameRecord:
        """Return the game with all that was added."""
        state = self._start.copy()
        for node in self._end.path():
            if node.turn.move != RESIGNED:
                state.push(state.parse_move(node.turn.move))
        outcome = self._ended or state.outcome() or UNFINISHED
        found = replace(self._record, outcome=outcome, evidence=self._evidence, final=state.text())
        return self._tree.annotated(found)

    @property
    def _end(self) -> Node:
        return self._tree.main_line()[-1]

    def _note_change(self, end: Node) -> None:
        """The tree has changed; a main line with another end ends as the rules say."""
        self.revision += 1
        if self._end is not end:
            self._ended, self._evidence = None, ""

    def _enter(self, node: Node, name: str) -> None:
        number = next(self._count)
        self._numbers[node], self._nodes[number], self._names[node] = number, node, name
