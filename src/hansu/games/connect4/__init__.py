"""Connect Four: drop discs into columns; four in a row win.

White is the first player (x in text, yellow in pictures). Moves are the columns 1-7, and a game
is the string of its columns: 4453.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hansu.errors import HansuError, OptionError
from hansu.games.connect4 import draw, evaluate, features, notation, playout, rules
from hansu.games.connect4.layout import Layout
from hansu.games.connect4.solver import Connect4Solver
from hansu.games.connect4.state import Connect4State
from hansu.games.features import Features
from hansu.games.game import Game, GameOptions
from hansu.games.open_spiel import OpenSpielGame
from hansu.games.training_size import TrainingSize
from hansu.games.transcript import bare, replay_moves


@dataclass(frozen=True)
class Connect4Options(GameOptions):
    """The rules of Connect Four that can be chosen."""

    no_center_opening: bool = False  # the very first move may not be the middle column
    width: int = rules.COLUMNS  # 4 to 8
    height: int = rules.ROWS  # 4 to 8; the columns, each with one cell more, fill 64 at most

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            if not rules.LEAST <= getattr(self, name) <= rules.MOST:
                raise OptionError(
                    f"connect4 option {name}: {getattr(self, name)} is not {rules.LEAST} to "
                    f"{rules.MOST}"
                )
        if self.width * (self.height + 1) > 64:
            raise OptionError(
                f"connect4 option height: {self.height} is too much with {self.width} columns; at "
                f"most {64 // self.width - 1} fit"
            )
        if self.no_center_opening and self.width % 2 == 0:
            raise OptionError(
                f"connect4 option no_center_opening: {self.width} columns have no middle one"
            )


class Connect4(Game[Connect4Options]):
    """Four in a row on seven columns of six."""

    name = "connect4"
    title = "Connect Four"
    Options = Connect4Options
    rules = rules
    evaluate = staticmethod(evaluate.evaluate)  # open lines
    heavy_move = staticmethod(playout.heavy_move)  # fours made and prevented
    pieces = (("yellow_disc", "x"), ("red_disc", "o"))
    draw_piece = staticmethod(draw.piece)
    training_size = TrainingSize(
        "R64x5", temperature_turns=12, noise_alpha=1.0, random_opening_plies=10
    )
    refusals: ClassVar[Mapping[str, str]] = {
        "floating": "a stone floats in column {column}: the cell in row {row} below it is empty, "
        "but stones fall to the bottom",
        "connect4_turns": "this board cannot arise: x has {first} stones and o {second}, but x "
        "begins and they take turns",
        "connect4_order": "no game leads to this board: {reason}",
    }

    @property
    def board(self) -> Layout:
        """The board's size, and where its cells lie in a word."""
        return Layout(self.options.width, self.options.height)

    @property
    def max_turns(self) -> int:
        """One turn a cell."""
        return self.board.width * self.board.height

    def start(self) -> Connect4State:
        """Return the empty board."""
        no_center, board = self.options.no_center_opening, self.board
        return Connect4State(
            self, np.array([0, 0, 0, 0, no_center, board.bottom, board.height], np.uint64)
        )

    def showcase(self) -> Connect4State:
        """Return a position whose picture shows what the game is like."""
        return self.parse("4435346262531")

    def parse(self, text: str) -> Connect4State:
        """Read the columns of a game such as ``4453``, or a board of ``x o .``, rows from the top.

        >>> import hansu
        >>> board = "....... ....... ....... ....... ...o... ...xx.."
        >>> hansu.game("connect4").parse(board).text()
        '445'
        """
        text, board = bare(text), self.board
        is_uci = "," in text
        if is_uci or notation.is_board(text):
            read = notation.parse_uci_cells if is_uci else notation.parse_board
            stacks = read(text, board)
            text = notation.find_game(stacks, self.options.no_center_opening, board)
        return replay_moves(self.start(), text, "(?s).")

    def make_solver(self, memory: int) -> Connect4Solver:
        """Return a solver of every position."""
        return Connect4Solver(self, memory)

    def open_spiel(self) -> OpenSpielGame:
        """Return OpenSpiel's name of the game; it counts the columns from 0.

        >>> import hansu
        >>> hansu.game("connect4").open_spiel().action(4)
        3
        """
        if self.options.no_center_opening:
            raise HansuError("OpenSpiel's connect4 always allows the first move in the middle")
        if self.board != notation.USUAL:
            raise HansuError("OpenSpiel's connect4 has 7 columns of 6")
        return OpenSpielGame("connect_four", {}, lambda move: move - 1, lambda action: action + 1)

    @functools.cached_property
    def features(self) -> Features:
        """Two planes, an action for each column, two symmetries."""
        width, height = self.board.width, self.board.height
        return Features(
            self,
            features,
            (2, height, width),
            width,
            features.symmetries(width, height),
            packing=features.board_packing(width, height),
        )
