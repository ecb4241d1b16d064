import numpy as np
import pytest
from pydantic import ValidationError

from harness.embedding.hashing import Hashing
from harness.errors import StageError
from tests.contracts.embedder import EmbedderContract


class TestHashing(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Hashing:
        return Hashing()


def test_the_dimension_is_the_length_of_the_vectors() -> None:
    assert Hashing(dimension=64).embed(["a pump"]).shape == (1, 64)


def test_shared_words_and_pairs_make_the_cosine() -> None:
    """`red pump`, `red valve`: words red, pump, valve and one pair each; one of three features is shared."""
    first, second = Hashing(2**16).embed(["red pump", "red valve"])
    assert float(first @ second) == pytest.approx(1 / 3, abs=1e-6)


def test_case_does_not_matter_and_order_matters_a_little() -> None:
    upper, lower, turned = Hashing(2**16).embed(["Red Pump", "red pump", "pump red"])
    assert np.array_equal(upper, lower)
    assert float(lower @ turned) == pytest.approx(2 / 3, abs=1e-6)


def test_one_letter_words_and_numbers_count() -> None:
    assert Hashing().embed(["k", "60"]).any(axis=1).all()


def test_a_text_without_words_is_an_error() -> None:
    with pytest.raises(StageError, match=r"text 0 of 1 \('\?!'"):
        Hashing().embed(["?!"])


@pytest.mark.parametrize("dimension", [0, 1, -5, "many", 2**21])
def test_a_bad_dimension_is_an_error_that_names_the_field(dimension: object) -> None:
    with pytest.raises(ValidationError, match="dimension"):
        Hashing(dimension=dimension)  # type: ignore[arg-type]


def test_an_unknown_field_is_an_error() -> None:
    with pytest.raises(ValidationError, match="size"):
        Hashing(size=3)  # type: ignore[call-arg]


def test_two_dimensions_are_two_identities() -> None:
    assert Hashing(64).identity != Hashing(128).identity
