"""Which chunker would have kept the evidence whole, tried on real documents."""

import pytest

from harness.attribution.rechunking import SIZES, rechunked
from harness.chunking.code import Code
from harness.chunking.fixed import Fixed
from harness.chunking.recursive import Recursive
from harness.chunking.table import Table
from harness.protocols import Chunker
from harness.types import Document, Evidence, Span
from tests.builders import document

SENTENCE = "The pump at station number {} was opened, cleaned and closed again by the same person. "
PROSE = document("a.md", "\n\n".join("".join(SENTENCE.format(n) for n in range(part * 5, part * 5 + 5)) for part in range(20)))
TABLE = document("t.md", "# Prices\n\n| part | price |\n| --- | --- |\n| pump | 12 |\n| hose | 7 |\n", mime_type="text/markdown")
SHEET = document("t.csv", "part,price\npump,12\nhose,7\n", mime_type="text/csv")
LISTING = document("g.md", "# Start\n\n```\nopen()\nstart()\n```\n", mime_type="text/markdown")
PROGRAM = document("g.py", "def start():\n    return 1\n", mime_type="text/x-python")


def quoted(where: Document, first: str, last: str) -> Evidence:
    """Evidence from the start of one phrase to the end of another."""
    return Evidence((Span(where.doc_id, where.text.index(first), where.text.index(last) + len(last)),))


def whole(chunker: Chunker, where: Document, group: Evidence) -> bool:
    (span,) = group.alternatives
    return any(chunk.span.start <= span.start and span.end <= chunk.span.end for chunk in chunker.chunk(where))


@pytest.mark.parametrize(
    ("first", "last", "size"),
    [("number 4 ", "number 6 ", 256), ("number 0 ", "number 18 ", 512), ("number 1 ", "number 40 ", 1024)],
)
def test_the_size_that_is_named_keeps_the_evidence_whole_and_the_next_smaller_one_does_not(
    first: str, last: str, size: int
) -> None:
    group = quoted(PROSE, first, last)
    assert rechunked(group, 1.0, Recursive(64, 0.0), PROSE) == f"chunker.size={size}"
    assert whole(Recursive(size, 0.0), PROSE, group)
    assert not whole(Recursive(SIZES[SIZES.index(size) - 1], 0.0), PROSE, group)


def test_only_sizes_above_that_of_the_chunker_in_use_are_named() -> None:
    group = quoted(PROSE, "number 0 ", "number 1 ")
    assert rechunked(group, 1.0, Recursive(256), PROSE) == "chunker.size=512"


def test_fixed_counts_characters_so_another_chunker_is_named_with_its_size() -> None:
    group = quoted(PROSE, "number 0 ", "number 4 ")
    assert rechunked(group, 1.0, Fixed(100), PROSE) == "chunker=recursive chunker.size=128"
    assert whole(Recursive(128), PROSE, group)


@pytest.mark.parametrize(
    ("where", "first", "last", "chunker", "says"),
    [
        (TABLE, "pump | 12", "hose", Fixed(30), "it is part of a table: chunker=table or chunker=router"),
        (SHEET, "pump", "hose", Recursive(4), "it is part of a table: chunker=table or chunker=router"),
        (PROGRAM, "def", "return", Fixed(10), "it is part of a program: chunker=code or chunker=router"),
        (LISTING, "open", "start()", Fixed(10), "chunker=markdown chunker.size=128"),
        (TABLE, "# Pri", "Prices", Fixed(5), "chunker=markdown chunker.size=128"),
    ],
)
def test_evidence_of_a_table_or_of_code_is_sent_to_the_chunker_made_for_it(
    where: Document, first: str, last: str, chunker: Chunker, says: str
) -> None:
    assert rechunked(quoted(where, first, last), 1.0, chunker, where) == says


@pytest.mark.parametrize(("where", "chunker"), [(SHEET, Table(4)), (PROGRAM, Code(4))])
def test_the_chunker_made_for_it_is_not_named_again_where_it_was_the_one_that_cut(where: Document, chunker: Chunker) -> None:
    first, last = ("part", "hose") if where is SHEET else ("def", "return")
    assert rechunked(quoted(where, first, last), 1.0, chunker, where) == "chunker.size=128"


def test_evidence_over_two_sections_needs_a_chunker_that_joins_them() -> None:
    where = document("s.md", "# One\n\nOpen it.\n\n# Two\n\nClose it.\n", mime_type="text/markdown")
    assert rechunked(quoted(where, "Open", "Close it."), 1.0, Fixed(9), where) == "chunker=recursive chunker.size=128"


def test_evidence_longer_than_every_size_is_said_to_need_several_pieces() -> None:
    group = Evidence((Span("a.md", 0, len(PROSE.text)),))
    assert rechunked(group, 1.0, Recursive(64), PROSE) == "no chunk of up to 1,024 tokens holds it: label it in several pieces"
