"""Othello in GTP."""

from typing import cast

from hansu.errors import OptionError
from hansu.games.game import BLACK, Game
from hansu.games.gtp import GtpDialect, score_text
from hansu.games.othello.rules import PASS
from hansu.games.othello.state import OthelloState
from hansu.games.state import PlainState


class GtpOthello(GtpDialect):
    """Othello, as GRhino speaks it: squares a1-h8 from the top left, passes left out."""

    def opening(self, start: PlainState) -> list[str]:
        """Return the usual start, or GRhino's own command for another board."""
        usual = start.text() == start.game.start().text()
        return [
            "boardsize 8",
            "clear_board",
            *([] if usual else [f"grhino-setup_board {start.text()}"]),
        ]

    def is_implicit(self, state: PlainState) -> bool:
        """Return whether the side to move has to pass, which othello programs leave out."""
        return state.move_ids() == [PASS]

    def resized(self, game: Game, size: int) -> Game:
        """Return the game for size 8; raises OptionError for any other."""
        if size != 8:
            raise OptionError("unacceptable size: othello is played on 8x8")
        return game

    def to_play(self, state: PlainState, color: bool) -> PlainState:
        """Return the position with a colour to play: the other one may have to pass before."""
        if state.turn != color and self.is_implicit(state):
            return state.forward(PASS)
        return super().to_play(state, color)

    def score(self, state: PlainState) -> str:
        """Return who has more discs and by how many; once over, the winner gets the empties."""
        othello = cast(OthelloState, state)
        if state.is_game_over():
            return score_text(2 * othello.tournament_score(BLACK) - 64)
        black, white = othello.discs()
        return score_text(black.bit_count() - white.bit_count())

    def stones(self, state: PlainState) -> list[str]:
        """Return every disc, in one line."""
        black, white = cast(OthelloState, state).discs()
        return [" ".join(state.move_text(s) for s in range(64) if (black | white) >> s & 1)]
