"""Stand-ins for a trained network: answers that need no weights."""

import functools

import numpy as np

import hansu
from hansu.games.game import Game
from hansu.search.evaluation_cache import Evaluate
from tests.games.tictactoe.test_tictactoe import all_positions


def clueless(game: Game) -> Evaluate:
    """All moves alike, all positions level."""
    return lambda leaves: np.zeros((len(leaves), game.features.actions + 1), np.float32)


def arbitrary(game: Game) -> Evaluate:
    """Some opinion about every position: always the same, whatever else is asked with it."""

    def evaluate(leaves):
        with np.errstate(over="ignore"):
            weights = np.arange(1, leaves.shape[1] + 1, dtype=np.uint64) * np.uint64(
                0x9E3779B97F4A7C15
            )
            seeds = (leaves * weights).sum(1, dtype=np.uint64)
            spread = np.arange(1, game.features.actions + 2, dtype=np.uint64) * np.uint64(
                0xD6E8FEB86659FD93
            )
            bits = (seeds[:, None] ^ (seeds[:, None] >> np.uint64(29))) * spread
        answers = (bits >> np.uint64(40)).astype(np.float32) / np.float32(1 << 24) * 4 - 2
        answers[:, -1] /= 4
        return answers

    return evaluate


@functools.cache
def tictactoe_values() -> dict[bytes, int]:
    """Packed position -> its value for the side to move."""
    features = hansu.game("tictactoe").features
    by_text: dict[str, int] = {}
    values = {}
    for text, state in sorted(all_positions().items(), key=lambda item: item[0].count(".")):
        outcome = state.outcome()
        if outcome is not None:
            by_text[text] = 0 if outcome.winner is None else -1
        else:
            by_text[text] = max(-by_text[state.forward(m).text()] for m in state.legal_moves)
        values[features.pack(state).tobytes()] = by_text[text]
    return values


def all_knowing_in_tictactoe(leaves):
    """The true value of every position, and no opinion about moves."""
    answers = np.zeros((len(leaves), 10), np.float32)
    answers[:, -1] = [tictactoe_values()[leaf.tobytes()] for leaf in leaves]
    return answers
