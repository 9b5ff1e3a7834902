"""Random games from a position to the end: the work-horse of Monte Carlo methods."""

import functools
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansu.errors import MoveError
from hansu.games.bridge import bridge, holds_arrays
from hansu.games.state import State
from hansu.kernel import kernel, random_below, seeded


class Playouts(NamedTuple):
    """How many random games the player who began won, drew and lost, and their turns in all."""

    wins: int
    draws: int
    losses: int
    turns: int


def playouts(state: State, games: int, seed: int = 0, policy: str = "random_move") -> Playouts:
    """Play random games from a state.

    ``policy`` names the function of the rules that picks a move; a game without that function
    picks uniformly among the legal moves.

    >>> import hansu
    >>> result = playouts(hansu.game("tictactoe").start(), 1000, seed=1)
    >>> result.wins + result.draws + result.losses
    1000
    """
    rules = state.game.compiled
    played = len(state.move_stack)
    path = np.zeros(max(state.game.max_turns, played) + 1, np.uint64)
    path[:played] = state.path[:played] if rules.USES_PATH else 0
    counts = np.zeros(4, np.int64)
    make_playouts(rules, policy)(state.words, path, games, seeded(seed), counts)
    return Playouts(*counts.tolist())


def random_move(state: State, seed: int) -> Any:
    """A random legal move, drawn as play-outs draw them (in go: never an own eye)."""
    code = random_code(state, seeded(seed))
    if code < 0:
        raise MoveError("the game is over: there is no move to draw")
    return state.decode(code)


def random_code(state: State, rng: NDArray[np.uint64]) -> int:
    """The same as a number, which changes ``rng``; minus the ending when the game is over."""
    rules = state.game.compiled
    moves = np.empty(rules.MAX_MOVES, np.int64)
    return int(_make_random_move_words(rules)(state.words, state.path, moves, rng))


@functools.cache
def _make_random_move_words(rules: ModuleType) -> Any:
    pick = make_random_move(rules)
    unpack = bridge(rules).unpack

    @kernel(variant=rules)
    def random_move_words(words, path, moves, rng):
        return pick(unpack(words), path, moves, rng)

    return random_move_words


@functools.cache
def make_random_move(rules: ModuleType, policy: str = "random_move") -> Any:
    """``random_move(pos, path, moves, rng)``: a move, or minus the ending when the game is over."""
    if hasattr(rules, policy):
        return getattr(rules, policy)
    legal_moves, ending = rules.legal_moves, rules.ending

    @kernel(variant=rules, allocates=holds_arrays(rules))
    def random_move(pos, path, moves, rng):
        n = legal_moves(pos, path, moves)
        over = ending(pos, path, n)
        if over:
            return -over
        return moves[random_below(rng, n)]

    return random_move


@functools.cache
def make_playout(rules: ModuleType, policy: str = "random_move") -> Any:
    """``playout(pos, path, moves, rng) -> (score for the first player, turns)``; consumes pos."""
    play, key, score_first, uses_path = rules.play, rules.key, rules.score_first, rules.USES_PATH
    random_move = make_random_move(rules, policy)

    @kernel(variant=(rules, random_move), allocates=holds_arrays(rules))
    def playout(pos, path, moves, rng):
        turns = 0
        while True:
            move = random_move(pos, path, moves, rng)
            if move < 0:
                return score_first(pos, -move), turns
            if uses_path:
                if np.int64(pos.ply) == len(path):
                    return 0, turns  # only games without any limit get here: call it a draw
                path[np.int64(pos.ply)] = key(pos)
            pos = play(pos, move)
            turns += 1

    return playout


@functools.cache
def make_playouts(rules: ModuleType, policy: str) -> Any:
    """Many play-outs in one compiled call."""
    playout = make_playout(rules, policy)
    link = bridge(rules)
    unpack, copy = link.unpack, link.copy
    max_moves = rules.MAX_MOVES

    @kernel(variant=(rules, playout))
    def playouts_words(words, path, games, rng, counts):
        moves = np.empty(max_moves, np.int64)
        start = unpack(words)
        for _ in range(games):
            score, turns = playout(copy(start), path, moves, rng)
            counts[1 - score] += 1
            counts[3] += turns

    return playouts_words


def win_rate(state: State, color: bool, games: int, seed: int) -> float:
    """The share of random games that a player wins from here, a draw counting a half."""
    counted = playouts(state, games, seed)
    first = (counted.wins + 0.5 * counted.draws) / games
    return first if color == state.game.first_color else 1.0 - first
