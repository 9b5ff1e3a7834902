"""Which submissions are alike: the same bytes, or the same code with other names and comments."""

import ast
import hashlib
from collections import defaultdict
from typing import NamedTuple

from hansu.arena.competition.bundle import Bundle
from hansu.arena.competition.register import Entry, Register

SHORTEST = 40  # nodes of a syntax tree: what is shorter is alike by chance


class Alike(NamedTuple):
    """Some versions of different participants that are alike."""

    how: str  # "same bytes" or "same syntax tree"
    entries: list[Entry]


def similar(register: Register) -> list[Alike]:
    """Return every group of versions, of at least two participants, that are alike."""
    by_bytes: dict[str, list[Entry]] = defaultdict(list)
    by_shape: dict[str, list[Entry]] = defaultdict(list)
    for entry in register.entries().values():
        if entry.source == "staff":
            continue
        by_bytes[entry.digest].append(entry)
        if shape := shape_of(register.store.read(entry.digest)):
            by_shape[shape].append(entry)
    found = [Alike("same bytes", group) for group in by_bytes.values()]
    found += [
        Alike("same syntax tree", group)
        for group in by_shape.values()
        if len({entry.digest for entry in group}) > 1
    ]
    return [each for each in found if len({e.participant for e in each.entries}) > 1]


def shape_of(bundle: Bundle) -> str:
    """Return a hash of the code that does not change with names, comments, texts and layout.

    Empty for what is no Python or too short to tell.
    """
    shapes, nodes = [], 0
    for path in sorted(bundle.files):
        if not path.endswith(".py"):
            continue
        try:
            tree = ast.parse(bundle.files[path])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ""
        kinds = [_kind(node) for node in ast.walk(tree) if not _is_docstring(node)]
        nodes += len(kinds)
        shapes.append(" ".join(kinds))
    if nodes < SHORTEST:
        return ""
    return hashlib.sha256("\n".join(sorted(shapes)).encode()).hexdigest()


def _kind(node: ast.AST) -> str:
    """What a node is; of a number its value too, since a search lives by its numbers."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float | complex):
        return f"Number {node.value!r}"
    return type(node).__name__


def _is_docstring(node: ast.AST) -> bool:
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return text or (isinstance(node, ast.Constant) and isinstance(node.value, str))
