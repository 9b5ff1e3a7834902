"""The grammar of PGN: tags, moves, variations and comments of every game of a text.

The reader of a game decides whether a word is a move. The work is linear in the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

MAX_PROBLEMS = 100  # of one game
MAX_WORDS = 10_000  # of one game
MAX_VARIATIONS = 50_000  # words in all variations of one game
MAX_COMMENT = 20_000  # letters of one comment
MOST_COMMENTS = 100  # on one move
MAX_COMMENTS = 2**20  # letters of all comments of one game
GLYPHS = {"$1": "!", "$2": "?", "$3": "!!", "$4": "??", "$5": "!?", "$6": "?!"}

_TOKEN = re.compile(
    r"""
      (?P<escape>^%[^\n]*)
    | (?P<tag>\[\s*+(?P<name>[A-Za-z0-9_]++)\s*+"(?P<value>(?:[^"\\\n]|\\.)*+)"\s*+\])
    | (?P<broken>^[ \t]*+\[[A-Za-z][^\n]*)
    | (?P<comment>\{)
    | (?P<rest>;[^\n]*)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<annotation>\$[0-9]*|(?:[!?]+|=|~|\+/?[-=]|[-=]/?\+|\+\+?)(?=[\s)]|$))
    | (?P<result>(?:1-0|0-1|1/2-1/2|\*)(?=[\s({;\[]|$))
    | (?P<number>[0-9]*\.+|[0-9]+(?=\s))
    | (?P<word>[^\s{}();$\[]+|\S)
    """,
    re.VERBOSE | re.MULTILINE,
)
_TAG_LINE = re.compile(r'^[ \t]*+\[[A-Za-z0-9_]++[ \t]++"[^"\n]*+"[ \t]*+\][ \t]*+$', re.MULTILINE)


class Word(NamedTuple):
    """A word of a game, most likely a move, with the comments that follow it."""

    text: str
    line: int
    comments: list[str]
    parent: "Word | None" = None  # the word before it, in its own line


@dataclass
class PgnGame:
    """One game as it is written."""

    line: int = 1
    tags: dict[str, str] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)  # before the first move
    moves: list[Word] = field(default_factory=list)
    variations: list[Word] = field(default_factory=list)  # all their words, parents first
    problems: list[tuple[str, int]] = field(default_factory=list)
    is_over: bool = False  # its result has been read
    depth: int = 0  # of variations at the moment
    opened: int = 0  # the line on which the outermost of them begins
    current: Word | None = None  # the last word of the line that is being read
    left: list[Word | None] = field(default_factory=list)  # where variations began
    ahead: list[str] | None = None  # comments before the first move of a variation
    letters: int = 0  # of comments

    def note(self, what: str, line: int) -> None:
        """Add a problem."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append((what, line))


def parse_games(text: str) -> Iterator[PgnGame]:
    """Yield every game of a text, each with its line."""
    game = PgnGame()
    for kind, found, line in _tokens(text):
        if _begins_another(game, kind, found):
            yield _finished(game)
            game = PgnGame()
        if not game.tags and not game.moves:
            game.line = line
        _take(game, kind, found, line)
    if game.tags or game.moves or game.problems:
        yield _finished(game)


def _begins_another(game: PgnGame, kind: str, content: str | tuple[str, str]) -> bool:
    """Return whether a token begins another game: a tag after moves, or the first tag again."""
    if game.is_over:
        return kind in ("tag", "broken", "word", "number")
    if kind in ("tag", "broken") and (game.moves or game.depth):
        return True
    return kind == "tag" and content[0] == next(iter(game.tags), None)


def _tokens(text: str) -> Iterator[tuple[str, str | tuple[str, str], int]]:
    """Yield the kind of each token, its content and its line."""
    at, line, closed = 0, 1, -1
    while (found := _TOKEN.search(text, at)) is not None:
        line += text.count("\n", at, found.start())
        kind, at = str(found.lastgroup), found.end()
        content: str | tuple[str, str] = found[0]
        if kind == "tag":
            content = found["name"], found["value"]
        elif kind == "comment":
            if closed < at:
                closed = text.find("}", at)
                closed = len(text) if closed < 0 else closed
            lost = _TAG_LINE.search(text, at, closed)
            end = lost.start() if lost else closed
            if lost or closed == len(text):
                kind = "unclosed"
            content, at = text[at : min(end, at + MAX_COMMENT)], min(end + (not lost), len(text))
        yield kind, content, line
        line += text.count("\n", found.start(), at)


def _take(game: PgnGame, kind: str, content: str | tuple[str, str], line: int) -> None:
    """Add a piece to a game."""
    if isinstance(content, tuple):
        game.tags.setdefault(*content)
    elif kind == "broken":
        game.note(f'{content.strip()[:40]!r} is not a tag, which is written [Name "value"]', line)
    elif kind == "unclosed":
        game.note("the comment that begins here is not closed", line)
    elif kind == "open":
        game.opened = game.opened if game.depth else line
        game.depth += 1
        game.left.append(game.current)
        game.current, game.ahead = game.current and game.current.parent, []
    elif kind == "close" and not game.depth:
        game.note("this ) closes nothing", line)
    elif kind == "close":
        game.depth -= 1
        game.current, game.ahead = game.left.pop(), None
    elif kind == "result" and not game.depth:
        game.is_over = True
        game.tags.setdefault("Result", content)
    elif kind == "word":
        _add_word(game, content, line)
    elif kind in ("comment", "rest"):
        _add_comment(game, content.lstrip(";") if kind == "rest" else content)
    elif kind == "annotation" and content in GLYPHS:
        _add_comment(game, GLYPHS[content])


def _add_word(game: PgnGame, text: str, line: int) -> None:
    kept, most = (game.variations, MAX_VARIATIONS) if game.depth else (game.moves, MAX_WORDS)
    if len(kept) > most:
        return
    game.current = Word(text, line, game.ahead or [], game.current)
    game.ahead = None
    kept.append(game.current)


def _add_comment(game: PgnGame, comment: str) -> None:
    """Add a comment to the last move; one that begins a variation belongs to its first move."""
    place = game.ahead
    if place is None:
        place = game.comments if game.current is None else game.current.comments
    if len(place) < MOST_COMMENTS and game.letters < MAX_COMMENTS:
        game.letters += len(comment)
        place.append(comment)


def _finished(game: PgnGame) -> PgnGame:
    if game.depth:
        game.note("the variation that begins here is not closed", game.opened)
    return game
