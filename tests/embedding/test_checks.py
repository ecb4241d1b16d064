import numpy as np
import pytest

from harness.embedding.checks import unit_vectors
from harness.errors import StageError


def test_rows_are_scaled_to_unit_length() -> None:
    assert unit_vectors(np.array([[3.0, 4.0], [0.0, 2.0]]), ["a", "b"], "toy").tolist() == [
        [pytest.approx(0.6), pytest.approx(0.8)],
        [0.0, 1.0],
    ]


@pytest.mark.parametrize(
    ("row", "length"), [([0.0, 0.0], "0.0"), ([np.nan, 1.0], "nan"), ([np.inf, 1.0], "inf")], ids=["zero", "nan", "infinite"]
)
def test_a_vector_without_direction_is_an_error_that_names_model_and_text(row: list[float], length: str) -> None:
    with pytest.raises(StageError, match=rf"'toy' has no direction for text 1 of 2 \('bad text', vector length {length}\)"):
        unit_vectors(np.array([[1.0, 0.0], row]), ["good", "bad text"], "toy")
