"""What every chunker must do. Subclass it, give the fixture `chunker` and the `limit` of a chunk."""

import re
from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.protocols import Chunker
from harness.text import count_tokens
from harness.types import Chunk
from tests.builders import document

PARTS = [
    "The inlet filter lasts six months. ",
    "Replace it, e.g. in spring. ",
    "FH-4410-B",
    "Замените фильтр каждые девять месяцев. ",
    "استبدل المرشح كل تسعة أشهر. ",
    "フィルターは九か月ごとに交換します。",
    "필터를 교체하십시오. ",
    "🙂",
    "e\u0301tat ",
    " ",
    "\n",
    "\n\n",
    "\n# Care\n",
    "\n## Filter\n\n",
    "\n### Sub\n",
    "\n```\n# no heading\nx = 1\n```\n",
    "\n```\n",
    "\n| a | b |\n| --- | --- |\n| 1 | 2 |\n",
    "\n- first\n- second\n  deeper\n",
    "\n1. one\n",
    "Title\n===\n",
    "x" * 90,
]

WORDLESS_END = re.compile(r"^[\W_]+|[\W_]+$")
"""Punctuation that no chunk could be of alone, so that it may stand at the end of one that is full."""

texts = st.lists(st.sampled_from(PARTS) | st.text(max_size=8), max_size=40).map("".join)
mime_types = st.sampled_from(["text/markdown", "text/html", "text/plain", "text/csv"])
anything = given(text=texts, mime_type=mime_types)
quick = settings(
    max_examples=60,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.differing_executors, HealthCheck.function_scoped_fixture],
)


def own(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks that are shown: those that lead to no other."""
    return [chunk for chunk in chunks if not chunk.parent]


class ChunkerContract:
    limit: int
    """Longest chunk, overlap included."""

    def length(self, text: str) -> int:
        """What `limit` counts."""
        return count_tokens(text)

    @quick
    @anything
    def test_a_chunk_is_what_its_span_says(self, chunker: Chunker, text: str, mime_type: str) -> None:
        for chunk in chunker.chunk(document("a.md", text, mime_type=mime_type)):
            assert chunk.text == text[chunk.span.start : chunk.span.end]

    @quick
    @anything
    def test_every_character_that_is_not_blank_is_in_a_chunk(self, chunker: Chunker, text: str, mime_type: str) -> None:
        chunks = own(chunker.chunk(document("a.md", text, mime_type=mime_type)))
        covered = {place for chunk in chunks for place in range(chunk.span.start, chunk.span.end)}
        assert [place for place, letter in enumerate(text) if not letter.isspace() and place not in covered] == []

    @quick
    @anything
    def test_no_chunk_is_longer_than_the_limit_wordless_ends_aside(self, chunker: Chunker, text: str, mime_type: str) -> None:
        chunks = chunker.chunk(document("a.md", text, mime_type=mime_type))
        assert all(self.length(WORDLESS_END.sub("", chunk.text)) <= self.limit for chunk in chunks)

    @quick
    @anything
    def test_chunks_are_never_blank_and_their_ids_differ(self, chunker: Chunker, text: str, mime_type: str) -> None:
        chunks = chunker.chunk(document("a.md", text, mime_type=mime_type))
        assert all(chunk.text.strip() for chunk in chunks)
        assert len({chunk.chunk_id for chunk in chunks}) == len(chunks)

    @quick
    @anything
    def test_the_same_document_gives_the_same_chunks(self, chunker: Chunker, text: str, mime_type: str) -> None:
        given_document = document("a.md", text, mime_type=mime_type)
        assert chunker.chunk(given_document) == chunker.chunk(given_document)

    @quick
    @anything
    def test_chunks_stand_in_order_and_are_numbered_from_zero(self, chunker: Chunker, text: str, mime_type: str) -> None:
        chunks = own(chunker.chunk(document("a.md", text, mime_type=mime_type)))
        assert [chunk.position for chunk in chunks] == list(range(len(chunks)))
        assert [chunk.span for chunk in chunks] == sorted(chunk.span for chunk in chunks)

    @quick
    @anything
    def test_a_chunk_that_leads_to_another_lies_inside_it(self, chunker: Chunker, text: str, mime_type: str) -> None:
        chunks = chunker.chunk(document("a.md", text, mime_type=mime_type))
        shown = {chunk.chunk_id: chunk for chunk in own(chunks)}
        for child in (chunk for chunk in chunks if chunk.parent):
            around = shown[child.parent]
            assert around.span.start <= child.span.start < child.span.end <= around.span.end
            assert (child.position, child.heading) == (around.position, around.heading)

    @quick
    @anything
    def test_every_chunk_is_found_by_itself_or_by_what_leads_to_it(self, chunker: Chunker, text: str, mime_type: str) -> None:
        chunks = chunker.chunk(document("a.md", text, mime_type=mime_type))
        found = {chunk.parent or chunk.chunk_id for chunk in chunks if chunk.searched}
        assert found == {chunk.chunk_id for chunk in own(chunks)}
        assert all(chunk.parent for chunk in chunks if chunk.search_text)

    def test_a_blank_document_gives_no_chunk(self, chunker: Chunker) -> None:
        assert list(chunker.chunk(document("a.md", " \n\t\n"))) == []

    def test_a_chunk_carries_the_version_of_its_document(self, chunker: Chunker) -> None:
        first, second = (chunker.chunk(document(text="Alpha beta.", content_hash=digest))[0] for digest in ("1", "2"))
        assert (first.version, second.version) == ("1", "2")
        assert first.chunk_id != second.chunk_id
