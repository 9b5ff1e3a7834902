"""A game's compiled rules, called from Python with a position as an array of words.

Passing a NamedTuple to a compiled function costs 2.3 µs, an array 0.3 µs. So a State keeps its
position as an array of ``uint64``, and the functions here unpack it.
"""

import functools
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from hansu.kernel import kernel

PLY, SECOND = 0, 1  # the first two words of every position


@dataclass(frozen=True)
class RulesOnWords:
    """A game's compiled rules, callable from Python with words instead of a Position."""

    unpack: Any  # (words) -> Position
    pack: Any  # (Position) -> words
    copy: Any  # (Position) -> Position; without arrays the same one
    legal_moves: Any  # (words, path, out) -> number of moves
    play: Any  # (words, move) -> words
    ending: Any  # (words, path, n_moves) -> 0 or an index into ENDINGS
    score_first: Any  # (words, ending) -> +1, 0, -1 for the first player
    key: Any  # (words) -> key


@functools.cache
def rules_on_words(rules: ModuleType) -> RulesOnWords:
    """Return the compiled rules of a game, made once."""
    rules_legal_moves, rules_play, rules_key = rules.legal_moves, rules.play, rules.key
    rules_ending, rules_score_first = rules.ending, rules.score_first
    unpack, pack, copy = _packing(rules)

    @kernel(variant=rules)
    def legal_moves(words, path, out):
        return rules_legal_moves(unpack(words), path, out)

    @kernel(variant=rules)
    def play(words, move):
        return pack(rules_play(copy(unpack(words)), move))

    @kernel(variant=rules)
    def ending(words, path, n_moves):
        return rules_ending(unpack(words), path, n_moves)

    @kernel(variant=rules)
    def score_first(words, ending):
        return rules_score_first(unpack(words), ending)

    @kernel(variant=rules)
    def key(words):
        return rules_key(unpack(words))

    return RulesOnWords(unpack, pack, copy, legal_moves, play, ending, score_first, key)


@functools.cache
def policy_on_words(rules: ModuleType, pick: Any) -> Any:
    """Return a playout policy ``pick(pos, path, moves, rng)``, callable with words."""
    unpack = rules_on_words(rules).unpack

    @kernel(variant=(rules, pick))
    def pick_on_words(words, path, moves, rng):
        return pick(unpack(words), path, moves, rng)

    return pick_on_words


def holds_arrays(rules: ModuleType) -> bool:
    """Return whether a Position of the game holds arrays; otherwise it is a plain value."""
    return hasattr(rules, "pack")


def _packing(rules: ModuleType) -> tuple[Any, Any, Any]:
    """Return the game's own functions where a Position holds arrays; else fields are words."""
    if holds_arrays(rules):
        return rules.unpack, rules.pack, rules.copy
    position = rules.Position
    size = len(position._fields)
    # A lambda that names every word: compilers for CPU and GPU both understand it.
    words = ", ".join(f"words[{i}]" for i in range(size))
    unpack = kernel(variant=rules)(eval(f"lambda words: position({words})", {"position": position}))

    @kernel(variant=rules)
    def pack(pos):
        words = np.empty(size, np.uint64)
        for i, word in enumerate(pos):
            words[i] = word
        return words

    @kernel(variant=rules)
    def copy(pos):
        return pos

    return unpack, pack, copy


@kernel(allocates=False)
def copy_words(source, target):
    """Copy word by word: assigning a slice may allocate memory, in case both overlap."""
    for i in range(len(source)):
        target[i] = source[i]


@functools.cache
def make_begin(rules: ModuleType) -> Any:
    """Make ``begin(pos, words, own)``: a copy of pos to play on, whose arrays are in ``own``."""
    unpack = rules_on_words(rules).unpack
    if holds_arrays(rules):

        @kernel(variant=rules, inline=True)
        def begin_array(pos, words, own):
            copy_words(words, own)
            return unpack(own)

        return begin_array

    @kernel(variant=rules, inline=True)
    def begin(pos, words, own):
        return pos

    return begin


@functools.cache
def make_write(rules: ModuleType) -> Any:
    """Make ``write(pos, words)``, which writes a position to an array of words."""
    if holds_arrays(rules):

        @kernel(variant=rules)
        def write_array(pos, words):
            copy_words(pos.words, words)

        return write_array

    @kernel(variant=rules)
    def write(pos, words):
        for i, word in enumerate(pos):
            words[i] = word

    return write
