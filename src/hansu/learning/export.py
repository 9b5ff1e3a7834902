"""A network as an ONNX file, for playing without PyTorch."""

import io
import warnings
from pathlib import Path
from typing import Any

import torch

from hansu.atomic_write import atomic_write
from hansu.learning.model import with_facts
from hansu.learning.network import Network, folded


def export(network: Network, path: Path, facts: dict[str, Any]) -> None:
    """Write a network to a file, atomically."""
    ready = folded(network).to("cpu").float()
    example = (torch.zeros(2, *network.shape), torch.zeros(2, network.vector_size))
    content = io.BytesIO()
    names = ["planes", "vector", "policy", "value"]
    with warnings.catch_warnings():
        # The newer exporter needs one more package; these networks are well within the older one.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            ready,
            example,
            content,  # type: ignore[arg-type] # the older exporter takes an open file too
            dynamo=False,
            input_names=names[:2],
            output_names=names[2:],
            dynamic_axes={name: {0: "positions"} for name in names},
        )
    atomic_write(path, with_facts(content.getvalue(), {"network": network.name, **facts}))
