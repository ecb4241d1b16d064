"""What every embedder must do. Subclass it and give the fixture `embedder`."""

import numpy as np
import pytest

from harness.errors import StageError
from harness.protocols import Embedder

TEXTS = ["The pump FH-4410-B weighs 12 kg.", "Refunds are paid within 14 days.", "Der Käse schmeckt naïve Menschen."]


class EmbedderContract:
    def test_there_is_one_row_per_text(self, embedder: Embedder) -> None:
        assert embedder.embed(TEXTS).shape[0] == len(TEXTS)
        assert embedder.embed_queries(TEXTS).shape == embedder.embed(TEXTS).shape

    def test_rows_are_float32_of_unit_length(self, embedder: Embedder) -> None:
        for vectors in (embedder.embed(TEXTS), embedder.embed_queries(TEXTS)):
            assert vectors.dtype == np.float32
            assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-6)

    def test_no_texts_give_no_rows_of_the_same_dimension(self, embedder: Embedder) -> None:
        assert embedder.embed([]).shape == (0, embedder.embed(TEXTS).shape[1])

    def test_a_vector_does_not_depend_on_its_neighbours(self, embedder: Embedder) -> None:
        together = embedder.embed(TEXTS)
        for number, text in enumerate(TEXTS):
            assert np.array_equal(embedder.embed([text])[0], together[number])

    def test_the_same_texts_give_the_same_bytes(self, embedder: Embedder) -> None:
        assert embedder.embed(TEXTS).tobytes() == embedder.embed(TEXTS).tobytes()

    def test_different_texts_get_different_vectors(self, embedder: Embedder) -> None:
        assert len({row.tobytes() for row in embedder.embed(TEXTS)}) == len(TEXTS)

    @pytest.mark.parametrize("blank", ["", " \n\t"])
    def test_a_blank_text_is_an_error_that_names_it(self, embedder: Embedder, blank: str) -> None:
        with pytest.raises(StageError, match="text 1 of 2"):
            embedder.embed([TEXTS[0], blank])
        with pytest.raises(StageError, match="text 0 of 1"):
            embedder.embed_queries([blank])

    def test_the_identity_names_the_dimension(self, embedder: Embedder) -> None:
        assert str(embedder.embed(TEXTS).shape[1]) in embedder.identity
