"""Tic-tac-toe, the teaching game: three in a row on 3x3.

White is X and begins. Moves are cells: the integers 0-8, written a1-c3 from the top left.
"""

import functools
from typing import Any

from hansu.games.evaluator import Evaluator
from hansu.games.features import Features, board_symmetries
from hansu.games.game import Game
from hansu.games.tictactoe import evaluate, features, notation, playout, rules
from hansu.games.tictactoe.state import TicTacToeState


class TicTacToe(Game):
    """Three in a row on 3x3."""

    name = "tictactoe"
    title = "Tic-tac-toe"
    compiled = rules

    @property
    def max_turns(self) -> int:
        """One turn a cell."""
        return 9

    def start(self) -> TicTacToeState:
        """The empty board."""
        return TicTacToeState(self, notation.parse_board("........."))

    def parse(self, text: str) -> TicTacToeState:
        """A board such as ``XO..X....`` or the moves of a game such as ``b2a1c3``."""
        if notation.is_board(text):
            return TicTacToeState(self, notation.parse_board(text))
        return notation.replay(self.start(), text)

    @functools.cached_property
    def evaluator(self) -> Evaluator:
        """Open lines: see ``evaluate``."""
        return Evaluator(self, evaluate.evaluate)

    @functools.cached_property
    def heavy_move(self) -> Any:
        """Lines made and prevented: see ``playout``."""
        return playout.heavy_move

    @functools.cached_property
    def features(self) -> Features:
        """Two planes, nine actions, eight symmetries."""
        return Features(
            self, features, (2, 3, 3), 9, board_symmetries(3, 3), packing=features.PACKING
        )
