"""Whether a game's compiled functions can run on a GPU, checked on a machine without one.

The compiler for the card types them and makes code of them; docs/design/gpu.md says what they must
keep to.
"""

from collections.abc import Iterator
from typing import Any

from numba import types

from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.games.rules_on_words import rules_on_words
from hansu.kernel import gpu

KEYS, MOVES = types.uint64[::1], types.int64[::1]


def check_on_card(game: Game) -> None:
    """Compile a game's functions for a card; raises HansuError for one that cannot run there.

    It needs the extra ``gpu``, but no card.
    """
    gpu.compiler()
    for function, arguments in card_functions(game):
        try:
            gpu.compiled_for_card(function, *arguments)
        except HansuError as error:
            raise HansuError(f"{game}: {error}") from error


def card_functions(game: Game) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Yield the functions that are called on a card, with the types of their arguments."""
    rules, features = game.rules, game.features
    pos, number = _position_type(game), types.int64
    yield rules.legal_moves, (pos, KEYS, MOVES)
    yield rules.play, (pos, number)
    yield rules.ending, (pos, KEYS, number)
    yield rules.score_first, (pos, number)
    yield rules.key, (pos,)
    for policy in (getattr(rules, "random_move", None), game.heavy_move):
        if policy is not None:
            yield policy, (pos, KEYS, MOVES, KEYS)
    yield game.evaluator.evaluate, (pos,)
    yield features.kernels.planes, (pos, types.float32[:, :, ::1])
    yield features.kernels.action, (pos, number)
    yield features.kernels.move, (pos, number)
    if features.vector_size:
        yield features.kernels.vector, (pos, types.float32[::1])
    if features.packing is not None:
        yield features.kernels.pack, (pos, KEYS)
    if features.has_owners:
        yield features.kernels.owners, (pos, types.int8[::1])


def _position_type(game: Game) -> Any:
    """Return the type of a Position in compiled code."""
    unpack = rules_on_words(game.rules).unpack
    unpack(game.start().words)
    return next(iter(unpack.overloads.values())).signature.return_type
