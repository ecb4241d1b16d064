"""From cut marks to chunks."""

import pytest

from harness.chunking.assemble import Piece, assemble
from harness.types import Chunk
from tests.builders import document

DOCUMENT = document("a.md", "Alpha  beta", title="Manual", content_hash="abc")


def _made(*pieces: Piece, heading: bool = True) -> tuple[Chunk, ...]:
    return assemble(DOCUMENT, pieces, heading)


def test_a_chunk_holds_its_characters_and_where_they_stand() -> None:
    (chunk,) = _made(Piece(0, 5, "code", ("Care",)))
    assert (chunk.text, chunk.span.doc_id, chunk.span.start, chunk.span.end) == ("Alpha", "a.md", 0, 5)
    assert (chunk.kind, chunk.section_path, chunk.title, chunk.version, chunk.parent) == ("code", ("Care",), "Manual", "abc", "")


def test_blank_pieces_leave_no_gap_in_the_numbers() -> None:
    assert [(chunk.text, chunk.position) for chunk in _made(Piece(0, 5), Piece(5, 7), Piece(7, 11))] == [
        ("Alpha", 0),
        ("beta", 1),
    ]


def test_the_same_stretch_is_one_chunk() -> None:
    assert len(_made(Piece(0, 5), Piece(0, 5), Piece(0, 6))) == 2


@pytest.mark.parametrize(
    ("section", "heading"),
    [
        ((), "Manual"),
        (("Manual",), "Manual"),
        (("Manual", "Care"), "Manual > Care"),
        (("Care", "Manual"), "Manual > Care > Manual"),
    ],
)
def test_a_first_heading_that_repeats_the_title_is_left_out(section: tuple[str, ...], heading: str) -> None:
    assert _made(Piece(0, 5, section=section))[0].heading == heading


def test_without_heading_there_is_neither_title_nor_section() -> None:
    (chunk,) = _made(Piece(0, 5, section=("Care",)), heading=False)
    assert (chunk.title, chunk.section_path, chunk.indexed_text) == ("", (), "Alpha")


def test_the_heading_does_not_change_the_id() -> None:
    ids = {_made(Piece(0, 5, section=("Care",)), heading=heading)[0].chunk_id for heading in (True, False)}
    assert len(ids) == 1


def test_no_pieces_no_chunks() -> None:
    assert _made() == ()


@pytest.mark.parametrize(
    ("mime_type", "kind"),
    [("text/csv", "table"), ("text/tab-separated-values", "table"), ("text/plain", "prose"), ("text/markdown", "prose")],
)
def test_every_chunk_of_a_delimited_table_is_of_kind_table(mime_type: str, kind: str) -> None:
    made = assemble(document("a.csv", "a,b\n1,2\n", mime_type=mime_type), [Piece(0, 4), Piece(4, 8)], heading=False)
    assert [chunk.kind for chunk in made] == [kind, kind]


def test_a_preface_is_read_before_the_text_and_is_none_of_it() -> None:
    (chunk,) = _made(Piece(7, 11, preface="Alpha"))
    assert (chunk.text, chunk.preface, chunk.indexed_text) == ("beta", "Alpha", "Manual\nAlpha\nbeta")


FAMILY = Piece(
    0,
    11,
    section=("Care",),
    searched=False,
    children=(Piece(0, 5, "sentence"), Piece(7, 11, "proposition", search_text="Beta is.")),
)


def test_a_chunk_is_followed_by_what_leads_to_it() -> None:
    around, first, second = _made(FAMILY)
    assert (around.text, around.searched, around.parent) == ("Alpha  beta", False, "")
    assert [(child.parent, child.searched) for child in (first, second)] == [(around.chunk_id, True)] * 2
    assert [(child.text, child.kind, child.search_text) for child in (first, second)] == [
        ("Alpha", "sentence", ""),
        ("beta", "proposition", "Beta is."),
    ]


def test_a_child_has_the_number_title_section_and_version_of_its_parent() -> None:
    _, around, first, second = _made(Piece(0, 5), FAMILY)
    assert [chunk.position for chunk in (around, first, second)] == [1, 1, 1]
    assert {(chunk.heading, chunk.version) for chunk in (around, first, second)} == {("Manual > Care", "abc")}
    assert [chunk.indexed_text for chunk in (first, second)] == ["Manual > Care\nAlpha", "Manual > Care\nBeta is."]


def test_a_chunk_and_a_child_of_the_same_stretch_have_different_ids() -> None:
    made = _made(Piece(0, 5, children=(Piece(0, 5, "sentence"), Piece(0, 5, "summary", search_text="A."))))
    assert len({chunk.chunk_id for chunk in made}) == 3
    assert made[0].chunk_id == _made(Piece(0, 5))[0].chunk_id


def test_the_same_child_is_made_once() -> None:
    made = _made(Piece(0, 5, children=(Piece(0, 5, "sentence"), Piece(0, 5, "sentence"))))
    assert len(made) == 2


@pytest.mark.parametrize("children", [(), (Piece(5, 7, "sentence"),), (Piece(0, 5, "proposition", search_text="..."),)])
def test_a_chunk_that_nothing_leads_to_is_searched_itself(children: tuple[Piece, ...]) -> None:
    (alone,) = _made(Piece(0, 11, children=children, searched=False))
    assert alone.searched


def test_a_chunk_stands_at_the_place_of_its_own_stretch() -> None:
    paged = document("a.pdf", "Alpha  beta", unit="page", places=((0, 3), (7, 4)))
    around, first, second = assemble(paged, [FAMILY], heading=True)
    assert [chunk.place for chunk in (around, first, second)] == ["pages 3-4", "page 3", "page 4"]
