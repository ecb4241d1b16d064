"""Fixed lengths: the anti-pattern."""

import pytest
from pydantic import ValidationError

from harness.chunking.fixed import Fixed
from tests.builders import document
from tests.contracts.chunker import ChunkerContract


class TestFixed(ChunkerContract):
    limit = 40

    @pytest.fixture
    def chunker(self) -> Fixed:
        return Fixed(size=40, overlap=0.25)

    def length(self, text: str) -> int:
        return len(text)


def _texts(chunker: Fixed, text: str) -> list[str]:
    return [chunk.text for chunk in chunker.chunk(document(text=text))]


def test_it_cuts_through_words() -> None:
    assert _texts(Fixed(size=4), "filter care") == ["filt", "er c", "are"]


def test_overlap_repeats_the_end_of_the_chunk_before() -> None:
    assert _texts(Fixed(size=4, overlap=0.5), "abcdefgh") == ["abcd", "cdef", "efgh"]


def test_a_document_shorter_than_a_chunk_is_one_chunk() -> None:
    assert _texts(Fixed(size=1000), "short") == ["short"]


def test_a_chunk_that_would_be_blank_is_left_out() -> None:
    assert _texts(Fixed(size=2), "ab  cd") == ["ab", "cd"]


def test_without_heading_the_index_sees_the_text_alone() -> None:
    made = Fixed().chunk(document(text="# Care\n\nAlpha", title="Manual", mime_type="text/markdown"))[0]
    assert made.indexed_text == "# Care\n\nAlpha"


def test_with_heading_the_index_sees_title_and_section_first() -> None:
    made = Fixed(heading=True).chunk(document(text="# Care\n\nAlpha", title="Manual", mime_type="text/markdown"))[0]
    assert made.heading == "Manual > Care"


@pytest.mark.parametrize(("field", "value"), [("size", 0), ("size", "many"), ("overlap", 0.6), ("overlap", -0.1), ("sise", 9)])
def test_a_bad_value_is_an_error_that_names_the_field(field: str, value: object) -> None:
    with pytest.raises(ValidationError, match=field):
        Fixed(**{field: value})
