"""Self-play wholly on a GPU: trees, games and network in one captured CUDA graph.

A thread plays a game: it calls the function that the CPU calls (``step_game``), on arrays of the
same shape in the card's memory. The graph evaluates the leaves and steps, several times; the CPU
only replays it, and between two replays collects the games that are over. Equal seeds give equal
games on CPU and GPU, as far as the network answers the same.
"""

import contextlib
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hansu.games.features import Features
from hansu.kernel import gpu
from hansu.learning.self_play import (
    SelfPlay,
    SelfPlayOptions,
    begin_game,
    drop_trees,
    make_self_play_step,
    make_step_game,
    restart,
)
from hansu.learning.trajectories import OF_GAMES, OF_TURNS, RUNNING, Trajectories
from hansu.search.puct import PuctParams
from hansu.search.puct_trees import PuctTrees, clear, tree_of, tree_with

STEPS = 8  # in a graph; a game that is over waits for its end
# All games wait for the slowest: one that has had its share of a step goes on in the next.
MOVES_A_STEP = 1
SELECTIONS = 2
BLOCK = 64  # threads: few, so that all multiprocessors get some games
WARM_UP_RUNS = 3
MOST_SAVED = 1 << 28  # bytes of a group's trees
FACTS = ("result", "would_resign", "resign_disabled", "turns")  # that are kept of a finished game
NOT_ZERO = ("roots", "rng", "sizes", "leaf")  # of the trees of new games

Evaluate = Callable[[Tensor, Tensor], None]  # leaves [games, words], answers [games, actions + 1]


class Placed(NamedTuple):
    """An array in the memory of a device, as PyTorch and as Numba see it."""

    tensor: Tensor  # unsigned numbers as signed ones of the same size
    array: Any


class FinishedTurns(NamedTuple):
    """The turns of finished games, one game after another; and of each game how it went."""

    seen: NDArray[np.uint64]  # [turns, ...], as in Trajectories
    legal: NDArray[np.uint64]
    visits: NDArray[np.uint16]
    value: NDArray[np.float32]
    action: NDArray[np.int16]
    turn: NDArray[np.int64]
    game: NDArray[np.int64]  # which of the games
    result: NDArray[np.int8]  # [games]
    would_resign: NDArray[np.int8]
    resign_disabled: NDArray[np.int8]
    turns: NDArray[np.int32]  # in all
    owners: NDArray[np.uint64]
    actions: list[NDArray[np.int16]]  # all actions of the first few games


