"""The evaluation of a game's positions, callable from Python."""

from typing import Any

from hansu.games.game import Game, check_color
from hansu.games.rules_on_words import rules_on_words
from hansu.games.state import State, check_state
from hansu.kernel import kernel


class Evaluator:
    """Evaluates states: running ones by the game's ``evaluate``, finished ones by their result.

    ``evaluate(pos)`` is compiled and returns the first player's share, in [0, 1].
    """

    def __init__(self, game: Game, evaluate: Any) -> None:
        self.first_color = game.first_color
        self.evaluate = evaluate
        unpack = rules_on_words(game.rules).unpack

        @kernel(variant=(game.rules, evaluate))
        def evaluate_words(words):
            return evaluate(unpack(words))

        self._evaluate_words = evaluate_words

    def static_eval(self, state: State) -> float:
        """Return the first player's share by ``evaluate`` alone, even where the game is over."""
        check_state(state)
        return float(self._evaluate_words(state.words))

    def eval(self, state: State, color: bool) -> float:
        """Return the evaluation for ``color``, from 0 (lost) to 1 (won).

        >>> import hansu
        >>> game = hansu.game("microchess")
        >>> game.evaluator.eval(game.start(), hansu.WHITE)
        0.5
        """
        check_state(state)
        check_color(color)
        if state.is_game_over():
            return self.win_or_lose(state, color)
        share = self.static_eval(state)
        return share if color == self.first_color else 1.0 - share

    def eval_2(self, state: State, color: bool) -> float:
        """Return the same from -1 (lost) to 1 (won)."""
        return 2.0 * self.eval(state, color) - 1.0

    def win_or_lose(self, state: State, color: bool) -> float:
        """Return 1 for a won game, 0 for a lost one, and 0.5 for a draw or a running game."""
        check_state(state)
        check_color(color)
        outcome = state.outcome()
        if outcome is None or outcome.winner is None:
            return 0.5
        return float(outcome.winner == color)
