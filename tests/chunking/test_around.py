"""What is left around the blocks that a chunker takes for itself."""

from collections.abc import Sequence

import pytest

from harness.chunking.around import around
from harness.chunking.assemble import Piece
from harness.chunking.items import Items
from harness.chunking.table import Table
from harness.protocols import Chunker
from tests.builders import chunk, document

TEXT = "One. Two.\n\n| 1 | 2 |\n\nEnd."


def _left(*chunks: tuple[int, int], taken: Sequence[str] = ("| 1 | 2 |",)) -> list[str]:
    pieces = [Piece(TEXT.index(part), TEXT.index(part) + len(part), "table") for part in taken]
    found = around(TEXT, [chunk("a.md", start, end, TEXT[start:end]) for start, end in chunks], pieces)
    return [TEXT[piece.start : piece.end] for piece in found]


@pytest.mark.parametrize(
    ("chunks", "pieces"),
    [
        ([(0, 26)], ["One. Two.", "| 1 | 2 |", "End."]),
        ([(0, 9), (11, 26)], ["One. Two.", "| 1 | 2 |", "End."]),
        ([(0, 9), (5, 26)], ["One. Two.", "| 1 | 2 |", "End."]),
        ([(0, 20), (5, 26)], ["One. Two.", "| 1 | 2 |", "End."]),
    ],
)
def test_what_only_repeats_the_chunk_before_is_no_piece(chunks: list[tuple[int, int]], pieces: list[str]) -> None:
    assert _left(*chunks) == pieces


def test_an_overlap_that_goes_on_after_it_is_kept() -> None:
    assert _left((0, 9), (5, 26), taken=()) == ["One. Two.", "Two.\n\n| 1 | 2 |\n\nEnd."]


@pytest.mark.parametrize(
    ("chunker", "block"),
    [(Table(size=14, overlap=0.5), "| 1 | 2 |\n| - | - |\n| 3 | 4 |"), (Items(size=14, overlap=0.5), "- one\n- two")],
    ids=["table", "list"],
)
def test_text_right_before_a_block_is_not_a_chunk_again(chunker: Chunker, block: str) -> None:
    text = f"One two six. Red sea sky.\n\nBlue fish. The end.\n\n{block}"
    spans = [made.span for made in chunker.chunk(document(text=text, mime_type="text/markdown"))]
    assert [
        span for span in spans if any(span != other and other.start <= span.start and span.end <= other.end for other in spans)
    ] == []
