"""A value function learnt from records as a file: its kind and its weights.

Playing needs NumPy and Numba only.
"""

import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.atomic_write import atomic_write
from hansu.errors import HansuError
from hansu.games.othello import patterns
from hansu.learning.experts import perceptron
from hansu.search.leaf_evaluator import LeafEvaluator

SHIPPED = "shipped"
KINDS = {"historic": perceptron, "strong": patterns}
"""Name -> module with ``evaluate(pos, weights)`` and the ``SIZE`` of its weights."""

SHIPPED_FILES = {
    net: resources.files("hansu.learning") / "models" / f"othello-records-{net}.npz"
    for net in KINDS
}


@dataclass(frozen=True)
class LearntValue:
    """A value function, and facts about its training."""

    net: str
    evaluator: LeafEvaluator
    facts: dict[str, Any]


def write_value(
    path: Path,
    net: str,
    weights: NDArray[Any],
    facts: dict[str, Any],
    unit: float = 1.0,  # of the weights: small whole numbers take less room
) -> None:
    """Write a file, atomically."""
    content = io.BytesIO()
    np.savez_compressed(
        content,
        net=np.array(net),
        weights=weights,
        unit=np.array(unit, np.float32),
        facts=np.array(json.dumps(facts)),
    )
    atomic_write(path, content.getvalue())


def read_value(path: Path) -> LearntValue:
    """Read a file; raises HansuError."""
    try:
        with np.load(path, allow_pickle=False) as content:
            net, facts = str(content["net"]), json.loads(str(content["facts"]))
            weights = content["weights"].astype(np.float32) * content["unit"]
    except OSError as error:
        raise HansuError(f"cannot read the model {path}: {error.strerror or error}") from None
    except (KeyError, ValueError, TypeError, EOFError, zlib.error, zipfile.BadZipFile):
        raise HansuError(f"{path} is not a value as `hansu learn othello` writes it") from None
    if net not in KINDS or weights.shape != (KINDS[net].SIZE,):
        raise HansuError(f"{path} is of another version: learn it again with `hansu learn othello`")
    return LearntValue(net, LeafEvaluator(KINDS[net].evaluate, weights), facts)


def find_value(model: str, net: str) -> LearntValue:
    """Return the value function of a file, or the one of this kind that comes with the package."""
    if model != SHIPPED:
        return read_value(Path(model))
    with resources.as_file(SHIPPED_FILES[net]) as path:
        return read_value(path)
