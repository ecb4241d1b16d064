"""No chunk without a word, unless its document has none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.chunking.assemble import Piece
from harness.chunking.fixed import Fixed
from harness.chunking.markdown import Markdown
from harness.chunking.recursive import Recursive
from harness.chunking.wordless import with_words
from harness.embedding.hashing import Hashing
from harness.errors import StageError
from harness.protocols import Chunker
from harness.text import words
from tests.builders import document
from tests.contracts.chunker import quick

SMALL = [Fixed(size=3), Fixed(size=7, overlap=0.5), Recursive(size=2), Markdown(size=2), Markdown(size=6, overlap=0.5)]
LETTERS = ["a", "bc ", "ж", "ا", "字", "한", "é", "🙂", ".", "!?", "-----", "|", "_", "\n", " ", "\u0640", "# ", "- ", "```\n"]
texts = st.lists(st.sampled_from(LETTERS), max_size=30).map("".join)


def _joined(text: str, *ends: int) -> list[str]:
    pieces = [Piece(start, end) for start, end in zip([0, *ends], ends, strict=False)]
    return [text[piece.start : piece.end] for piece in with_words(text, pieces)]


@pytest.mark.parametrize(
    ("text", "ends", "joined"),
    [
        ("ab cd", (3, 5), ["ab ", "cd"]),
        ("ab . cd", (3, 5, 7), ["ab . ", "cd"]),
        ("... ab", (4, 6), ["... ab"]),
        ("... !!! ab ?", (4, 8, 11, 12), ["... !!! ab ?"]),
        ("ab  .", (3, 4, 5), ["ab  ."]),
        ("ab   cd", (2, 5, 7), ["ab", "cd"]),
        ("...!!!", (3, 6), ["...!!!"]),
        ("  ", (1, 2), []),
        ("ab 字 .", (3, 5, 6), ["ab ", "字 ."]),
    ],
)
def test_a_piece_without_a_word_joins_its_neighbour(text: str, ends: tuple[int, ...], joined: list[str]) -> None:
    assert _joined(text, *ends) == joined


def test_the_joint_piece_keeps_kind_and_section_of_the_one_with_the_words() -> None:
    ruled, said = Piece(0, 3, "table", ("A",)), Piece(4, 6, "list", ("B",))
    assert with_words("--- ab", [ruled, said]) == [Piece(0, 6, "list", ("B",))]
    assert with_words("ab. ---", [Piece(0, 3, "list", ("B",)), Piece(4, 7, "table", ("A",))]) == [Piece(0, 7, "list", ("B",))]


def test_a_piece_inside_the_one_before_does_not_shorten_it() -> None:
    assert with_words("ab...", [Piece(0, 5), Piece(2, 4)]) == [Piece(0, 5)]


def test_a_long_stretch_without_a_word_takes_linear_time() -> None:
    text = "-" * 200_000 + " word"
    (piece,) = with_words(text, [Piece(start, start + 10) for start in range(0, 200_000, 10)] + [Piece(200_000, 200_005)])
    assert (piece.start, piece.end) == (0, 200_005)


@pytest.mark.parametrize("chunker", SMALL, ids=repr)
@quick
@given(text=texts, mime_type=st.sampled_from(["text/markdown", "text/plain", "text/x-rst"]))
def test_every_chunk_of_a_document_with_words_has_one_and_nothing_is_lost(chunker: Chunker, text: str, mime_type: str) -> None:
    chunks = chunker.chunk(document(text=text, mime_type=mime_type))
    assert len(chunks) == bool(text.strip()) if not words(text) else all(words(chunk.text) for chunk in chunks)
    covered = {place for chunk in chunks for place in range(chunk.span.start, chunk.span.end)}
    assert all(letter.isspace() or place in covered for place, letter in enumerate(text))


@pytest.mark.parametrize("chunker", SMALL, ids=repr)
def test_what_a_chunker_cuts_can_be_embedded_by_its_words(chunker: Chunker) -> None:
    text = "The filter lasts six months. ***\n\n-----\n\n. . .\n\nReplace it.\n" * 3
    chunks = chunker.chunk(document(text=text, mime_type="text/markdown"))
    assert len(Hashing().embed([chunk.text for chunk in chunks])) == len(chunks) > 3


def test_a_document_without_a_word_is_named_by_the_embedder_with_what_to_do() -> None:
    (chunk,) = Fixed(size=2).chunk(document(text="... !!!\n"))
    with pytest.raises(StageError, match=r"'\.\.\. !!!\\n'.*at least one word is needed: drop it"):
        Hashing().embed([chunk.text])