class SelfPlayOnCard:
    """A group of games on the card; ``evaluate(leaves, answers)`` is its network.

    ``host`` is the same group on the CPU: games are saved from there and restored to there. With
    ``device`` cpu everything happens on the CPU, in the same order, without a graph: for tests.
    """

    def __init__(
        self,
        features: Features,
        games: int,
        options: SelfPlayOptions,
        params: PuctParams,
        seed: int,
        evaluate: Evaluate,
        device: torch.device,
        games_last: bool = False,
    ) -> None:
        options = options._replace(moves_a_step=MOVES_A_STEP)
        params = params._replace(selections=SELECTIONS)
        self.host = SelfPlay(features, games, options, params, seed, parallel=False)
        self.device, self._evaluate, self._on_card = device, evaluate, device.type == "cuda"

        self.trees = _all_placed(self.host.trees, device, games_last and self._on_card)
        self.trajectories = _all_placed(self.host.trajectories, device, games_last=False)
        self._counts = _placed(np.zeros(games, np.int32), device, games_last=False)
        self._start = _placed(self.host.start, device, games_last=False)
        _copy(self.host.start, self._start)
        self._facts = {  # of every game, for the CPU
            name: torch.empty(
                array.tensor.shape, dtype=array.tensor.dtype, pin_memory=self._on_card
            )
            for name, array in self._of_games()
        }
        make = make_card_kernels if self._on_card else make_cpu_kernels
        self._step, self._restart, self._drop = make(features)
        self._graph: Any = None
        if self._on_card:
            self.stream = torch.cuda.Stream()
            self._numba_stream = gpu.card().external_stream(self.stream.cuda_stream)
            self._done = torch.cuda.Event(blocking=True)  # waiting must not keep a core busy
        self._upload(NOT_ZERO, OF_GAMES)

    def begin(self) -> None:
        """Drop all trees, since another network grew them, and select leaves."""
        self.wait()
        with self._in_stream():
            self._run(self._drop, _arrays(self.trees))
            self._run_step()
            if self._on_card and self._graph is None:
                self._graph = self._captured()

    def launch(self) -> None:
        """Evaluate and step, several times; on a card, return at once."""
        with self._in_stream():
            if self._graph is None:
                self._steps()
            else:
                self._graph.replay()

    def wait(self) -> None:
        """Wait until the card has done it."""
        if self._on_card:
            self._done.synchronize()

    def collect(self, shown: int = 0) -> tuple[FinishedTurns | None, int]:
        """Return the finished games and the leaves evaluated since; begin new games.

        All actions are returned of so many games at most.
        """
        self.wait()
        with self._in_stream():
            for name, array in self._of_games():
                self._facts[name].copy_(array.tensor, non_blocking=True)
            self._counts.tensor.zero_()
        self.wait()
        simulations = int(self._facts["counts"].sum())
        over = np.flatnonzero(self._facts["result"].numpy() != RUNNING)
        if not len(over):
            return None, simulations
        with self._in_stream():
            found = self._turns(over, shown)
            arrays = _arrays(self.trees), _arrays(self.trajectories), self._start.array
            self._run(self._restart, *arrays, self.host.options)
        return found, simulations

    def saved(self, with_trees: bool = False) -> bytes:
        """Return the games in progress, for ``restore``; with trees unless they are very large.

        Without them a game searches its current move anew.
        """
        self.wait()
        trees, trajectories = self.host.trees, self.host.trajectories
        with_trees = with_trees and sum(array.nbytes for array in trees) <= MOST_SAVED
        for name in PuctTrees._fields if with_trees else ("roots", "rng", "path"):
            _read(getattr(self.trees, name).tensor, getattr(trees, name))
        for name in OF_GAMES:
            _read(getattr(self.trajectories, name).tensor, getattr(trajectories, name))
        longest = int(np.max(trajectories.turns))
        for name in (*OF_TURNS, "action"):
            tensor = getattr(self.trajectories, name).tensor
            _read(tensor[:, :longest], getattr(trajectories, name)[:, :longest])
        return self.host.saved(with_trees, compressed=False)  # that takes minutes

    def restore(self, saved: bytes) -> None:
        """Continue what ``saved`` returned, unless the number of games or the version differs."""
        self.wait()
        self.host.restore(saved)
        self._upload(PuctTrees._fields, Trajectories._fields)

    def _of_games(self) -> list[tuple[str, Placed]]:
        of_games = [(name, getattr(self.trajectories, name)) for name in OF_GAMES]
        return [*of_games, ("counts", self._counts)]

    def _upload(self, of_trees: tuple[str, ...], of_trajectories: tuple[str, ...]) -> None:
        for name in of_trees:
            _copy(getattr(self.host.trees, name), getattr(self.trees, name))
        for name in of_trajectories:
            _copy(getattr(self.host.trajectories, name), getattr(self.trajectories, name))
        if self._on_card:
            torch.cuda.synchronize()  # the graph runs in a stream of its own

    @contextlib.contextmanager
    def _in_stream(self) -> Any:
        if not self._on_card:
            with torch.inference_mode():
                yield
            return
        with torch.inference_mode(), torch.cuda.stream(self.stream):
            yield
            self._done.record(self.stream)

    def _run(self, function: Any, *arguments: Any) -> None:
        if self._on_card:
            blocks = -(-len(self.host.trajectories.turns) // BLOCK)
            function = function[blocks, BLOCK, self._numba_stream]
        function(*arguments)

    def _run_step(self) -> None:
        arrays = _arrays(self.trees), _arrays(self.trajectories)
        self._run(self._step, *arrays, self.host.options, self.host.params, self._counts.array)

    def _steps(self) -> None:
        for _ in range(STEPS):
            self._evaluate(self.trees.leaves.tensor, self.trees.answers.tensor)
            self._run_step()

    def _captured(self) -> Any:
        """Return the graph of several steps; capturing does not execute them."""
        for _ in range(WARM_UP_RUNS):
            self._evaluate(self.trees.leaves.tensor, self.trees.answers.tensor)
        self.stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=self.stream):
            self._steps()
        return graph

    def _turns(self, over: NDArray[np.int64], shown: int) -> FinishedTurns:
        """Gather the turns of some games on the device, then copy them at once."""
        facts = {name: numbers.numpy()[over] for name, numbers in self._facts.items()}
        first, last = facts["random_plies"].astype(np.int64), facts["turns"].astype(np.int64)
        lengths = np.maximum(0, last - first)
        game = np.repeat(np.arange(len(over)), lengths)
        turn = np.arange(len(game)) - (np.cumsum(lengths) - lengths)[game] + first[game]
        full = facts["full"][game, turn] != 0
        game, turn = game[full], turn[full]
        played = self.trajectories.action.tensor
        at = torch.from_numpy(over[game] * played.shape[1] + turn).to(self.device)
        kept = {}
        for name in (*OF_TURNS, "action"):
            whole = getattr(self.trajectories, name).tensor
            rows = whole.reshape(-1, *whole.shape[2:]).index_select(0, at)
            kept[name] = rows.cpu().numpy().view(getattr(self.host.trajectories, name).dtype)
        some = zip(over[:shown], last[:shown], strict=True)
        return FinishedTurns(
            **kept,
            turn=turn,
            game=game,
            **{name: facts[name] for name in FACTS},
            owners=facts["owners"].view(np.uint64),
            actions=[played[i, :turns].cpu().numpy().copy() for i, turns in some],
        )


