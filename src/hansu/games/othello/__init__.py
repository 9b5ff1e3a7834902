"""Othello: enclose the other side's discs and turn them over; more discs win.

Black begins. Moves are the squares 0-63, written a1-h8 from the top left, and 64 is the pass.
"""

import functools
from typing import TYPE_CHECKING

from hansu.games.features import Features, board_symmetries
from hansu.games.game import BLACK, Game
from hansu.games.gtp import GtpDialect
from hansu.games.open_spiel import OpenSpielGame
from hansu.games.othello import draw, evaluate, features, notation, playout, rules
from hansu.games.othello.state import OthelloState
from hansu.games.training_size import TrainingSize
from hansu.games.transcript import bare

if TYPE_CHECKING:
    from hansu.games.othello.depth_search import OthelloDepthSearch
    from hansu.games.othello.solver import OthelloSolver
    from hansu.games.solver import Solver


class Othello(Game):
    """Enclose and turn over on 8x8."""

    name = "othello"
    title = "Othello"
    first_color = BLACK
    rules = rules
    evaluate = staticmethod(evaluate.evaluate)  # discs, mobility and corners
    heavy_move = staticmethod(playout.heavy_move)  # corners taken and not given away
    pieces = (("black_disc", "X"), ("white_disc", "O"))
    draw_piece = staticmethod(draw.piece)
    formats = ("ggf", "transcript")
    has_pass = True
    # Games are long, and those in progress began with an older network: fewer at a time.
    training_size = TrainingSize(
        "R96x6", temperature_turns=16, noise_alpha=0.8, random_opening_plies=10, games=1024
    )

    @property
    def max_turns(self) -> int:
        """A disc for every square, and never two passes between two discs."""
        return 128

    def start(self) -> OthelloState:
        """Return the usual start: four discs in the middle, Black to move."""
        return OthelloState(self, notation.parse_board(notation.START))

    def showcase(self) -> OthelloState:
        """Return a position whose picture shows what the game is like."""
        return self.parse("f5d6c3d3c4f4c5b3c2e6c6b4")

    def drawn(self, rows: list[str], turn: bool) -> str:
        """Return the board and the side to move."""
        return f"{''.join(rows)} {'X' if turn == BLACK else 'O'}"

    def parse(self, text: str) -> OthelloState:
        """Read a board of 64 letters and the side to move, or moves such as ``f5d6c3``.

        >>> import hansu
        >>> hansu.game("othello").parse("f5d6c3").text()
        '------------------X--------XX------OXX-----O-------------------- O'
        """
        text = bare(text)
        if notation.is_board(text):
            return OthelloState(self, notation.parse_board(text))
        return notation.replay(self.start(), text)

    def make_solver(self, memory: int) -> "OthelloSolver":
        """Return a solver of endings."""
        from hansu.games.othello.solver import OthelloSolver  # only for those who solve

        return OthelloSolver(memory)

    def make_depth_search(
        self, memory: int, solver: "Solver | None" = None
    ) -> "OthelloDepthSearch":
        """Return a search by the pattern evaluation, which solves endings exactly."""
        from hansu.games.othello.depth_search import OthelloDepthSearch  # only for those who search

        return OthelloDepthSearch(memory, solver or self.make_solver(1))

    def gtp(self) -> GtpDialect:
        """Return the GTP of GRhino."""
        from hansu.games.othello.gtp import GtpOthello  # only for those who speak GTP

        return GtpOthello()

    def open_spiel(self) -> OpenSpielGame:
        """Return OpenSpiel's name of the game; its actions are our moves."""
        return OpenSpielGame("othello")

    @functools.cached_property
    def features(self) -> Features:
        """Three planes, 65 actions, eight symmetries."""
        symmetries = board_symmetries(8, 8, other_actions=1)
        return Features(self, features, (3, 8, 8), 65, symmetries, packing=features.PACKING)
