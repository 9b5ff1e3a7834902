"""GTP for each game: what differs from game to game in the protocol.

GTP was made for go: either colour may play at any time, boards have sizes and komi. Programs for
other games use it with a few differences, which a game describes by a subclass.
"""

from hansu.errors import HansuError, OptionError
from hansu.games.game import BLACK, WHITE, Game
from hansu.games.state import PlainState

COLORS = {BLACK: "black", WHITE: "white"}


class GtpDialect:
    """A game with one board, no komi, and players who strictly take turns."""

    def check(self, game: Game) -> None:
        """Raise HansuError for a board that GTP cannot describe."""

    def opening(self, start: PlainState) -> list[str]:
        """Return the commands that bring an engine to the position that a game starts from."""
        raise NotImplementedError

    def move_text(self, state: PlainState, move: int) -> str:
        """Return a move as GTP writes it."""
        return state.move_text(move)

    def vertex(self, state: PlainState, move: int) -> str:
        """Return a move as answers write it: points in capital letters."""
        text = self.move_text(state, move)
        return text.upper() if text[-1].isdigit() else text

    def is_implicit(self, state: PlainState) -> bool:
        """Return whether GTP leaves this turn out, such as a forced pass."""
        return False

    def resized(self, game: Game, size: int) -> Game:
        """Return the game on another board; raises OptionError."""
        raise OptionError(f"unacceptable size: {game.name} has one board")

    def with_komi(self, game: Game, komi: float) -> Game:
        """Return the game with another komi; controllers send one whether it has one or not."""
        return game

    def set_up(self, game: Game, start: PlainState) -> PlainState:
        """Return the same board under changed rules."""
        return start

    def to_play(self, state: PlainState, color: bool) -> PlainState:
        """Return the position with a colour to play; raises HansuError if it is not its turn."""
        if state.turn != color and not state.is_game_over():
            raise HansuError(f"it is {COLORS[state.turn]}'s turn")
        return state

    def score(self, state: PlainState) -> str:
        """Return who is ahead and by how much: ``B+3.5``, ``W+7``, or ``0``."""
        raise NotImplementedError

    def stones(self, state: PlainState) -> list[str]:
        """Return the stones on the board, those that belong together in one line."""
        raise NotImplementedError

    def handicap(self, game: Game, count: int) -> list[int]:
        """Return the points for handicap stones; raises OptionError where there are none."""
        raise OptionError(f"{game.name} has no handicap stones")


def score_text(lead: float) -> str:
    """Return Black's lead as GTP writes it.

    >>> score_text(3.5), score_text(-7), score_text(0)
    ('B+3.5', 'W+7', '0')
    """
    return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"
