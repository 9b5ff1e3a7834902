"""Tic-tac-toe, the teaching game: three in a row on 3x3.

White is X and begins. Moves are cells: the integers 0-8, written a1-c3 from the top left.
"""

import functools
from collections.abc import Mapping
from typing import ClassVar

from hansu.games.features import Features, board_symmetries
from hansu.games.game import Game
from hansu.games.open_spiel import OpenSpielGame
from hansu.games.tictactoe import draw, evaluate, features, notation, playout, rules
from hansu.games.tictactoe.solver import TicTacToeSolver
from hansu.games.tictactoe.state import TicTacToeState
from hansu.games.training_size import TrainingSize
from hansu.games.transcript import bare, replay_moves


class TicTacToe(Game):
    """Three in a row on 3x3."""

    name = "tictactoe"
    title = "Tic-tac-toe"
    rules = rules
    evaluate = staticmethod(evaluate.evaluate)  # open lines
    heavy_move = staticmethod(playout.heavy_move)  # lines made and prevented
    pieces = (("cross", "X"), ("nought", "O"))
    draw_piece = staticmethod(draw.piece)
    training_size = TrainingSize(
        "R32x2",
        "R32x2",
        simulations=48,
        temperature_turns=9,
        noise_alpha=1.5,
        random_opening_plies=4,
        games=256,
        card_games=1024,
        cpu_games=256,
        capacity=40_000,
    )
    refusals: ClassVar[Mapping[str, str]] = {
        "tictactoe_turns": "{board} cannot arise: X has {first} cells and O {second}, but X "
        "begins and they take turns",
        "tictactoe_line": "{board} cannot arise: {side} has a line but is to move, and a line "
        "ends the game",
    }

    @property
    def max_turns(self) -> int:
        """One turn a cell."""
        return 9

    def start(self) -> TicTacToeState:
        """Return the empty board."""
        return TicTacToeState(self, notation.parse_board("........."))

    def showcase(self) -> TicTacToeState:
        """Return a position whose picture shows what the game is like."""
        return self.parse("b2a1c3c1b1")

    def parse(self, text: str) -> TicTacToeState:
        """Read a board such as ``XO..X....`` or the moves of a game such as ``b2a1c3``."""
        text = bare(text)
        if notation.is_board(text):
            return TicTacToeState(self, notation.parse_board(text))
        return replay_moves(self.start(), text, "[A-Za-z][0-9]")

    def make_solver(self, memory: int) -> TicTacToeSolver:
        """Return the full solution."""
        return TicTacToeSolver()

    def open_spiel(self) -> OpenSpielGame:
        """Return OpenSpiel's name of the game; its actions are our moves."""
        return OpenSpielGame("tic_tac_toe")

    @functools.cached_property
    def features(self) -> Features:
        """Two planes, nine actions, eight symmetries."""
        return Features(
            self, features, (2, 3, 3), 9, board_symmetries(3, 3), packing=features.PACKING
        )
