"""Othello in GTP."""

from typing import cast

from hansu.errors import OptionError
from hansu.games.game import Game
from hansu.games.gtp import GtpDialect, score_text
from hansu.games.othello.rules import PASS
from hansu.games.othello.state import OthelloState
from hansu.games.state import PlainState


class GtpOthello(GtpDialect):
    """Othello, as GRhino speaks it: squares a1-h8 from the top left, passes not mentioned."""

    def opening(self, start: PlainState) -> list[str]:
        """The usual start, or GRhino's own command for another board."""
        usual = start.text() == start.game.start().text()
        return [
            "boardsize 8",
            "clear_board",
            *([] if usual else [f"grhino-setup_board {start.text()}"]),
        ]

    def is_unspoken(self, state: PlainState) -> bool:
        """Whether the side to move has to pass, which othello programs do not mention."""
        return state.move_ids() == [PASS]

    def resized(self, game: Game, size: int) -> Game:
        """Eight by eight it stays."""
        if size != 8:
            raise OptionError("unacceptable size: othello is played on 8x8")
        return game

    def to_play(self, state: PlainState, color: bool) -> PlainState:
        """The position with a colour to play: the other one may have to pass before."""
        if state.turn != color and self.is_unspoken(state):
            return state.forward(PASS)
        return super().to_play(state, color)

    def score(self, state: PlainState) -> str:
        """Who has more discs and by how many."""
        black, white = cast(OthelloState, state).discs()
        return score_text(black.bit_count() - white.bit_count())

    def stones(self, state: PlainState) -> list[str]:
        """Every disc, in one line."""
        black, white = cast(OthelloState, state).discs()
        return [" ".join(state.move_text(s) for s in range(64) if (black | white) >> s & 1)]
