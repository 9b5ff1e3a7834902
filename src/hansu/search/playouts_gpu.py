"""Playouts on a GPU: every thread plays one game after another, in its registers.

Nothing is kept in the card's memory but the results: the position, the path and the list of moves
are each thread's own. Threads of a warp go on together ply by ply, whatever game each is in: one
whose game is over begins the next at once instead of waiting for the longest.
"""

import functools
from types import ModuleType
from typing import Any

import numpy as np

from hansu.games.rules_on_words import bridge, holds_arrays
from hansu.games.state import State
from hansu.kernel import gpu, kernel, mix

WON, DRAWN, LOST, TURNS = range(4)  # what is counted, for the player who began


@functools.cache
def make_share(rules: ModuleType, pick: Any) -> Any:
    """``share(words, own, path, moves, rng, games, counts)``: one thread's games."""
    play, key, score_first, uses_path = rules.play, rules.key, rules.score_first, rules.USES_PATH
    unpack, in_place = bridge(rules).unpack, holds_arrays(rules)

    @kernel(variant=(rules, pick), allocates=in_place)
    def share(words, own, path, moves, rng, games, counts):
        for i in range(len(words)):
            own[i] = words[i]
        pos = unpack(own)
        while games > 0:
            move = pick(pos, path, moves, rng)
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
                pos = play(pos, move)

    return share


@functools.cache
def make_playouts_on_card(rules: ModuleType, pick: Any, words: int, turns: int) -> Any:
    """Return the CUDA kernel for positions of so many words and games of so many turns."""
    cuda = gpu.compiler()
    share, max_moves = make_share(rules, pick), rules.MAX_MOVES

    @cuda.jit
    def playouts_on_card(start, played, games, seed, counts):
        thread, threads = cuda.grid(1), cuda.gridsize(1)
        own = cuda.local.array(words, np.uint64)
        path = cuda.local.array(turns, np.uint64)
        moves = cuda.local.array(max_moves, np.int64)
        rng = cuda.local.array(1, np.uint64)
        counted = cuda.local.array(4, np.int64)
        for i in range(len(played)):
            path[i] = played[i]
        for i in range(4):
            counted[i] = 0
        rng[0] = mix(mix(np.uint64(0), seed), np.uint64(thread))
        own_games = games // threads + (1 if thread < games % threads else 0)
        share(start, own, path, moves, rng, own_games, counted)
        for i in range(4):
            cuda.atomic.add(counts, i, counted[i])

    return playouts_on_card


def playouts_on_gpu(state: State, pick: Any, games: int, seed: int) -> list[int]:
    """Return wins, draws and losses of the player who began, and the turns of all games."""
    cuda = gpu.card()
    rules, played = state.game.rules, len(state.move_stack)
    turns = max(state.game.max_turns, played) + 1 if rules.USES_PATH else 1
    before = np.zeros(played if rules.USES_PATH else 0, np.uint64)
    if rules.USES_PATH:
        before[:] = state.path[:played]
    run = make_playouts_on_card(rules, pick, len(state.words), turns)
    blocks = -(-min(games, gpu.thread_count()) // gpu.BLOCK)
    counts = cuda.to_device(np.zeros(4, np.int64))
    run[blocks, gpu.BLOCK](
        cuda.to_device(state.words),
        cuda.to_device(before) if played else cuda.to_device(np.zeros(0, np.uint64)),
        games,
        np.uint64(seed & 0xFFFF_FFFF_FFFF_FFFF),
        counts,
    )
    return list(map(int, counts.copy_to_host()))
