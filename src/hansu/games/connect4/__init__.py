"""Connect Four: drop discs into seven columns; four in a row win.

White is the first player (x in text, yellow in pictures). Moves are the columns 1-7, and a game
is the string of its columns: 4453.
"""

import functools
from dataclasses import dataclass

import numpy as np

from hansu.errors import HansuError
from hansu.games.connect4 import evaluate, features, notation, playout, rules
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

    no_center_opening: bool = False  # the very first move may not be column 4


class Connect4(Game[Connect4Options]):
    """Four in a row on seven columns of six."""

    name = "connect4"
    title = "Connect Four"
    Options = Connect4Options
    rules = rules
    evaluate = staticmethod(evaluate.evaluate)  # open lines
    heavy_move = staticmethod(playout.heavy_move)  # fours made and prevented
    training_size = TrainingSize(
        "R64x5", temperature_turns=12, noise_alpha=1.0, random_opening_plies=10
    )

    width, height = rules.COLUMNS, rules.ROWS

    @property
    def max_turns(self) -> int:
        """One turn a cell."""
        return rules.COLUMNS * rules.ROWS

    def start(self) -> Connect4State:
        """Return the empty board."""
        return Connect4State(
            self, np.array([0, 0, 0, 0, self.options.no_center_opening], np.uint64)
        )

    def parse(self, text: str) -> Connect4State:
        """Read the columns of a game such as ``4453``, or a board of ``x o .``, rows from the top.

        >>> import hansu
        >>> board = "....... ....... ....... ....... ...o... ...xx.."
        >>> hansu.game("connect4").parse(board).text()
        '445'
        """
        text = bare(text)
        if "," in text:
            text = notation.find_game(
                notation.parse_uci_cells(text), self.options.no_center_opening
            )
        elif notation.is_board(text):
            text = notation.find_game(notation.parse_board(text), self.options.no_center_opening)
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
        return OpenSpielGame("connect_four", {}, lambda move: move - 1, lambda action: action + 1)

    @functools.cached_property
    def features(self) -> Features:
        """Two planes, seven actions, two symmetries."""
        return Features(
            self,
            features,
            features.SHAPE,
            rules.COLUMNS,
            features.SYMMETRIES,
            packing=features.PACKING,
        )
