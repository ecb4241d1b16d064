import numpy as np
import onnx
import onnxruntime
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from harness.errors import ConfigError
from harness.onnx_floats import with_float_weights

WEIGHT = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.uint8)
ZERO_POINT = np.array(2, dtype=np.uint8)
SCALE = np.array(0.5, dtype=np.float32)
FLOAT_WEIGHT = np.array([[-0.5, 0.0, 0.5], [1.0, 1.5, 2.0]], dtype=np.float32)
"""(WEIGHT - 2) x 0.5, by hand."""


def quantised_model(cast: str = "Cast") -> bytes:
    """y = x @ FLOAT_WEIGHT as onnxruntime's quantize_dynamic writes it."""
    cast_to = {"to": TensorProto.FLOAT} if cast == "Cast" else {}
    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["x"], ["xq", "xs", "xz"]),
        helper.make_node("MatMulInteger", ["xq", "w", "xz", "wz"], ["product"], name="product"),
        helper.make_node(cast, ["product"], ["cast"], **cast_to),
        helper.make_node("Mul", ["xs", "ws"], ["scale"]),
        helper.make_node("Mul", ["cast", "scale"], ["y"]),
    ]
    constants = {"w": WEIGHT, "wz": ZERO_POINT, "ws": SCALE}
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 3])],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=8).SerializeToString()


def run(model: bytes, rows: NDArray[np.float32]) -> NDArray[np.float32]:
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, {"x": rows})[0]


def test_the_float_graph_computes_the_product_with_the_weights_by_hand() -> None:
    rows = np.array([[1, 1], [0.3, -7]], dtype=np.float32)
    assert run(with_float_weights(quantised_model()), rows) == pytest.approx(rows @ FLOAT_WEIGHT, abs=1e-6)


def test_a_row_no_longer_depends_on_its_neighbours() -> None:
    """An outlier in the batch coarsens the quantised row; the float row keeps every bit."""
    row, batch = np.array([[0.1, 0.2]], dtype=np.float32), np.array([[0.1, 0.2], [90, -90]], dtype=np.float32)
    quantised, floats = quantised_model(), with_float_weights(quantised_model())
    assert not np.allclose(run(quantised, row), run(quantised, batch)[:1], atol=1e-2)
    assert np.array_equal(run(floats, row), run(floats, batch)[:1])


def test_nothing_of_the_quantised_product_is_left() -> None:
    graph = onnx.load_model_from_string(with_float_weights(quantised_model())).graph
    assert [node.op_type for node in graph.node] == ["MatMul"]
    assert [tensor.name for tensor in graph.initializer] == ["w_float"]
    assert numpy_helper.to_array(graph.initializer[0]).tolist() == FLOAT_WEIGHT.tolist()


def test_a_float_model_stays_as_it_is() -> None:
    once = with_float_weights(quantised_model())
    assert with_float_weights(once) == once


def test_the_same_model_gives_the_same_bytes() -> None:
    assert with_float_weights(quantised_model()) == with_float_weights(quantised_model())


def test_an_unknown_pattern_is_an_error_that_says_what_stands_where() -> None:
    with pytest.raises(ConfigError, match="Identity stands at 'product' where one Cast is needed"):
        with_float_weights(quantised_model(cast="Identity"))


@pytest.mark.parametrize("data", [b"garbage", b"\xff\xff"])
def test_bytes_that_are_no_model_are_an_error(data: bytes) -> None:
    with pytest.raises(ConfigError, match=f"model \\({len(data)} bytes\\) is not an ONNX file"):
        with_float_weights(data)
