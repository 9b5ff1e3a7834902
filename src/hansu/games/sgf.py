"""The grammar of SGF: the main line and variations of every game of a text, each with its line.

Damaged text is read as far as it makes sense, and the damage reported; the work is linear in the
text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_NODES = 50_000  # of one main line, and of all variations of a game
MAX_LETTERS = 2**20  # that are kept of one game, and of its comments
COMMENT = "C"
MAX_PROBLEMS = 100  # of one game
CUT = "the text ends within the game"
STRAY = "moves stand after the end of the game, which are left out"

_BEGIN = re.compile(r"\(\s*+;")
_TOKEN = re.compile(
    r"""
      (?P<sign>[();])
    | (?P<name>[A-Za-z]++)(?=\s*+\[)
    | (?P<value>\[(?P<content>[^\]\\]*+(?:\\.?[^\]\\]*+)*+)(?P<end>\]?))
    | (?P<junk>[^\s();\[A-Za-z]+|[A-Za-z]+)
    """,
    re.VERBOSE | re.DOTALL,
)
_ROOT = r"\(\s*+;\s*+(?:GM|FF|SZ|CA|AP)\s*+\["
_LOST = re.compile(r";\s*+[BW]\s*+\[")
_NEXT_GAME = re.compile(_ROOT)
# A value that ends just after another has begun lacks its own bracket.
_UNCLOSED = re.compile(rf"(?:{_ROOT}|;\s*+[BW]\[)[^\[\]\\]*+\Z")


@dataclass
class Node:
    """The properties of one node in the order of the text; names are the capital letters only."""

    line: int
    properties: list[tuple[str, str]] = field(default_factory=list)
    parent: "Node | None" = None

    def __contains__(self, name: str) -> bool:
        return any(own == name for own, _ in self.properties)

    def values(self, name: str) -> list[str]:
        """Return all values of a property, as they are written."""
        return [value for own, value in self.properties if own == name]

    def text(self, name: str, default: str = "") -> str:
        """Return the first value of a property, as it is meant.

        >>> Node(1, [("C", r"a \\] b")]).text("C")
        'a ] b'
        """
        written = next((value for own, value in self.properties if own == name), default)
        return re.sub(r"\\(\n|.)", lambda m: m[1].strip("\n"), written, flags=re.DOTALL).strip()


@dataclass
class GameTree:
    """The main line of a game, its variations, and the problems of its text."""

    line: int
    nodes: list[Node] = field(default_factory=list)
    variations: list[Node] = field(default_factory=list)  # all their nodes, parents first
    problems: list[tuple[str, int]] = field(default_factory=list)
    letters: int = 0
    comment_letters: int = 0
    is_ended: bool = False  # the first bracket that closes ends the main line
    current: Node | None = None  # that is being read; None: it is not kept
    branches: list[Node | None] = field(default_factory=list)  # where open brackets began

    def note(self, what: str, line: int) -> None:
        """Add a problem."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append((what, line))


def is_sgf(text: str) -> bool:
    """Return whether a game begins anywhere in a text."""
    return _BEGIN.search(text) is not None


def parse_trees(text: str, names: frozenset[str]) -> Iterator[GameTree]:
    """Yield the games of a text, with those properties that have these names.

    What stands between the games is skipped.

    >>> (tree,) = parse_trees("mail (;SZ[9]C[hi](;B[aa];W[bb])(;B[cc", frozenset(["SZ", "B", "W"]))
    >>> [node.properties for node in tree.nodes]
    [[('SZ', '9')], [('B', 'aa')], [('W', 'bb')]]
    >>> [(node.properties, node.parent is tree.nodes[0]) for node in tree.variations]
    [([], True)]
    >>> tree.problems
    [('the text ends within the game', 1)]
    """
    at, line = 0, 1
    while (begin := _BEGIN.search(text, at)) is not None:
        line += text.count("\n", at, begin.start())
        tree = GameTree(line)
        at = _parse_tree(text, begin.start(), tree, names)
        line += text.count("\n", begin.start(), at)
        after = _BEGIN.search(text, at)
        if _LOST.search(text, at, after.start() if after else len(text)):
            tree.note(STRAY, line)
        yield tree


def _parse_tree(text: str, at: int, tree: GameTree, names: frozenset[str]) -> int:
    """Read one game; returns where it ends."""
    line, depth, name, sign = tree.line, 0, "", ""
    while (found := _TOKEN.search(text, at)) is not None:
        line += text.count("\n", at, found.start())
        end, before, sign = found.end(), sign, found["sign"]
        if sign == "(" and depth and _NEXT_GAME.match(text, found.start()):
            tree.note("the game is not closed before the next one begins", line)
            return found.start()
        if sign in ("(", ")"):
            depth += 1 if sign == "(" else -1
            _turn_aside(tree, sign)
            if depth == 0:
                return end
        elif sign:
            name = ""
            if before == ")":
                tree.note("a node that follows a variation is not read", line)
                tree.current = None
            else:
                _begin_node(tree, line)
        elif found["name"]:
            name = "".join(letter for letter in found["name"] if letter.isupper())
        elif found["value"]:
            value, end = _value(text, found, tree, line)
            if name in names and value is not None:
                _add(tree, name, value, line)
        else:
            tree.note(f"{found[0][:20]!r} is not understood", line)
        line += text.count("\n", found.start(), end)
        at = end
    tree.note(CUT, line)
    return len(text)


def _value(text: str, found: re.Match[str], tree: GameTree, line: int) -> tuple[str | None, int]:
    """Return a value and where it ends; None for one that the end of the text cuts off."""
    begin, end = found.span("content")
    lost = _UNCLOSED.search(text, begin, end)
    if lost is not None:
        tree.note("the value that begins here is not closed", line)
        return text[begin : lost.start()], lost.start()
    return (found["content"] if found["end"] else None), found.end()


def _turn_aside(tree: GameTree, sign: str) -> None:
    """Begin or end a variation."""
    if sign == "(":
        tree.branches.append(tree.current)
    else:
        tree.is_ended = True
        tree.current = tree.branches.pop()


def _begin_node(tree: GameTree, line: int) -> None:
    if tree.nodes and tree.current is None:
        return  # it follows one that is not kept
    kept = tree.variations if tree.is_ended else tree.nodes
    if len(kept) == MAX_NODES:
        of = "nodes of variations" if tree.is_ended else "nodes"
        tree.note(f"what follows {MAX_NODES} {of} is not read", line)
        tree.is_ended, tree.current = True, None
        return
    tree.current = Node(line, parent=tree.current)
    kept.append(tree.current)


def _add(tree: GameTree, name: str, value: str, line: int) -> None:
    """Add a property to the node that is being read."""
    if tree.current is None:
        return
    if name == COMMENT:
        tree.comment_letters += len(value)
        if tree.comment_letters > MAX_LETTERS:
            return tree.note(f"comments beyond {MAX_LETTERS} letters are not read", line)
    else:
        tree.letters += len(value)
        if tree.letters > MAX_LETTERS:
            tree.note(f"what follows {MAX_LETTERS} letters is not read", line)
            tree.is_ended, tree.current = True, None
            return None
    return tree.current.properties.append((name, value))
