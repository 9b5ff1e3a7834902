"""A trained model with convolutions in eight bits, which a CPU runs two to five times as fast.

This is post-training static quantisation. A tensor in eight bits has 256 steps up to a *clip*: a
high one makes the steps coarse, a low one cuts off what is larger. A percentile is the first guess
of each clip; clips are then moved for as long as the answers come closer to those of the model, on
positions that a search asks it about.

The file keeps the weights as they were trained (ONNX Runtime rounds them when it loads it), so
training can go on from it. The residual stream and the heads stay in floating point: errors of the
former would add up from block to block, and the latter cost little.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansu.atomic_write import atomic_write
from hansu.learning.eight_bits import EightBits
from hansu.learning.model import Model, with_facts
from hansu.search.puct_search import PuctSearch, PuctSettings

SIMULATIONS = 48  # a move, of the games in which a search asks about positions
RANDOM_PLIES = 4  # at most, with which such a game begins
VARIED_PLIES = 30  # then the move with the most visits is played
SHARE = 16  # one in so many of the positions is taken: neighbours in a search are much alike
BATCH = 64  # positions that are evaluated together
PERCENTILE = 99.9  # of a tensor's numbers lie within the first guess of its clip
FACTORS = (0.5, 0.7, 0.85, 1.2, 1.5, 2.0)  # by which a clip is moved
ROUNDS = 3  # at most, in which all of them are moved
WORTH = 0.02  # of the loss: a round that gains less is the last one

Leaves = NDArray[np.uint64]
Answers = NDArray[np.float32]


class Fidelity(NamedTuple):
    """How close the answers of two models are."""

    divergence: float  # of the policy: Kullback-Leibler, mean
    value_error: float  # mean, of values in [-1, 1]
    same_move: float  # share of positions where the likeliest move is the same

    @property
    def loss(self) -> float:
        """Return one number to compare by; 0 is the best."""
        return self.divergence + self.value_error


def searched_positions(model: Model, count: int, seed: int = 0) -> Leaves:
    """Return positions that a search with the model asks it about, in games that begin at random.

    >>> import hansu
    >>> from hansu.learning.model import find_model
    >>> model = find_model("shipped", hansu.game("tictactoe"))
    >>> len(searched_positions(model, 100))
    100
    """
    rng = random.Random(seed)
    asked: list[Leaves] = []

    def evaluate(leaves: Leaves) -> Answers:
        asked.append(leaves.copy())
        return model(leaves)

    while sum(map(len, asked)) < SHARE * count:
        state = model.game.start()
        for _ in range(rng.randrange(RANDOM_PLIES + 1)):
            if not state.is_game_over():
                state = state.forward(rng.choice(list(state.legal_moves)))
        search = PuctSearch(state, evaluate, PuctSettings(mirror=model.mirror))
        while not state.is_game_over():
            search.run(SIMULATIONS)
            lines = search.info().lines
            visits = [line.visits or 0 for line in lines]
            varied = len(state.move_stack) < VARIED_PLIES and sum(visits) > 0
            state = state.forward((rng.choices(lines, visits) if varied else lines)[0].move)
            search.follow(state)
    leaves = np.concatenate(asked)
    chosen = np.random.default_rng(seed).choice(len(leaves), count, replace=False)
    return np.asarray(leaves[chosen])


def fidelity(truth: Answers, answers: Answers) -> Fidelity:
    """Return how close some answers are to the true ones."""
    expected, found = _log_softmax(truth[:, :-1]), _log_softmax(answers[:, :-1])
    divergence = (np.exp(expected) * (expected - found)).sum(1)
    errors = np.abs(truth[:, -1] - answers[:, -1])
    same = expected.argmax(1) == found.argmax(1)
    return Fidelity(float(divergence.mean()), float(errors.mean()), float(same.mean()))


def answers_of(model: Model, leaves: Leaves) -> Answers:
    """Return a model's answers on many positions."""
    return np.concatenate([model(part) for part in _batches(leaves)])


def quantise(model: Model, out: Path, leaves: Leaves, told: Callable[[Fidelity], Any]) -> None:
    """Write a model with convolutions in eight bits; ``told`` hears how close it has come."""
    graph = EightBits(model.path)
    truth = answers_of(model, leaves)
    clips, signed = _first_clips(graph, model, leaves)

    def tried(clips: dict[str, float]) -> Fidelity:
        made = Model(model.path, model.game, graph.rounded(clips, signed))
        return fidelity(truth, answers_of(made, leaves))

    best = tried(clips)
    told(best)
    for _ in range(ROUNDS):
        before = best
        for name in graph.tensors:
            for factor in FACTORS:
                moved = {**clips, name: clips[name] * factor}
                found = tried(moved)
                if found.loss < best.loss:
                    best, clips = found, moved
        told(best)
        if best.loss > (1 - WORTH) * before.loss:
            break
    atomic_write(out, with_facts(graph.rounded(clips, signed), {**model.facts, "bits": "8"}))


def _first_clips(
    graph: EightBits, model: Model, leaves: Leaves
) -> tuple[dict[str, float], set[str]]:
    """Return the first guess of every clip, and which tensors have negative numbers."""
    seeing = Model(model.path, model.game, graph.observed())
    seen = zip(*(seeing.tensors(part, graph.tensors) for part in _batches(leaves)), strict=True)
    clips, signed = {}, set()
    for name, parts in zip(graph.tensors, seen, strict=True):
        numbers = np.concatenate([part.ravel() for part in parts])
        clips[name] = float(np.percentile(np.abs(numbers), PERCENTILE))
        if numbers.min() < 0:
            signed.add(name)
    return clips, signed


def _batches(leaves: Leaves) -> Iterator[Leaves]:
    for first in range(0, len(leaves), BATCH):
        yield leaves[first : first + BATCH]


def _log_softmax(logits: Answers) -> Answers:
    shifted = logits - logits.max(1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(1, keepdims=True)))
