"""Positions as planes and moves as actions, for networks; and the symmetries of a board."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.games.packing import Packing
from hansu.games.rules_on_words import rules_on_words
from hansu.games.state import State
from hansu.kernel import kernel


@kernel
def same_action(pos, move):
    """Return a move's number among the network's outputs: the same."""
    return move


@kernel
def same_move(pos, action):
    """Return the move an output stands for: the same number."""
    return action


@dataclass(frozen=True)
class Symmetry:
    """A symmetry of the board, as two permutations.

    ``planes.reshape(n, -1)[:, cells]`` is the turned position and ``policy[actions]`` its policy.
    """

    name: str
    cells: NDArray[np.int64]  # [height * width]
    actions: NDArray[np.int64]  # [actions]


class Features:
    """The inputs of a network for a game, and its outputs.

    The game provides three compiled functions: ``planes(pos, out)`` fills a zeroed
    [planes, height, width] array for the side to move, ``action(pos, move)`` numbers a legal move,
    ``move(pos, action)`` is its inverse. ``vector(pos, out)`` may fill a zeroed array of ``vector``
    further numbers.

    Its module may name what it fills, for people: ``PLANE_NAMES``, ``VECTOR_NAMES``.

    ``pack(pos, out)`` writes the same as words, which ``packing`` unpacks; learning and PUCT need
    it. ``owners(pos, out)`` may write whose every cell is when the game is over: 1 for the first
    player, -1 for the second, 0 for nobody; their sum is the score. Learning may use it.
    """

    def __init__(
        self,
        game: Game,
        kernels: Any,  # the game's features module
        shape: tuple[int, int, int],
        actions: int,
        symmetries: tuple[Symmetry, ...],
        vector: int = 0,
        packing: Packing | None = None,
    ) -> None:
        self.game = game
        self.kernels = kernels
        self.packing = packing
        self.shape = shape
        self.vector_size = vector
        self.actions = actions
        self.symmetries = symmetries
        self.plane_names: tuple[str, ...] = getattr(kernels, "PLANE_NAMES", ())
        self.vector_names: tuple[str, ...] = getattr(kernels, "VECTOR_NAMES", ())
        self.cells = shape[1] * shape[2]
        self.set_words = (self.cells + 63) // 64  # of a set of cells
        self.has_owners = hasattr(kernels, "owners")
        unpack = rules_on_words(game.rules).unpack
        planes_of, action_of, move_of = kernels.planes, kernels.action, kernels.move

        @kernel(variant=kernels)
        def planes(words, out):
            planes_of(unpack(words), out)

        @kernel(variant=kernels)
        def action(words, move):
            return action_of(unpack(words), move)

        @kernel(variant=kernels)
        def move(words, action):
            return move_of(unpack(words), action)

        if packing is not None:
            pack_of = kernels.pack

            @kernel(variant=kernels)
            def pack(words, out):
                pack_of(unpack(words), out)

            self._pack = pack
        self._planes, self._action, self._move = planes, action, move
        if vector:
            vector_of = kernels.vector

            @kernel(variant=kernels)
            def fill_vector(words, out):
                vector_of(unpack(words), out)

            self._vector = fill_vector
        if self.has_owners:
            owners_of = kernels.owners

            @kernel(variant=kernels)
            def fill_owners(words, out):
                owners_of(unpack(words), out)

            self._owners = fill_owners

    def planes(self, state: State) -> NDArray[np.float32]:
        """Return the position as [planes, height, width] numbers, seen by the side to move.

        >>> import hansu
        >>> game = hansu.game("connect4")
        >>> game.features.planes(game.start()).shape
        (2, 6, 7)
        """
        out = np.zeros(self.shape, np.float32)
        self._planes(state.words, out)
        return out

    def vector(self, state: State) -> NDArray[np.float32]:
        """Return what is not on the board, as [vector_size] numbers; most games have none.

        >>> import hansu
        >>> game = hansu.game("microchess")
        >>> game.features.vector(game.start()).tolist()
        [1.0, 0.0, 1.0, 1.0]
        """
        out = np.zeros(self.vector_size, np.float32)
        if self.vector_size:
            self._vector(state.words, out)
        return out

    def pack(self, state: State) -> NDArray[np.uint64]:
        """Return the position as ``packing`` unpacks it.

        >>> import hansu
        >>> features = hansu.game("connect4").features
        >>> features.pack(hansu.game("connect4").parse("12")).tolist()
        [1, 128]
        """
        if self.packing is None:
            raise HansuError(f"{self.game.name} has no pack(pos, out) in its features yet")
        out = np.zeros(self.packing.words, np.uint64)
        self._pack(state.words, out)
        return out

    def owners(self, state: State) -> NDArray[np.int8]:
        """Return whose each cell is: 1 the first player's, -1 the second's; 0: nobody's.

        >>> import hansu
        >>> game = hansu.game("othello")
        >>> int(game.features.owners(game.parse("f5")).sum())
        3
        """
        if not self.has_owners:
            raise HansuError(f"{self.game.name} has no owners(pos, out) in its features")
        out = np.zeros(self.cells, np.int8)
        self._owners(state.words, out)
        return out

    def action(self, state: State, move: Any) -> int:
        """Return the number of a legal move among the network's outputs."""
        return int(self._action(state.words, state.move_id(move)))

    def move(self, state: State, action: int) -> Any:
        """Return the move that an action of the network stands for."""
        return state.move_from_id(int(self._move(state.words, action)))


def board_symmetries(
    height: int, width: int, names: tuple[str, ...] | None = None, other_actions: int = 0
) -> tuple[Symmetry, ...]:
    """Return the symmetries of a board whose actions are its cells, row by row, then a few others.

    >>> [symmetry.name for symmetry in board_symmetries(2, 3)]
    ['identity', 'mirror', 'flip', 'half turn']
    """
    grid = np.arange(height * width).reshape(height, width)
    turns = {
        "identity": grid,
        "mirror": grid[:, ::-1],
        "flip": grid[::-1],
        "half turn": grid[::-1, ::-1],
    }
    if height == width:
        turns |= {
            "transpose": grid.T,
            "quarter turn": np.rot90(grid),
            "three-quarter turn": np.rot90(grid, 3),
            "anti-transpose": grid[::-1, ::-1].T,
        }
    others = np.arange(height * width, height * width + other_actions)
    return tuple(
        Symmetry(name, cells.ravel(), np.concatenate([cells.ravel(), others]))
        for name, cells in turns.items()
        if names is None or name in names
    )
