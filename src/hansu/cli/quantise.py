"""``hansu quantise``: a trained model in eight bits, which plays faster on a CPU."""

import importlib.util
import json
import time
from pathlib import Path
from typing import Annotated

import typer

from hansu.cli.arguments import GameArgument, JsonOption
from hansu.cli.terminal import Console, say
from hansu.errors import HansuError
from hansu.games.game import game
from hansu.learning import quantisation
from hansu.learning.model import SHIPPED, Model, find_model
from hansu.learning.quantisation import Fidelity, Leaves, answers_of, fidelity, searched_positions
from hansu.search.puct_search import SLOTS

SECONDS = 1.0  # in which a model's speed is measured
MATCH = "hansu match {} self_learning:model={} self_learning:model={} --move-seconds 1"


def quantise(
    which: GameArgument,
    model: Annotated[str, typer.Argument(help="Model: an ONNX file of train, or shipped.")],
    out: Annotated[
        Path | None, typer.Option(help="The new file (default: MODEL-int8.onnx, beside it)")
    ] = None,
    positions: Annotated[
        int, typer.Option(min=64, help="Positions on which its answers are compared.")
    ] = 1024,
    as_json: JsonOption = False,
) -> None:
    """Round a model's convolutions to eight bits: on a CPU it answers two to four times as fast.

    What is lost in precision is measured on positions that a search asks the model about, and kept
    small; a match at equal time says which of the two plays better.
    """
    if importlib.util.find_spec("onnx") is None:
        raise HansuError("this needs the package onnx: pip install 'hansu[learn]'")
    given = find_model(model, game(which))
    made = out or Path(
        "." if model == SHIPPED else given.path.parent, f"{given.path.stem}-int8.onnx"
    )
    if not made.parent.is_dir():
        raise HansuError(f"there is no folder {made.parent} to write {made.name} in")
    console = Console(stderr=True, highlight=False)
    with console.status("the model plays games") as status:
        leaves = searched_positions(given, 2 * positions)

        def tell(found: Fidelity) -> None:
            status.update(f"rounding: {_told(found)}")

        quantisation.quantise(given, made, leaves[:positions], tell)
        unseen = leaves[positions:]
        rounded = Model(made, given.game)
        found = fidelity(answers_of(given, unseen), answers_of(rounded, unseen))
        before, after = _speed(given, unseen), _speed(rounded, unseen)
    if as_json:
        facts = found._asdict() | {"positions_per_second": [before, after]}
        typer.echo(json.dumps({"model": str(made), **facts}))
        return
    say(
        f"{made}: {after:,.0f} positions a second, {after / before:.1f} times as many as before\n"
        f"on {len(unseen):,} other positions: {_told(found)}\n"
        f"which of them plays better: {MATCH.format(which, made, model)}"
    )


def _told(found: Fidelity) -> str:
    return (
        f"policy divergence {found.divergence:.4f}, value error {found.value_error:.3f}, "
        f"same move {found.same_move:.1%}"
    )


def _speed(model: Model, leaves: Leaves) -> float:
    """Return how many positions a second a search gets answers for."""
    model(leaves[:SLOTS])
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        first = count % (len(leaves) - SLOTS)
        model(leaves[first : first + SLOTS])
        count += SLOTS
    return count / (time.perf_counter() - began)
