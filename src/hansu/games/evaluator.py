"""How good is a position? One small object per game around a compiled evaluation."""

from typing import Any

from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.games.rules_on_words import bridge
from hansu.games.state import State
from hansu.kernel import kernel


class Evaluator:
    """Judges states: running ones by the game's ``evaluate``, finished ones by their result.

    ``judge`` is the compiled ``evaluate(pos)``: a number in [0, 1], the share of the player who
    began the game.
    """

    def __init__(self, game: Game, judge: Any) -> None:
        self.first_color = game.first_color
        self.judge = judge
        unpack = bridge(game.rules).unpack

        @kernel(variant=(game.rules, judge))
        def judge_words(words):
            return judge(unpack(words))

        self._judge_words = judge_words

    def judged(self, state: State) -> float:
        """The judgement alone, without a look at the result: the share of who began the game."""
        return float(self._judge_words(state.words))

    def eval(self, state: State, color: bool) -> float:
        """How well ``color`` stands, from 0 (lost) to 1 (won).

        >>> import hansu
        >>> game = hansu.game("microchess")
        >>> game.evaluator.eval(game.start(), hansu.WHITE)
        0.5
        """
        if not isinstance(state, State):
            raise HansuError(f"{state!r} is not a state: game.start() makes one")
        outcome = state.outcome()
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner == color)
        share = self.judged(state)
        return share if color == self.first_color else 1.0 - share

    def eval_2(self, state: State, color: bool) -> float:
        """The same from -1 (lost) to 1 (won)."""
        return 2.0 * self.eval(state, color) - 1.0

    def win_or_lose(self, state: State, color: bool) -> float:
        """1 for a won game, 0 for a lost one, a half for a draw and while it runs."""
        outcome = state.outcome()
        if outcome is None or outcome.winner is None:
            return 0.5
        return float(outcome.winner == color)
