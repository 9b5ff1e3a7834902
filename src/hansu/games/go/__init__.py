"""Go: surround more of the board than the other.

Black begins. Moves are points, numbered row by row from the top left and written A1-T19 (without
I) as in GTP; the number after the last point is the pass. Area is counted, self-capture is illegal
and so is a play that brings back an earlier board with the same player to move (situational
superko): the rules of the American Go Association.
"""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from hansu.errors import HansuError, OptionError
from hansu.games.features import Features, board_symmetries
from hansu.games.game import BLACK, Game, GameOptions
from hansu.games.go import (
    board,
    draw,
    evaluate,
    features,
    notation,
    playout,
    playout_board,
    record,
    rules,
)
from hansu.games.go.solver import GoSolver
from hansu.games.go.state import GoState
from hansu.games.go.tables import MAX_SIDE
from hansu.games.gtp import GtpDialect
from hansu.games.open_spiel import OpenSpielGame
from hansu.games.sgf_dialect import SgfDialect
from hansu.games.state import State
from hansu.games.training_size import TrainingSize
from hansu.games.transcript import bare

MIN_SIDE = 2
MAX_KOMI = MAX_SIDE * MAX_SIDE
MOST_TURNS = 100_000


@dataclass(frozen=True)
class GoOptions(GameOptions):
    """The rules of go that can be chosen.

    >>> GoOptions(size="9x7").width, GoOptions(size="9x7").height
    (9, 7)
    """

    size: int | str = 9  # 2 to 19, or width x height such as 9x7
    komi: float = 7  # points that White gets for moving second; a multiple of a half
    max_turns: int | None = None  # none: three times the number of points

    def __post_init__(self) -> None:
        sides = [int(side) for side in re.findall(r"\d+", str(self.size))]
        readable = re.fullmatch(r"\d{1,2}([xX]\d{1,2})?", str(self.size))
        if not readable or not all(MIN_SIDE <= side <= MAX_SIDE for side in sides):
            raise OptionError(
                f"go option size: {self.size!r} is not a board: {MIN_SIDE} to {MAX_SIDE} is "
                "expected, or width x height such as 9x7"
            )
        square = len(set(sides)) == 1
        object.__setattr__(self, "size", sides[0] if square else f"{sides[0]}x{sides[1]}")
        if not abs(self.komi) <= MAX_KOMI or 2 * self.komi != int(2 * self.komi):
            raise OptionError(
                f"go option komi: {self.komi:g} is not a multiple of 0.5 "
                f"from -{MAX_KOMI} to {MAX_KOMI}"
            )
        if self.max_turns is not None and not 1 <= self.max_turns <= MOST_TURNS:
            raise OptionError(f"go option max_turns: {self.max_turns} is not 1 to {MOST_TURNS}")

    @property
    def width(self) -> int:
        """How many columns the board has."""
        return int(str(self.size).partition("x")[0])

    @property
    def height(self) -> int:
        """How many rows the board has."""
        return int(str(self.size).rpartition("x")[2])


