"""Every legal move of a position, made in each of the ways there are."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from hansu.games.rules_on_words import rules_on_words
from hansu.games.state import State


def every_move(state: State, texts: bool = True) -> Iterator[tuple[Any, State]]:
    """Every legal move with the state after it, which ``forward``, ``push`` and the compiled
    ``play`` must agree about, ``pop`` must undo, and (``texts``) writing and reading must keep.
    """
    on_words, ply = rules_on_words(state.game.rules), len(state.move_stack)
    move_ids, words, text, key = list(state.move_ids()), state.words.copy(), state.text(), state.key
    for move_id in move_ids:
        move = state.move_from_id(move_id)
        where = f"{text} and move {move}"
        after = state.forward(move)
        assert np.array_equal(on_words.play(words, move_id), after.words), where
        assert (after.turn, after.key) == (not state.turn, on_words.key(after.words)), where
        walked = state.copy()
        walked.push(move)
        assert np.array_equal(walked.words, after.words), where
        if state.game.rules.USES_PATH:
            assert walked.path[: ply + 1].tolist() == [*state.path[:ply].tolist(), key], where
            assert after.path[: ply + 1].tolist() == [*state.path[:ply].tolist(), key], where
        assert walked.pop() == move
        assert np.array_equal(walked.words, words), where
        assert (walked.move_ids(), walked.move_stack) == (move_ids, state.move_stack), where
        if texts:
            assert walked.text() == text
            check_text(after)
        yield move, after
    assert (state.text(), len(state.move_stack)) == (text, ply), "forward changed the old state"
    assert np.array_equal(state.words, words), f"forward changed {text}"


def check_text(state: State) -> None:
    """A position written down and read again is the same position."""
    text = state.text()
    again = state.game.parse(text)
    assert (again.text(), again.key, again.turn) == (text, state.key, state.turn)
    assert sorted(again.move_ids()) == sorted(state.move_ids()), text
