"""Hex in GTP, as MoHex and HexGui speak it: ``play b f6``, ``play w swap-pieces``."""

from typing import cast

from hansu.errors import HansuError, PositionError
from hansu.games.game import Game
from hansu.games.gtp import COLORS, GtpDialect
from hansu.games.hex import Hex
from hansu.games.hex.state import HexState
from hansu.games.state import PlainState


class GtpHex(GtpDialect):
    """Hex: square boards, Black joins top and bottom."""

    def opening(self, start: PlainState) -> list[str]:
        """Return an empty board of the size, and the stones of a set-up position one by one."""
        state = cast(HexState, start)
        stones = [
            f"play {COLORS[color]} {state.move_text(cell)}"
            for cell, color in enumerate(state.stones())
            if color is not None
        ]
        return [f"boardsize {state.game.size} {state.game.size}", "clear_board", *stones]

    def move_text(self, state: PlainState, move: int) -> str:
        """Return a move as hex programs write it: the swap is swap-pieces."""
        return "swap-pieces" if move == cast(HexState, state).game.cells else state.move_text(move)

    def vertex(self, state: PlainState, move: int) -> str:
        """Return a move as answers write it: in small letters, as hex programs do."""
        return self.move_text(state, move)

    def resized(self, game: Game, size: int) -> Game:
        """Return the game on another board; raises OptionError."""
        return Hex(size=size, swap=game.options.swap)

    def to_play(self, state: PlainState, color: bool) -> PlainState:
        """Return the position with a colour to play, even out of turn, where that can arise."""
        if state.turn == color or state.is_game_over():
            return state
        board = state.text().partition(" ")[0]
        try:
            return cast(Hex, state.game).parse(f"{board} {'xo'[color]} to move")
        except PositionError:
            return super().to_play(state, color)

    def score(self, state: PlainState) -> str:
        """Return the winner; raises HansuError while the game runs."""
        outcome = state.outcome()
        if outcome is None:
            raise HansuError("cannot score: the game is not over")
        return "W+" if outcome.winner else "B+"

    def stones(self, state: PlainState) -> list[str]:
        """Return every stone, in one line."""
        board = cast(HexState, state).stones()
        return [" ".join(state.move_text(c) for c, color in enumerate(board) if color is not None)]