class Go(Game[GoOptions]):
    """Go under the rules of the American Go Association."""

    name = "go"
    title = "Go"
    first_color = BLACK
    Options = GoOptions
    rules = rules
    evaluate = staticmethod(evaluate.evaluate)  # area and captured stones
    heavy_move = staticmethod(playout.heavy_move)  # captures, rescues, patterns
    pieces = (("black_stone", "x"), ("white_stone", "o"))
    draw_piece = staticmethod(draw.piece)
    formats = ("sgf",)
    has_pass = True
    mcts_strongest: ClassVar[Mapping[str, Any]] = {
        "rave": 1000,
        "exploration_coef": 0.05,
        "playout": "heavy",
    }
    counts_dead_stones = True
    # Games are long, and those in progress began with an older network: fewer at a time.
    training_size = TrainingSize(
        "R96x6", temperature_turns=16, noise_alpha=0.15, random_opening_plies=6, games=1024
    )
    refusals: ClassVar[Mapping[str, str]] = {
        "no_liberty": "the string at {point} has no liberty: captured stones are taken off the "
        "board",
    }

    @functools.cached_property
    def width(self) -> int:
        """How many columns the board has."""
        return self.options.width

    @functools.cached_property
    def height(self) -> int:
        """How many rows the board has."""
        return self.options.height

    @property
    def komi(self) -> float:
        """The points that White gets for moving second."""
        return float(self.options.komi)

    @property
    def max_turns(self) -> int:
        """A game that has lasted this long is ended and counted."""
        return self.options.max_turns or 3 * self.width * self.height

    def start(self) -> GoState:
        """Return the empty board."""
        komi_halves = int(2 * self.komi)
        return GoState(self, board.start(self.width, self.height, komi_halves, self.max_turns))

    def on_playout_board(self, state: "State") -> tuple[ModuleType, Any] | None:
        """Return a position as sets of points, where they are small enough."""
        if not playout_board.fits(state.words):
            return None
        return playout_board, np.array(playout_board.from_words(state.words), np.uint64)

    def counted(self) -> GoState:
        """Return a position with all borders closed: Black has 46 points, White 35 and komi."""
        rows = ["....xo..."] * 4 + ["....xxo.."] + ["....xo..."] * 4
        return self.parse("/".join(rows))

    def showcase(self) -> GoState:
        """Return a position whose picture shows what the game is like."""
        return self.parse("E5 C7 G6 C4 G3 D6 E7 F2 G2 E3 C8 B8 F3 B7")

    def drawn(self, rows: list[str], turn: bool) -> str:
        """Return the board and the side to move."""
        return f"{'/'.join(rows)} {'b' if turn == BLACK else 'w'}"

    def parse(self, text: str, allow_repeats: bool = False) -> GoState:
        """Read a record in SGF, the moves of a game such as ``D4 E5 pass``, or a drawn board.

        A record that names its size and komi, and a drawing, bring these along: the state's
        ``game`` has them. A record is read along its main line; where it sets up stones after
        moves, the state begins there, and where a player moves twice, the other has passed. A
        move that breaks the rules is refused, but other rules let a board come back:
        ``allow_repeats`` lets such records pass.

        A drawing has a row a line (or rows separated by /) from the top, with ``x`` for Black,
        ``o`` for White and ``.`` for an empty point; ``white to move`` may follow.

        >>> import hansu
        >>> game = hansu.game("go", size=5)
        >>> print(game.parse("C3 D3 pass B3"))
          A B C D E
        5 . . . . .
        4 . . . . .
        3 . o x o .
        2 . . . . .
        1 . . . . .
        >>> game.parse("...../.x.../...../...o./..... white to move").legal_moves[:4]
        [0, 1, 2, 3]
        """
        text = bare(text)
        if notation.is_record(text):
            return record.parse_record(self, text, allow_repeats)
        if notation.is_drawing(text):
            return notation.parse_drawing(self, text)
        return notation.replay(self.start(), text)

    def resized(self, size: str | int, komi: float) -> "Go":
        """Return the same game on another board; raises OptionError."""
        return Go(size=size, komi=komi, max_turns=self.options.max_turns)

    def make_solver(self, memory: int) -> GoSolver:
        """Return the solver; raises HansuError for boards that are too large."""
        return GoSolver(self, memory)

    def gtp(self) -> GtpDialect:
        """Return GTP's go: square boards, komi, handicap, either colour at any time."""
        from hansu.games.go.gtp import GtpGo  # which imports this class

        return GtpGo()

    def sgf(self) -> SgfDialect:
        """Return SGF's go: points as two letters, komi, handicap."""
        return record.SgfGo()

    def open_spiel(self) -> OpenSpielGame:
        """Return OpenSpiel's name of the game; it numbers the points from the bottom.

        >>> import hansu
        >>> hansu.game("go", size=5).open_spiel().action(0)
        20
        """
        if self.width != self.height:
            raise HansuError(f"OpenSpiel's go boards are square, not {self.options.size}")
        size = self.width

        def flipped(point: int) -> int:
            row, column = divmod(point, size)
            return point if row == size else (size - 1 - row) * size + column

        parameters = {"board_size": size, "komi": self.komi, "max_game_length": self.max_turns}
        return OpenSpielGame("go", parameters, flipped, flipped)

    @functools.cached_property
    def features(self) -> Features:
        """Seven planes, an action for each point and the pass, eight symmetries (or four)."""
        shape = (features.PLANES, self.height, self.width)
        symmetries = board_symmetries(self.height, self.width, other_actions=1)
        return Features(
            self,
            features,
            shape,
            self.width * self.height + 1,
            symmetries,
            packing=features.board_packing(self.width, self.height),
        )
