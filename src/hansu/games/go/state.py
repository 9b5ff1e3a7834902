"""The state of a go game: strings, liberties, eyes and area besides the moves."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hansu.errors import MoveError
from hansu.games.game import BLACK, WHITE
from hansu.games.go import board, draw, notation, rules
from hansu.games.state import PlainState, Words

if TYPE_CHECKING:
    from hansu.games.go import Go

Where = int | str  # a point by its number or its name

_COLORS = {BLACK: board.BLACK, WHITE: board.WHITE}
_OWNERS = {int(board.BLACK): BLACK, int(board.WHITE): WHITE}
_SELF_CAPTURE, _SUPERKO = 1, 2  # answers of rules.refusal


@dataclass(frozen=True)
class String:
    """Connected stones of one colour, and their liberties."""

    color: bool
    stones: frozenset[int]
    liberties: frozenset[int]


@dataclass(frozen=True)
class Area:
    """Stones and surrounded points of both sides."""

    black: int
    white: int
    komi: float

    @property
    def lead(self) -> float:
        """By how much Black is ahead, komi counted; negative when White is.

        >>> Area(black=44, white=37, komi=7).lead
        0
        """
        return self.black - self.white - self.komi


class GoState(PlainState):
    """A go position. Moves are points, row by row from the top left; the last one is the pass.

    >>> import hansu
    >>> state = hansu.game("go", size=5).parse("B2 A2 B3 A3")
    >>> print(state)
      A B C D E
    5 . . . . .
    4 . . . . .
    3 o x . . .
    2 o x . . .
    1 . . . . .
    >>> string = state.string_at("A2")
    >>> [state.move_text(point) for point in sorted(string.stones | string.liberties)]
    ['A4', 'A3', 'A2', 'A1']
    >>> state.announce(state.parse_move("a4"))
    'black A4'
    """

    game: "Go"

    def point(self, where: Where) -> int:
        """Return the number of a point on the board; raises MoveError.

        >>> import hansu
        >>> hansu.game("go").start().point("A9")
        0
        """
        points = self.game.width * self.game.height
        point = notation.parse_point(self.game, where) if isinstance(where, str) else where
        if isinstance(point, bool) or not isinstance(point, int | np.integer):
            raise MoveError(f"{where!r} is not a point: a name such as D4 or a number is expected")
        if not 0 <= point < points:
            raise MoveError(f"{where} is not a point of the board: they are 0 to {points - 1}")
        return int(point)

    def stones(self) -> list[bool | None]:
        """Return the colour of the stone on every point, or None."""
        return [_OWNERS.get(color) for color in notation.colors_of(self.words)]

    def stone_at(self, where: Where) -> bool | None:
        """Return the colour of the stone on a point, or None."""
        return self.stones()[self.point(where)]

    def string_at(self, where: Where) -> String | None:
        """Return the string that the stone on a point belongs to, or None on an empty point."""
        color = self.stone_at(where)
        if color is None:
            return None
        stones, liberties = np.empty((2, board.MAX_POINTS), np.int64)
        n, m = board.string_at(self.words, self.point(where), stones, liberties)
        return String(color, frozenset(stones[:n].tolist()), frozenset(liberties[:m].tolist()))

    def is_self_capture(self, where: Where) -> bool:
        """Return whether the side to move would capture its own stones by playing on a point."""
        return self._refusal(where) == _SELF_CAPTURE

    def violates_superko(self, where: Where) -> bool:
        """Return whether playing on a point would repeat a board with the same player to move."""
        return self._refusal(where) == _SUPERKO

    def is_eye(self, where: Where, color: bool) -> bool:
        """Return whether an empty point is an eye of a colour, one that playouts do not fill.

        Its neighbours are own stones, and so are the points at its corners: all of them at the
        edge of the board, else at least three.
        """
        if self.stone_at(where) is not None:
            return False
        at = board.cell_of(self.words, self.point(where))
        return bool(board.is_eye(self.words, board.cells_of(self.words), at, _COLORS[color]))

    def area(self, dead: Collection[int] = ()) -> Area:
        """Return the area of both sides if the game ended here, without the dead stones.

        >>> import hansu
        >>> state = hansu.game("go", size=5).parse("..x../o.x../..x../..x../..x..")
        >>> state.area().black, state.area(dead=[state.point("A4")]).black
        (15, 25)
        """
        black, white = board.area(self._counted(dead))
        return Area(int(black), int(white), self.game.komi)

    def owners(self, dead: Collection[int] = ()) -> list[bool | None]:
        """Return the owner of every point, without the dead stones; None where it is neutral."""
        owners = np.empty(board.MAX_POINTS, np.uint8)
        board.owners(self._counted(dead), owners)
        return [_OWNERS.get(owner) for owner in owners[: self.pass_move].tolist()]

    def counted_without(self, dead: Collection[int]) -> "GoState":
        """Return a copy whose end is counted without the dead stones, as people agree on it.

        A search from it believes so too, as long as these stones are on the board.

        >>> import hansu
        >>> state = hansu.game("go", size=5).parse("..x../o.x../..x../..x../..x..")
        >>> state.counted_without([state.point("A4")]).area().black
        25
        """
        other = self.copy()
        other._words = self.words.copy()
        for stone in dead:
            board.mark_dead(other._words, self.point(stone))
        return other

    def captures(self, color: bool) -> int:
        """Return how many stones a colour has captured."""
        return int(self.words[board.LOST_WHITE if color == BLACK else board.LOST_BLACK])

    def tally(self) -> dict[str, tuple[float, float]]:
        """Return captured stones, and the area with all stones alive and the komi counted."""
        area = self.area()
        return {
            "captures": (self.captures(WHITE), self.captures(BLACK)),
            "area": (area.white + area.komi, area.black),
        }

    @property
    def pass_move(self) -> int:
        """The move that passes."""
        return self.game.width * self.game.height

    def text(self) -> str:
        """Return the game so far in SGF."""
        return notation.format_record(self)

    def format_move(self, move: int) -> str:
        """Return the name of a point, such as D4, or pass."""
        return notation.format_point(self.game, move)

    def read_move(self, text: str) -> int:
        """Return the point that a text names, or the pass."""
        return notation.parse_point(self.game, text)

    def announce(self, move: Any) -> str:
        """Return a move as a referee announces it: "black D4", "black passes", "white resigns"."""
        text = super().announce(move)
        return f"{text}es" if text.endswith(" pass") else text

    def illegal(self, text: str) -> MoveError:
        """Return the error for a move that is not legal here; it names the rule."""
        try:
            why = self._why_not(self.read_move(text))
        except MoveError:
            why = ""
        plain = super().illegal(text)
        if not why:
            return plain
        said = str(plain).replace("not legal here", f"not legal here ({why})")
        return MoveError(said, rule=why.replace("-", "_").replace(" ", "_"))

    def svg(self, **options: Any) -> str:
        """Return the board as a picture; ``territory=True`` marks the owners of empty points."""
        return draw.board(self, **options)

    def __str__(self) -> str:
        return notation.format_board(self.words)

    def _counted(self, dead: Collection[int]) -> Words:
        """Return the position without the dead stones."""
        if not dead:
            return self.words
        colors = np.array(notation.colors_of(self.words), np.uint64)
        colors[[self.point(stone) for stone in dead]] = board.EMPTY
        words: Words = self.game.start().words
        board.set_up(words, colors, 0)
        return words

    def _margin(self) -> float:
        return abs(self.area().lead)

    def _refusal(self, where: Where) -> int:
        """Return why an empty point may not be played on; 0 where it may, or is taken."""
        if self.stone_at(where) is not None:
            return 0
        return int(rules.refusal(self.words, self.path, self.point(where)))

    def _why_not(self, move: int) -> str:
        if move == self.pass_move or not self.move_ids():
            return ""
        if self.stone_at(move) is not None:
            return "the point is taken"
        return {_SELF_CAPTURE: "self-capture", _SUPERKO: "superko"}.get(self._refusal(move), "")
