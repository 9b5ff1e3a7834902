"""Playouts on a GPU: every thread plays one game after another, from one of some positions.

Nothing is kept in the card's memory but the counts: position, path and list of moves are each
thread's own. The threads of a warp go on together ply by ply, whatever game each is in: one whose
game is over begins the next at once instead of waiting for the longest.
"""

import functools
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from hansu.games.rules_on_words import holds_arrays, rules_on_words
from hansu.games.state import State
from hansu.kernel import gpu, kernel, mix, seeded
from hansu.search.playout import PlayoutForm, make_policy, playout_form, turn_of

DRAWN, TURNS = 1, 3  # of the counts: wins, draws and losses of the first player, turns


@kernel
def thread_seed(seed: Any, thread: Any) -> Any:
    """Return the state of a thread's random generator."""
    return mix(mix(np.uint64(0), seed), np.uint64(thread))


@functools.cache
def make_share(rules: ModuleType, pick: Any) -> Any:
    """Make ``share(words, own, path, moves, rng, games, counts)``: the games of one thread."""
    play, key, score_first, uses_path = rules.play, rules.key, rules.score_first, rules.USES_PATH
    unpack, in_place = rules_on_words(rules).unpack, holds_arrays(rules)
    ending, turn = rules.ending, turn_of(rules, pick)
    by_turns = turn is not None

    @kernel(variant=(rules, pick), allocates=in_place)
    def share(words, own, path, moves, rng, games, counts):
        for i in range(len(words)):
            own[i] = words[i]
        pos = unpack(own)
        while games > 0:
            move = -ending(pos, path, 1) if by_turns else pick(pos, path, moves, rng)
            score, over = 0, move < 0
            if over:
                score = score_first(pos, -move)
            elif uses_path:
                if np.int64(pos.ply) == len(path):
                    over = True  # only games without any limit get here: call it a draw
                else:
                    path[np.int64(pos.ply)] = key(pos)
            if over:
                counts[DRAWN - score] += 1
                games -= 1
                if in_place:
                    for i in range(len(words)):
                        own[i] = words[i]
                pos = unpack(own)
            else:
                counts[TURNS] += 1
                pos = turn(pos, path, rng) if by_turns else play(pos, move)

    return share


@functools.cache
def make_playouts_on_card(rules: ModuleType, pick: Any, words: int, room: int) -> Any:
    """Make the CUDA kernel for positions of so many words and paths of so many keys."""
    cuda = gpu.compiler()
    share, max_moves = make_share(rules, pick), rules.MAX_MOVES

    @cuda.jit
    def playouts_on_card(starts, paths, games, seed, counts):
        thread = cuda.grid(1)
        position, number = thread % len(starts), thread // len(starts)
        threads = cuda.gridsize(1) // len(starts)  # for each position
        if number >= threads:
            return
        own = cuda.local.array(words, np.uint64)
        path = cuda.local.array(room, np.uint64)
        moves = cuda.local.array(max_moves, np.int64)
        rng = cuda.local.array(1, np.uint64)
        counted = cuda.local.array(4, np.int64)
        for i in range(paths.shape[1]):
            path[i] = paths[position, i]
        for i in range(4):
            counted[i] = 0
        rng[0] = thread_seed(seed, thread)
        own_games = games // threads + (1 if number < games % threads else 0)
        share(starts[position], own, path, moves, rng, own_games, counted)
        for i in range(4):
            cuda.atomic.add(counts, (position, i), counted[i])

    return playouts_on_card


def playouts_on_gpu(states: Sequence[State], policy: str, games: int, seed: int) -> list[list[int]]:
    """Play so many games from each position; all are of one game, after equally many turns.

    Return for each the wins, draws and losses of the first player, and the turns of all games.
    """
    cuda = gpu.card()
    first = states[0]
    forms = [playout_form(state, policy) for state in states]
    if len({form.rules for form in forms}) > 1:  # some of them have marks that others have not
        forms = [PlayoutForm(s.game.rules, make_policy(s.game, policy), s.words) for s in states]
    rules, pick, words = forms[0]
    played = len(first.move_stack)
    room = len(first.path_with_room()) if rules.USES_PATH else 1
    run = make_playouts_on_card(rules, pick, len(words), room)
    paths = np.zeros((len(states), played if rules.USES_PATH else 0), np.uint64)
    for row, state in zip(paths, states, strict=True):
        row[:] = state.path[: len(row)]
    threads = max(len(states), min(games * len(states), gpu.thread_count()))
    counts = cuda.to_device(np.zeros((len(states), 4), np.int64))
    run[-(-threads // gpu.BLOCK), gpu.BLOCK](
        cuda.to_device(np.stack([form.words for form in forms])),
        cuda.to_device(paths),
        games,
        seeded(seed)[0],
        counts,
    )
    counted: list[list[int]] = counts.copy_to_host().tolist()
    return counted
