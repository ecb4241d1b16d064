"""Pages and slides: a chunk never reaches over the end of one."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.chunking.pages import Pages
from harness.chunking.recursive import Recursive
from harness.embedding.hashing import Hashing
from harness.golden.golden_set import load
from harness.types import Chunk, Document
from tests.builders import document
from tests.chunking.typed import Typed
from tests.contracts.chunker import ChunkerContract, quick
from tests.golden.public import ROOT

PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"


class TestPages(ChunkerContract):
    limit = 24 + 7

    @pytest.fixture(params=["application/pdf", PPTX])
    def chunker(self, request: pytest.FixtureRequest) -> Typed:
        return Typed(Pages(size=24, overlap=0.3), request.param, page=40)


class TestWithoutPages(ChunkerContract):
    limit = 24 + 7

    @pytest.fixture
    def chunker(self) -> Pages:
        return Pages(size=24, overlap=0.3)


def _paged(*pages: str, mime_type: str = "application/pdf", unit: str = "page") -> Document:
    """A document of these pages, with a blank line between."""
    starts = [sum(len(page) + 2 for page in pages[:number]) for number in range(len(pages))]
    places = tuple((start, number) for number, start in enumerate(starts, 1))
    return document("a.pdf", "\n\n".join(pages), mime_type=mime_type, unit=unit, places=places)


def _cut(given: Document, size: int = 512, overlap: float = 0.0) -> list[Chunk]:
    return list(Pages(size=size, overlap=overlap).chunk(given))


def test_each_page_is_a_chunk_that_says_where_it_stands() -> None:
    made = _cut(_paged("One two.", "Six ten.", "Red sea."))
    assert [(chunk.text, chunk.place) for chunk in made] == [
        ("One two.", "page 1"),
        ("Six ten.", "page 2"),
        ("Red sea.", "page 3"),
    ]


def test_a_page_without_text_gives_no_chunk() -> None:
    assert [chunk.place for chunk in _cut(_paged("One two.", " ", "Red sea."))] == ["page 1", "page 3"]


def test_a_page_without_a_word_is_a_chunk_of_its_own_that_can_be_embedded() -> None:
    made = Pages(heading=False).chunk(_paged("One two.", "* * *", "Red sea.", "•"))
    assert [(chunk.text, chunk.place, chunk.preface) for chunk in made] == [
        ("One two.", "page 1", ""),
        ("* * *", "page 2", "page 2"),
        ("Red sea.", "page 3", ""),
        ("•", "page 4", "page 4"),
    ]
    assert len(Hashing().embed([chunk.indexed_text for chunk in made])) == 4


def test_what_has_no_word_on_a_page_with_words_joins_them() -> None:
    made = _cut(_paged("***\n\nOne two.\n\n---", "Red sea."), size=3)
    assert [(chunk.text, chunk.place, chunk.preface) for chunk in made] == [
        ("***\n\nOne two.\n\n---", "page 1", ""),
        ("Red sea.", "page 2", ""),
    ]


PAGES = st.lists(
    st.lists(st.sampled_from(["One two. ", "***\n\n", "•", "Фильтр. ", "\n", "字", "🙂 ", "."]), max_size=6).map("".join)
)


@quick
@given(
    pages=PAGES,
    size=st.integers(1, 12),
    overlap=st.sampled_from([0.0, 0.5]),
    mime_type=st.sampled_from(["application/pdf", PPTX]),
)
def test_each_chunk_of_random_pages_stands_on_one_page_and_nothing_is_lost(
    pages: list[str], size: int, overlap: float, mime_type: str
) -> None:
    given_document = _paged(*pages, mime_type=mime_type)
    chunks = Pages(size, overlap, heading=False).chunk(given_document)
    covered = {place for chunk in chunks for place in range(chunk.span.start, chunk.span.end)}
    assert all(letter.isspace() or place in covered for place, letter in enumerate(given_document.text))
    assert [chunk.place for chunk in chunks if chunk.place.startswith("pages")] == []
    assert len(Hashing().embed([chunk.indexed_text for chunk in chunks])) == len(chunks)


def test_a_larger_page_is_cut_between_paragraphs() -> None:
    made = _cut(_paged("One two.\n\nSix ten.", "Red sea."), size=4)
    assert [(chunk.text, chunk.place) for chunk in made] == [
        ("One two.", "page 1"),
        ("Six ten.", "page 1"),
        ("Red sea.", "page 2"),
    ]


def test_overlap_repeats_sentences_of_the_same_page_only() -> None:
    made = _cut(_paged("One two. Six ten.\n\nBlue sky.", "Red sea."), size=6, overlap=0.5)
    assert [chunk.text for chunk in made] == ["One two. Six ten.", "Six ten.\n\nBlue sky.", "Red sea."]


SLIDES = ("## Plan\n\n- first\n- second", "## Prices\n\n| a | b |\n| --- | --- |\n| 1 | 2 |", "## End\n\nThank you.\n\n- Notes")


def test_each_slide_is_a_chunk_with_its_title_as_section_and_its_kind() -> None:
    made = _cut(_paged(*SLIDES, mime_type=PPTX, unit="slide"))
    assert [(chunk.text, chunk.place) for chunk in made] == [(text, f"slide {n}") for n, text in enumerate(SLIDES, 1)]
    assert [(chunk.section_path, chunk.kind) for chunk in made] == [
        (("Plan",), "list"),
        (("Prices",), "table"),
        (("End",), "prose"),
    ]


def test_a_row_of_a_slides_table_is_not_cut() -> None:
    rows = [f"| cell {number} | value {number} |" for number in range(10, 30)]
    made = _cut(_paged("\n".join(["| a | b |", "| --- | --- |", *rows]), mime_type=PPTX, unit="slide"), size=30, overlap=0.5)
    assert len(made) > 5
    assert [line for chunk in made for line in chunk.text.split("\n")][2:] == rows


def test_text_before_the_first_place_belongs_to_the_first_page() -> None:
    given = document(text="Cover.\n\nOne two.", unit="page", places=((8, 1),), mime_type="application/pdf")
    assert [chunk.text for chunk in _cut(given)] == ["Cover.\n\nOne two."]


@pytest.mark.parametrize(
    "fields", [{}, {"unit": "page"}, {"unit": "line", "places": ((0, 8),)}, {"unit": "row", "places": ((0, 1),)}]
)
def test_documents_without_pages_go_to_the_recursive_chunker(fields: dict[str, Any]) -> None:
    prose = document(text="One two six. " * 90, **fields)
    assert Pages(size=50, overlap=0.1).chunk(prose) == Recursive(size=50, overlap=0.1).chunk(prose)


def test_the_slides_and_the_datasheet_of_a_shipped_set_are_cut_by_page() -> None:
    documents = {
        paged.doc_id: paged for paged in load(ROOT / "golden_sets" / "fernhill").documents if paged.unit in ("page", "slide")
    }
    assert {paged.unit for paged in documents.values()} == {"page", "slide"}
    for paged in documents.values():
        chunks = _cut(paged, size=2000)
        assert [chunk.place for chunk in chunks] == [f"{paged.unit} {number}" for _, number in paged.places]
