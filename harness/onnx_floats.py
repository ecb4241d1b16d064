"""Turns a dynamically quantised ONNX graph into the same graph with float activations and de-quantised weights.

Dynamic quantisation takes an activation's scale over the whole batch, padding included, and its integer kernels
differ between CPUs: a pair's score then depends on its neighbours and on the machine (microsoft/onnxruntime#10111).
With float weights a score is the pair's own.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.errors import ConfigError


def with_float_weights(model: bytes) -> bytes:
    """The serialised model with each quantised matrix product replaced by a float one; a float model stays as it is.

    Replaced is x -> DynamicQuantizeLinear -> MatMulInteger(weight) -> Cast -> Mul(scale of x * scale of weight).

    Raises:
        ConfigError: when the bytes are no ONNX model or a quantised product stands in another pattern.
    """
    import onnx

    unreadable = import_module("google.protobuf.message").DecodeError
    try:
        proto = onnx.load_model_from_string(model)
    except unreadable as error:
        raise ConfigError(f"the model ({len(model):,} bytes) is not an ONNX file: {error}") from error
    graph = _Graph(proto.graph)
    products = [node for node in proto.graph.node if node.op_type == "MatMulInteger"]
    replaced = {output: node for product in products for output, node in [graph.float_product(product)]}
    nodes = [replaced.get(node.output[0], node) for node in proto.graph.node]
    _keep(proto.graph, _needed(nodes, {output.name for output in proto.graph.output}))
    return bytes(proto.SerializeToString(deterministic=True))


class _Graph:
    """Who makes and who reads each value of a graph."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self.constants = {tensor.name: tensor for tensor in graph.initializer}
        self.makers = {output: node for node in graph.node for output in node.output}
        self.readers: dict[str, list[Any]] = {}
        for node in graph.node:
            for name in node.input:
                self.readers.setdefault(name, []).append(node)

    def float_product(self, product: Any) -> tuple[str, Any]:
        """The name of the de-quantised output and the float MatMul that makes it; adds the float weight to the graph."""
        from onnx import helper, numpy_helper

        quantise = self._maker(product.input[0], "DynamicQuantizeLinear")
        cast = self._reader(product.output[0], "Cast")
        rescale = self._reader(cast.output[0], "Mul")
        (scale,) = (name for name in rescale.input if name != cast.output[0])
        scales = self._maker(scale, "Mul")
        (weight_scale,) = (name for name in scales.input if name in self.constants)
        name = f"{product.input[1]}_float"
        self.graph.initializer.append(numpy_helper.from_array(self._weight(product) * self._array(weight_scale), name))
        node = helper.make_node("MatMul", [quantise.input[0], name], [rescale.output[0]], name=f"{product.name}_float")
        return rescale.output[0], node

    def _weight(self, product: Any) -> NDArray[np.float32]:
        weight = self._array(product.input[1])
        has_zero_point = len(product.input) > 3 and product.input[3]
        return weight - self._array(product.input[3]) if has_zero_point else weight

    def _array(self, name: str) -> NDArray[np.float32]:
        from onnx import numpy_helper

        return np.asarray(numpy_helper.to_array(self.constants[name]), dtype=np.float32)

    def _maker(self, name: str, operator: str) -> Any:
        return self._only([self.makers[name]] if name in self.makers else [], name, operator)

    def _reader(self, name: str, operator: str) -> Any:
        return self._only(self.readers.get(name, []), name, operator)

    @staticmethod
    def _only(nodes: list[Any], name: str, operator: str) -> Any:
        if len(nodes) == 1 and nodes[0].op_type == operator:
            return nodes[0]
        found = ", ".join(node.op_type for node in nodes) or "nothing"
        raise ConfigError(
            f"cannot de-quantise the model: {found} stands at {name!r} where one {operator} is needed. "
            "Use a float model, or one quantised by onnxruntime's quantize_dynamic."
        )


def _needed(nodes: list[Any], wanted: set[str]) -> list[Any]:
    """The nodes, in order, on which the wanted outputs depend."""

    def backwards() -> Iterator[Any]:
        for node in reversed(nodes):
            if wanted.intersection(node.output):
                wanted.update(node.input)
                yield node

    return list(backwards())[::-1]


def _keep(graph: Any, nodes: list[Any]) -> None:
    """Leaves only these nodes and the constants that they read."""
    read = {name for node in nodes for name in node.input}
    constants = [tensor for tensor in graph.initializer if tensor.name in read]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend(constants)
