"""A trained model as a file: ONNX, played with ONNX Runtime. No PyTorch is needed here."""

import json
import os
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.games.game import game as load_game

SHIPPED = "shipped"
THREADS = 1  # more do not make a small model faster, and other games run beside


class Model:
    """The network of an ONNX file, which evaluates packed positions.

    >>> import hansu
    >>> game = hansu.game("tictactoe")
    >>> model = find_model("shipped", game)
    >>> answers = model(game.features.pack(game.start())[None])
    >>> answers.shape
    (1, 10)
    """

    def __init__(self, path: Path, game: Game, content: bytes | None = None) -> None:
        """Load a model from a file, or from ``content`` that may once be one."""
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # else it reports every model home
        import onnxruntime

        self.path, self.game = path, game
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.log_severity_level = 3
        try:
            content = path.read_bytes() if content is None else content
            self._session = onnxruntime.InferenceSession(
                content, options, providers=["CPUExecutionProvider"]
            )
        except OSError as error:
            raise HansuError(f"cannot read the model {path}: {error.strerror}") from None
        except Exception as error:
            raise HansuError(f"{path} is not an ONNX model: {str(error)[:100]}") from None
        self._inputs = {tensor.name for tensor in self._session.get_inputs()}
        self._check()

    def __call__(self, leaves: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Return a row for each position: logits of all actions, the value for the side to move."""
        logits, values = self.tensors(leaves, ["policy", "value"])
        return np.concatenate([logits, values[:, None]], 1)

    def tensors(self, leaves: NDArray[np.uint64], names: list[str]) -> list[NDArray[np.float32]]:
        """Return some inputs and outputs of the network."""
        features = self.game.features
        assert features.packing is not None
        numbers = features.packing.unpack(leaves)
        cells = int(np.prod(features.shape))
        given = {
            "planes": numbers[:, :cells].reshape(-1, *features.shape),
            "vector": numbers[:, cells:],
        }
        given = {name: given[name] for name in self._inputs}
        outputs = [name for name in names if name not in given]
        found = given | dict(zip(outputs, self._session.run(outputs, given), strict=True))
        return [found[name] for name in names]

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What training wrote into the file: the game, the network, the training time."""
        return dict(self._session.get_modelmeta().custom_metadata_map)

    @property
    def mirror(self) -> bool:
        """Whether it takes the board turned for the side to move."""
        return bool(self.facts.get("mirror") != "false")

    def _check(self) -> None:
        features = self.game.features
        shapes = {t.name: list(t.shape[1:]) for t in self._session.get_inputs()}
        outputs = {t.name: list(t.shape[1:]) for t in self._session.get_outputs()}
        fits = shapes.get("planes") == list(features.shape)
        if not fits or outputs.get("policy") != [features.actions] or "value" not in outputs:
            trained = self.facts.get("game", "something else")
            raise HansuError(f"{self.path} is a model for {trained}, not for {self.game}")


def find_model(text: str, game: Game) -> Model:
    """Return the model of a file, or the one that comes with the package."""
    return Model(model_path(text, game), game)


def model_path(text: str, game: Game) -> Path:
    """Return the file that a user means: its path, or ``shipped``. It is not opened."""
    if text != SHIPPED:
        return Path(text)
    path = Path(str(resources.files("hansu.learning"))) / "models" / f"{game.name}.onnx"
    usual = load_game(game.name)
    if not (game == usual or _sizes(game) == _sizes(usual)) or not path.is_file():
        raise HansuError(
            f"no trained model for {game} comes with this version: train one with "
            f"`hansu train {game} --minutes 30 --out runs/{game.name}` and give it as "
            f"model=runs/{game.name}/model.onnx"
        )
    return path


def _sizes(game: Game) -> tuple[tuple[int, ...], int]:
    return game.features.shape, game.features.actions


def with_facts(content: bytes, facts: dict[str, Any]) -> bytes:
    """Return the content of an ONNX file with facts added (needs the package onnx)."""
    import onnx

    model = onnx.load_from_string(content)
    onnx.helper.set_model_props(
        model, {k: v if isinstance(v, str) else json.dumps(v) for k, v in facts.items()}
    )
    return bytes(model.SerializeToString())
