"""``hansu.vector``: many games stepped together, on the CPU or on a GPU, for researchers."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from hansu.errors import HansuError, UnknownName
from hansu.games.features import Features
from hansu.games.game import Game, game
from hansu.games.rules_on_words import (
    SECOND,
    copy_words,
    holds_arrays,
    make_write,
    rules_on_words,
)
from hansu.kernel import gpu, kernel, random_below
from hansu.options import whole_number

DEVICES = ("cpu", "cuda")
MOST_GAMES = 1 << 26
NO_ACTION = -1


class VectorGames:
    """Some games of one kind, each at its own turn; a game that is over begins anew at once.

    What is shown is seen by the side to move. All of it lies on the device: NumPy arrays on the
    CPU; on a GPU tensors of PyTorch where that is installed, else Numba's arrays. They are written
    anew by every ``step``. On a GPU neighbouring games lie side by side in memory: a network that
    wants something else calls ``observations.contiguous()``.

    >>> import hansu
    >>> games = hansu.vector("tictactoe", 3)
    >>> games.observations.shape, games.legal.shape
    ((3, 2, 3, 3), (3, 9))
    >>> rewards, done = games.step([0, 4, 4])
    >>> games.turn.tolist(), games.legal.sum(axis=1).tolist()
    ([1, 1, 1], [8, 8, 8])
    """

    def __init__(self, which: str | Game, count: int, device: str = "cpu", seed: int = 0) -> None:
        if device not in DEVICES:
            raise UnknownName("device", device, DEVICES)
        self.game, self.device = game(which), device
        self.count = whole_number(count, "count", 1, MOST_GAMES)
        seed = whole_number(seed, "seed", 0)
        features = self.game.features
        start = self.game.start()
        room = self.game.max_turns + 1 if self.game.rules.USES_PATH else 1
        self._place = _on_card if device == "cuda" else _itself
        self._start = self._place(start.words)
        parts: tuple[tuple[tuple[int, ...], Any], ...] = (  # of one game: shape and kind
            *(((len(start.words),), np.uint64), ((room,), np.uint64)),
            *(((self.game.rules.MAX_MOVES,), np.int64), (features.shape, np.float32)),
            *(((features.vector_size,), np.float32), ((features.actions,), np.bool_)),
            *(((), np.int8), ((2,), np.float32), ((), np.bool_)),
        )
        if device == "cuda":
            gpu.check_memory(self.count * sum(np.zeros(*part).nbytes for part in parts))
        self._arrays = tuple(
            self._place(np.zeros((self.count, *shape), kind)) for shape, kind in parts
        )
        seeds = np.random.SeedSequence(seed).generate_state(self.count, np.uint64)
        self._rng = self._place(np.zeros((self.count, 1), np.uint64))
        self._actions = self._place(np.full(self.count, NO_ACTION))
        self._sampled = self._place(np.zeros(self.count, np.int64))
        self._torch = _torch() if device == "cuda" else None
        self._taken = self._shown(self._actions)
        shown = [self._shown(array) for array in self._arrays[3:]]
        self.observations, self.vectors, self.legal, self.turn, self.rewards, self.done = shown
        kernels = (make_kernels if device == "cpu" else make_card_kernels)(features)
        reset, step, sample = kernels
        self._reset = self._call(reset, self._start, *self._arrays)
        self._step = self._call(step, self._actions, self._start, *self._arrays)
        self._sample = self._call(sample, self._rng, self._arrays[5], self._sampled)
        self._fill(self._rng, seeds.reshape(-1, 1))
        self.reset()

    def reset(self) -> None:
        """Begin all games anew."""
        self._reset()

    def step(self, actions: Any) -> tuple[Any, Any]:
        """Play an action in every game; return the rewards of both players and what is over.

        Rewards are [games, 2], for the first player and the second: 1, 0 or -1 where a game is
        over, else 0. An action that is not legal loses. What is shown of a game that is over is the
        start of the next.
        """
        self._take(actions)
        self._step()
        return self.rewards, self.done

    def sample(self) -> Any:
        """Return a random legal action for every game."""
        self._sample()
        return self._shown(self._sampled)

    def _call(self, function: Any, *arguments: Any) -> Callable[[], None]:
        """Return the call of a compiled function with these arguments.

        On a card with PyTorch it is captured: launching a kernel with so many arguments takes
        longer than to run it.
        """
        if self.device == "cpu":
            return lambda: function(*arguments)
        cuda, blocks = gpu.card(), -(-self.count // gpu.BLOCK)
        if self._torch is None:
            return lambda: function[blocks, gpu.BLOCK](*arguments)
        function[blocks, gpu.BLOCK](*arguments)  # compiles and loads it
        graph = self._torch.cuda.CUDAGraph()
        with self._torch.cuda.graph(graph):
            stream = cuda.external_stream(self._torch.cuda.current_stream().cuda_stream)
            function[blocks, gpu.BLOCK, stream](*arguments)
        replay: Callable[[], None] = graph.replay
        return replay

    def _take(self, actions: Any) -> None:
        """Copy the actions to where the next step reads them."""
        try:
            if self._torch is not None:
                given = self._torch.as_tensor(actions, device="cuda")
                whole = not (given.is_floating_point() or given.is_complex())
            else:
                given = np.asarray(actions)
                whole = given.dtype.kind in "iub"
        except (TypeError, ValueError, RuntimeError):
            whole, given = False, None
        if not whole:
            raise HansuError(f"actions are whole numbers, not {actions!r:.60}")
        if tuple(given.shape) != (self.count,):
            shape = tuple(given.shape)
            raise HansuError(f"one action per game is expected: {self.count}, not {shape}")
        if self._torch is not None:
            self._taken.copy_(given)
        else:
            self._fill(self._actions, given.astype(np.int64))

    def _fill(self, array: Any, content: Any) -> None:
        if self.device == "cuda":
            array.copy_to_device(np.asfortranarray(content))
        else:
            array[:] = content

    def _shown(self, array: Any) -> Any:
        return array if self._torch is None else self._torch.as_tensor(array, device="cuda")


def vector(which: str | Game, count: int, device: str = "cpu", seed: int = 0) -> VectorGames:
    """Return ``count`` games that are stepped together; see ``VectorGames``."""
    return VectorGames(which, count, device, seed)


def _itself(array: Any) -> Any:
    return array.copy()


def _on_card(array: Any) -> Any:
    """Copy to the card, neighbouring games side by side: threads write them together."""
    return gpu.card().to_device(np.asfortranarray(array))


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        return None
    return torch if torch.cuda.is_available() else None  # None: it was built for the CPU


@functools.cache
def make_game_kernels(features: Features) -> tuple[Any, Any]:
    """Make ``begin`` and ``play`` of one game: the same functions for CPU and GPU."""
    rules, kernels = features.game.rules, features.kernels
    legal_moves, ending, score_first = rules.legal_moves, rules.ending, rules.score_first
    play, key, uses_path = rules.play, rules.key, rules.USES_PATH
    unpack, write, in_place = rules_on_words(rules).unpack, make_write(rules), holds_arrays(rules)
    planes, action_of, move_of = kernels.planes, kernels.action, kernels.move
    fill_vector = kernels.vector if features.vector_size else _nothing
    variant = (rules, kernels)

    @kernel(variant=variant, allocates=in_place)
    def show(pos, moves, n, observation, numbers, legal):
        observation[:] = np.float32(0)
        numbers[:] = np.float32(0)
        legal[:] = False
        planes(pos, observation)
        fill_vector(pos, numbers)
        for i in range(n):
            legal[action_of(pos, moves[i])] = True

    @kernel(variant=variant, allocates=in_place)
    def begin(start, words, path, moves, observation, numbers, legal):
        for i in range(len(start)):
            words[i] = start[i]
        pos = unpack(words)
        show(pos, moves, legal_moves(pos, path, moves), observation, numbers, legal)

    @kernel(variant=variant, allocates=in_place)
    def play_action(action, start, words, path, moves, observation, numbers, legal, rewards):
        """Return whether that ended the game; the next one is then begun."""
        pos = unpack(words)
        rewards[0] = rewards[1] = np.float32(0)
        if action < 0 or action >= len(legal) or not legal[action]:
            rewards[np.int64(pos.second)] = np.float32(-1)
            rewards[1 - np.int64(pos.second)] = np.float32(1)
            over = True
        else:
            if uses_path:
                path[np.int64(pos.ply)] = key(pos)
            pos = play(pos, np.int64(move_of(pos, action)))
            write(pos, words)
            n = legal_moves(pos, path, moves)
            reason = ending(pos, path, n)
            over = reason != 0
            if over:
                rewards[0] = np.float32(score_first(pos, reason))
                rewards[1] = -rewards[0]
            else:
                show(pos, moves, n, observation, numbers, legal)
        if over:
            begin(start, words, path, moves, observation, numbers, legal)
        return over

    return begin, play_action


@kernel
def _nothing(pos, out):
    pass


@kernel(allocates=False)
def sample_one(rng, legal):
    """Return a random legal action."""
    n = 0
    for action in range(len(legal)):
        n += legal[action]
    left = random_below(rng, n)
    for action in range(len(legal)):
        left -= legal[action]
        if left < 0:
            return action
    return -1


@functools.cache
def make_kernels(features: Features) -> tuple[Any, Any, Any]:
    """Make ``reset``, ``step`` and ``sample`` for the CPU."""
    begin, play_action = make_game_kernels(features)
    variant = (features.game.rules, features.kernels)

    @kernel(variant=variant)
    def reset(start, words, path, moves, observations, vectors, legal, turn, rewards, done):
        for i in range(len(words)):
            begin(start, words[i], path[i], moves[i], observations[i], vectors[i], legal[i])
            turn[i], done[i] = words[i, SECOND], False
            rewards[i] = np.float32(0)

    @kernel(variant=variant)
    def step(actions, start, words, path, moves, observations, vectors, legal, turn, rewards, done):
        for i in range(len(words)):
            done[i] = play_action(
                *(actions[i], start, words[i], path[i], moves[i]),
                *(observations[i], vectors[i], legal[i], rewards[i]),
            )
            turn[i] = words[i, SECOND]

    return reset, step, _sample


@kernel
def _sample(rng, legal, out):
    for i in range(len(out)):
        out[i] = sample_one(rng[i], legal[i])


@functools.cache
def make_card_kernels(features: Features) -> tuple[Any, Any, Any]:
    """Make the same for a GPU: one thread a game."""
    cuda = gpu.compiler()
    begin, play_action = make_game_kernels(features)
    size = len(features.game.start().words)

    @cuda.jit
    def reset(start, words, path, moves, observations, vectors, legal, turn, rewards, done):
        i = cuda.grid(1)
        if i < len(words):
            own = cuda.local.array(size, np.uint64)
            begin(start, own, path[i], moves[i], observations[i], vectors[i], legal[i])
            copy_words(own, words[i])
            turn[i], done[i] = own[SECOND], False
            rewards[i, 0] = rewards[i, 1] = np.float32(0)

    @cuda.jit
    def step(actions, start, words, path, moves, observations, vectors, legal, turn, rewards, done):
        i = cuda.grid(1)
        if i < len(words):
            own = cuda.local.array(size, np.uint64)
            copy_words(words[i], own)
            done[i] = play_action(
                actions[i],
                start,
                own,
                path[i],
                moves[i],
                observations[i],
                vectors[i],
                legal[i],
                rewards[i],
            )
            copy_words(own, words[i])
            turn[i] = own[SECOND]

    @cuda.jit
    def sample(rng, legal, out):
        i = cuda.grid(1)
        if i < len(out):
            out[i] = sample_one(rng[i], legal[i])

    return reset, step, sample
