"""Hex: join your two edges of the board with a chain of stones; there are no draws.

Black begins and joins top and bottom, White left and right. Moves are the cells, numbered row by
row from the top left and written a1, b1, ...; with the option ``swap`` the second player may answer
the first stone by taking it over.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from hansu.errors import HansuError, OptionError
from hansu.games.features import Features, board_symmetries
from hansu.games.game import BLACK, Game, GameOptions
from hansu.games.gtp import GtpDialect
from hansu.games.hex import draw, evaluate, features, notation, playout, rules, sgf
from hansu.games.hex.solver import HexSolver
from hansu.games.hex.state import HexState
from hansu.games.open_spiel import OpenSpielGame
from hansu.games.sgf import is_sgf
from hansu.games.sgf_dialect import SgfDialect
from hansu.games.training_size import TrainingSize
from hansu.games.transcript import bare, replay_moves


@dataclass(frozen=True)
class HexOptions(GameOptions):
    """The rules of Hex that can be chosen."""

    size: int = 11  # 3 to 19
    swap: bool = False  # the second player may take over the first stone instead of moving

    def __post_init__(self) -> None:
        if not rules.MIN_SIZE <= self.size <= rules.MAX_SIZE:
            raise OptionError(
                f"hex option size: {self.size} is not {rules.MIN_SIZE} to {rules.MAX_SIZE}"
            )


class Hex(Game[HexOptions]):
    """Hex on a rhombus of hexagonal cells."""

    name = "hex"
    title = "Hex"
    first_color = BLACK
    Options = HexOptions
    mcts_strongest: ClassVar[Mapping[str, Any]] = {"rave": 1000, "exploration_coef": 0.05}
    rules = rules
    evaluate = staticmethod(evaluate.evaluate)  # stones that each side still needs
    heavy_move = staticmethod(playout.heavy_move)  # bridges are kept
    pieces = (("black_stone", "x"), ("white_stone", "o"))
    draw_piece = staticmethod(draw.piece)
    formats = ("sgf", "transcript")
    training_size = TrainingSize(
        "R64x5", temperature_turns=16, noise_alpha=0.15, random_opening_plies=6
    )
    refusals: ClassVar[Mapping[str, str]] = {
        "hex_turns": "this board cannot arise with {side} to move: x has {first} stones and o "
        "{second}, but x begins and they take turns",
        "hex_connected": "{side} has already connected: {mover} cannot be to move",
    }

    @property
    def size(self) -> int:
        """How many rows and columns the board has."""
        return self.options.size

    @property
    def cells(self) -> int:
        """How many cells the board has; as a move, this number is the swap."""
        return self.size * self.size

    @property
    def max_turns(self) -> int:
        """A stone for every cell, and perhaps the swap."""
        return self.cells + self.options.swap

    def start(self) -> HexState:
        """Return the empty board."""
        return HexState(self, rules.start(self.size, self.options.swap))

    def showcase(self) -> HexState:
        """Return a position on a small board whose picture shows what the game is like."""
        return Hex(size=6).parse("d3 c4 c5 d5 e2 e3 d2 b4 b5 c3")

    def drawn(self, rows: list[str], turn: bool) -> str:
        """Return the board, and the side to move where the number of stones does not tell it."""
        side = f" {'x' if turn == BLACK else 'o'} to move" if self.options.swap else ""
        return "/".join(rows) + side

    def parse(self, text: str) -> HexState:
        """Read the moves of a game such as ``a3 b2 c1``, a board, or a record in SGF.

        A board is rows of ``x o .`` from the top, separated by blanks or ``/``; x is Black, o is
        White. Who is to move follows from the number of stones, unless ``x to move`` or
        ``o to move`` says otherwise. A record brings its size along.

        >>> import hansu
        >>> print(hansu.game("hex", size=3).parse("b2 a3 c1"))
         a b c
        1 . . x
         2 . x .
          3 o . .
        o to move
        """
        text = bare(text)
        if is_sgf(text):
            return sgf.parse_record(self, text)
        if notation.is_board(text):
            return HexState(self, notation.parse_board(self, text))
        return replay_moves(self.start(), text.lower(), r"swap(-pieces)?|[a-z][0-9]{1,2}")

    def gtp(self) -> GtpDialect:
        """Return the GTP of MoHex and HexGui."""
        from hansu.games.hex.gtp import GtpHex  # which imports this class

        return GtpHex()

    def sgf(self) -> SgfDialect:
        """Return the SGF of HexGui."""
        return sgf.SgfHex()

    def make_solver(self, memory: int) -> HexSolver:
        """Return a solver of small boards."""
        return HexSolver(self, memory)

    def open_spiel(self) -> OpenSpielGame:
        """Return OpenSpiel's name of the game, which has no swap."""
        if self.options.swap:
            raise HansuError("OpenSpiel's hex has no swap")
        return OpenSpielGame("hex", {"board_size": self.size})

    @functools.cached_property
    def features(self) -> Features:
        """Two planes, an action for each cell and perhaps the swap, two symmetries."""
        swap = int(self.options.swap)
        symmetries = board_symmetries(self.size, self.size, ("identity", "half turn"), swap)
        return Features(
            self,
            features,
            (2, self.size, self.size),
            self.cells + swap,
            symmetries,
            packing=features.board_packing(self.size),
        )
