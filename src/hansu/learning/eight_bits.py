"""The graph of a model, rewritten so that its convolutions are computed in eight bits.

ONNX says so by pairs of nodes, QuantizeLinear and DequantizeLinear, on what a convolution takes, on
its weights and on its result; ONNX Runtime then computes it with integers. Weights stay in the file
as they were trained, so that training can go on from it.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.errors import HansuError

WEIGHT_LEVELS = 63  # not 127: a CPU without VNNI adds two products in 16 bits
LEVELS = {False: 255, True: 127}  # of a tensor without negative numbers, of one that has them
ZEROS = {False: 0, True: 128}  # the integers that stand for 0
SMALLEST = 1e-8  # scale

Numbers = NDArray[Any]


class EightBits:
    """A model's graph. ``tensors`` are those of which each needs a clip, its largest number."""

    def __init__(self, path: Path) -> None:
        import onnx

        try:
            self.model = onnx.load_model(str(path))
        except OSError as error:
            raise HansuError(f"cannot read the model {path}: {error.strerror}") from None
        except Exception:
            raise HansuError(f"{path} is not an ONNX model") from None
        self._nodes = list(self.model.graph.node)
        self._numbers = {
            each.name: onnx.numpy_helper.to_array(each) for each in self.model.graph.initializer
        }
        convolutions = [node for node in self._nodes if node.op_type == "Conv"]
        if any(node.op_type == "QuantizeLinear" for node in self._nodes):
            raise HansuError(f"{path} is in eight bits already")
        if not convolutions:
            raise HansuError(f"{path} has no convolutions, which alone are rounded")
        self._results = [self._result(node) for node in convolutions]
        taken = [node.input[0] for node in convolutions]
        self.tensors = list(dict.fromkeys(taken + self._results))

    def observed(self) -> bytes:
        """Return the model with ``tensors`` as further outputs."""
        import onnx

        model = self._copy()
        inputs = [each.name for each in model.graph.input]
        model.graph.output.extend(
            onnx.ValueInfoProto(name=name) for name in self.tensors if name not in inputs
        )
        return bytes(model.SerializeToString())

    def rounded(self, clips: dict[str, float], signed: set[str]) -> bytes:
        """Return the model in eight bits; tensors in ``signed`` have negative numbers too.

        The residual stream itself is not rounded, only what convolutions take from it and add to
        it: its errors would add up from block to block.
        """
        model = self._copy()
        del model.graph.node[:]
        scales = {
            name: max(clips[name] / LEVELS[name in signed], SMALLEST) for name in self.tensors
        }
        rounded: dict[str, str] = {}

        def round_these(names: list[str]) -> None:
            for name in names:
                if name in scales:
                    zero = np.array(ZEROS[name in signed], np.uint8)
                    scale = np.array(scales[name], np.float32)
                    rounded[name] = _rounded(model.graph, name, scale, zero)

        round_these([each.name for each in model.graph.input])
        for node in self._nodes:
            is_convolution = node.op_type == "Conv"
            given = [
                rounded[name]
                if name in rounded and (is_convolution or name in self._results)
                else name
                for name in node.input
            ]
            if is_convolution:
                given[1:] = self._rounded_weights(model.graph, node, scales[node.input[0]])
            changed = model.graph.node.add()
            changed.CopyFrom(node)
            changed.input[:] = given
            round_these(list(node.output))
        return bytes(model.SerializeToString())

    def _rounded_weights(self, graph: Any, convolution: Any, scale: float) -> list[str]:
        """Return the names of weights and bias; every filter has a scale of its own."""
        weight, bias = convolution.input[1:]
        largest = np.abs(self._numbers[weight]).max(axis=(1, 2, 3))
        scales = np.maximum(largest / WEIGHT_LEVELS, SMALLEST).astype(np.float32)
        # A bias is added to sums of products: it has their scale, and more bits.
        of_sums = scales * np.float32(scale)
        limits = np.iinfo(np.int32)
        sums = np.clip(np.rint(self._numbers[bias] / of_sums), limits.min, limits.max)
        _add(graph, f"{bias}_integers", sums.astype(np.int32))
        return [
            _rounded(graph, weight, scales, np.zeros(len(scales), np.int8), axis=0),
            _scaled(graph, bias, of_sums, np.zeros(len(scales), np.int32), axis=0),
        ]

    def _result(self, convolution: Any) -> str:
        """Return the tensor after a convolution, and after its ReLU if nothing else reads it."""
        (name,) = convolution.output
        readers = [node for node in self._nodes if name in node.input]
        alone = len(readers) == 1 and readers[0].op_type == "Relu"
        return str(readers[0].output[0] if alone else name)

    def _copy(self) -> Any:
        model = type(self.model)()
        model.CopyFrom(self.model)
        return model


def _rounded(graph: Any, name: str, scale: Numbers, zero: Numbers, **axis: int) -> str:
    """Round a tensor to integers; return its name as it is then read."""
    import onnx

    given = [name, f"{name}_scale", f"{name}_zero"]
    graph.node.append(onnx.helper.make_node("QuantizeLinear", given, [f"{name}_integers"], **axis))
    return _scaled(graph, name, scale, zero, **axis)


def _scaled(graph: Any, name: str, scale: Numbers, zero: Numbers, **axis: int) -> str:
    """Read integers as the numbers that they stand for; return the name of these."""
    import onnx

    given = [
        f"{name}_integers",
        _add(graph, f"{name}_scale", scale),
        _add(graph, f"{name}_zero", zero),
    ]
    graph.node.append(onnx.helper.make_node("DequantizeLinear", given, [f"{name}_rounded"], **axis))
    return f"{name}_rounded"


def _add(graph: Any, name: str, numbers: Numbers) -> str:
    import onnx

    graph.initializer.append(onnx.numpy_helper.from_array(numbers, name))
    return name