def _placed(host: NDArray[Any], device: torch.device, games_last: bool) -> Placed:
    """Return an array of zeros like one of the CPU, indexed in the same way.

    With ``games_last`` the numbers of neighbouring games lie side by side, so that the threads of a
    warp read them together. It takes twice as long: below the root each thread is somewhere else,
    and there the edges of one node had better lie side by side (docs/design/gpu.md).
    """
    kind = torch.from_numpy(_signed(host[:0])).dtype
    shape = host.shape[::-1] if games_last else host.shape
    tensor = torch.zeros(shape, dtype=kind, device=device)
    if games_last:
        tensor = tensor.permute(*reversed(range(host.ndim)))
    if device.type == "cpu":
        return Placed(tensor, tensor.numpy().view(host.dtype))
    return Placed(tensor, gpu.card().as_cuda_array(_Typed(tensor, host.dtype)))


def _all_placed(arrays: Any, device: torch.device, games_last: bool) -> Any:
    return type(arrays)(*(_placed(each, device, games_last) for each in arrays))


class _Typed:
    """A tensor on the card whose numbers are read as another type of the same size."""

    def __init__(self, tensor: Tensor, kind: np.dtype[Any]) -> None:
        self.tensor = tensor  # keeps the memory
        facts = tensor.__cuda_array_interface__
        self.__cuda_array_interface__ = {**facts, "typestr": np.dtype(kind).str}


def _signed(array: NDArray[Any]) -> NDArray[Any]:
    return array.view(f"i{array.itemsize}") if array.dtype.kind == "u" else array


def _copy(source: NDArray[Any], target: Placed) -> None:
    target.tensor.copy_(torch.from_numpy(_signed(source)))


def _read(source: Tensor, target: NDArray[Any]) -> None:
    torch.from_numpy(_signed(target)).copy_(source)


def _arrays(placed: Any) -> Any:
    return type(placed)(*(each.array for each in placed))


@functools.cache
def make_card_kernels(features: Features) -> tuple[Any, Any, Any]:
    """Make ``step``, ``restart`` and ``drop_trees`` for a card: a thread for every game."""
    cuda = gpu.compiler()
    step_game, words = make_step_game(features), len(features.game.start().words)

    @cuda.jit(lto=False)
    def step_on_card(trees, trajectories, options, params, counts):
        game = cuda.grid(1)
        if game < len(counts) and trajectories.result[game] == RUNNING:
            own = cuda.local.array(words, np.uint64)  # the threads of a warp access it together
            tree = tree_with(trees, game, own)
            counts[game] += step_game(tree, trajectories, game, options, params)

    @cuda.jit(lto=False)
    def restart_on_card(trees, trajectories, start, options):
        game = cuda.grid(1)
        if game < len(trajectories.turns) and trajectories.result[game] != RUNNING:
            begin_game(tree_of(trees, game), trajectories, game, start, options)

    @cuda.jit(lto=False)
    def drop_on_card(trees):
        game = cuda.grid(1)
        if game < len(trees.roots):
            clear(tree_of(trees, game))

    return step_on_card, restart_on_card, drop_on_card


def make_cpu_kernels(features: Features) -> tuple[Any, Any, Any]:
    """Make the same for the CPU."""
    run = make_self_play_step(features, parallel=True)

    def step(trees: Any, trajectories: Any, options: Any, params: Any, counts: Any) -> None:
        counts[0] += run(trees, trajectories, options, params)

    return step, restart, drop_trees
