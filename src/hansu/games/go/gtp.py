"""Go in GTP, the protocol that was made for it."""

from typing import Any, cast

from hansu.errors import HansuError, OptionError
from hansu.games.game import Game
from hansu.games.go import Go
from hansu.games.go.state import GoState
from hansu.games.gtp import COLORS, GtpDialect, score_text
from hansu.games.state import PlainState


class GtpGo(GtpDialect):
    """Go in GTP."""

    def check(self, game: Game) -> None:
        """Raise HansuError for a board that is not square."""
        board = cast(Go, game)
        if board.width != board.height:
            raise HansuError(f"GTP has square boards only, not {board.width}x{board.height}")

    def opening(self, start: PlainState) -> list[str]:
        """Return the commands that bring an engine to the position that a game starts from."""
        game, state = cast(Go, start.game), cast(GoState, start)
        stones = [
            f"play {COLORS[color]} {state.move_text(point)}"
            for point, color in enumerate(state.stones())
            if color is not None
        ]
        return [f"boardsize {game.width}", "clear_board", f"komi {game.komi:g}", *stones]

    def resized(self, game: Game, size: int) -> Game:
        """Return the game on another board; raises OptionError."""
        return cast(Go, game).resized(size, cast(Go, game).komi)

    def with_komi(self, game: Game, komi: float) -> Game:
        """Return the game with another komi; raises OptionError."""
        return cast(Go, game).resized(cast(Go, game).options.size, komi)

    def set_up(self, game: Game, start: PlainState) -> PlainState:
        """Return the same board under another komi."""
        return cast(Go, game).parse(f"{start}\n{COLORS[start.turn]} to move")

    def to_play(self, state: PlainState, color: bool) -> PlainState:
        """Return the position with a colour to play, even out of turn and after two passes."""
        if state.turn == color and not state.is_game_over():
            return state
        return cast(Go, state.game).parse(f"{state}\n{COLORS[color]} to move")

    def score(self, state: PlainState) -> str:
        """Return who is ahead and by how much, all stones alive: ``B+3.5``, ``W+7``, or ``0``."""
        return score_text(cast(GoState, state).area().lead)

    def stones(self, state: PlainState) -> list[str]:
        """Return every string on the board, a line each."""
        board, seen, lines = cast(GoState, state), set[int](), []
        for point, color in enumerate(board.stones()):
            if color is not None and point not in seen:
                string = cast(Any, board.string_at(point)).stones
                seen |= string
                lines.append(" ".join(board.move_text(stone) for stone in sorted(string)))
        return lines

    def handicap(self, game: Game, count: int) -> list[int]:
        """Return the points for handicap stones; raises OptionError where GTP defines none."""
        size = cast(Go, game).width
        most = 0 if size < 7 else 4 if size % 2 == 0 or size == 7 else 9
        if not 2 <= count <= most:
            raise OptionError(f"{size}x{size} has no {count} handicap points")
        low, middle, high = (3 if size > 12 else 2), size // 2, size - 1 - (3 if size > 12 else 2)
        # In GTP's order: corners, then the middles of two sides each, the centre for odd numbers.
        corners = [(low, low), (high, high), (low, high), (high, low)]
        sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
        even = count - (count % 2 if count > 4 else 0)
        points = [*corners, *sides][:even]
        if even != count:
            points.append((middle, middle))
        return [(size - 1 - row) * size + column for column, row in points]
