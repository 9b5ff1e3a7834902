"""Every legal move of a position, made in each of the ways there are."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from hansu.games.bridge import bridge
from hansu.games.state import State


def every_move(state: State, texts: bool = True) -> Iterator[tuple[Any, State]]:
    """Every legal move with the state after it, which ``forward``, ``push`` and the compiled
    ``play`` must agree about, ``pop`` must undo, and (``texts``) writing and reading must keep.
    """
    link, ply = bridge(state.game.compiled), len(state.move_stack)
    codes, words, text, key = list(state.codes()), state.words.copy(), state.text(), state.key
    for code in codes:
        move = state.decode(code)
        where = f"{text} and move {move}"
        after = state.forward(move)
        assert np.array_equal(link.play(words, code), after.words), where
        assert (after.turn, after.key) == (not state.turn, link.key(after.words)), where
        walked = state.copy()
        walked.push(move)
        assert np.array_equal(walked.words, after.words), where
        if state.game.compiled.USES_PATH:
            assert walked.path[: ply + 1].tolist() == [*state.path[:ply].tolist(), key], where
            assert after.path[: ply + 1].tolist() == [*state.path[:ply].tolist(), key], where
        assert walked.pop() == move
        assert np.array_equal(walked.words, words), where
        assert (walked.codes(), walked.move_stack) == (codes, state.move_stack), where
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
    assert sorted(again.codes()) == sorted(state.codes()), text
