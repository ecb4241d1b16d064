"""Recursive: coarse separators first."""

import pytest
from pydantic import ValidationError

from harness.chunking.recursive import Recursive
from harness.text import count_tokens
from tests.builders import document
from tests.contracts.chunker import ChunkerContract


class TestRecursive(ChunkerContract):
    limit = 24 + 7

    @pytest.fixture
    def chunker(self) -> Recursive:
        return Recursive(size=24, overlap=0.3)


class TestRecursiveWithoutOverlap(ChunkerContract):
    limit = 5

    @pytest.fixture
    def chunker(self) -> Recursive:
        return Recursive(size=5, overlap=0)


def _texts(chunker: Recursive, text: str) -> list[str]:
    return [chunk.text for chunk in chunker.chunk(document(text=text))]


def _plain(size: int, text: str) -> list[str]:
    return _texts(Recursive(size=size, overlap=0), text)


def test_what_fits_is_one_chunk() -> None:
    assert _plain(100, "One two.\n\nThree four.") == ["One two.\n\nThree four."]


def test_it_cuts_at_blank_lines_first() -> None:
    assert _plain(4, "One two.\n\nSix\nten.") == ["One two.", "Six\nten."]


def test_it_cuts_at_lines_where_a_paragraph_is_too_long() -> None:
    assert _plain(3, "one two six\nten red sea") == ["one two six", "ten red sea"]


def test_it_cuts_at_sentences_where_a_line_is_too_long() -> None:
    assert _plain(4, "One two six. Ten red sea.") == ["One two six.", "Ten red sea."]


def test_it_cuts_at_words_where_a_sentence_is_too_long() -> None:
    assert _plain(2, "one two six ten red") == ["one two", "six ten", "red"]


def test_a_word_is_cut_only_when_it_alone_is_too_long() -> None:
    assert _plain(2, "ab " + "x" * 13) == ["ab", "x" * 12, "x"]


def test_text_without_blanks_is_cut_between_characters_of_chinese_and_japanese() -> None:
    assert _plain(3, "東京都大阪府") == ["東京都", "大阪府"]


def test_small_paragraphs_are_packed_up_to_the_size() -> None:
    assert _plain(6, "one two\n\nsix ten\n\nred sea\n\nend") == ["one two\n\nsix ten\n\nred sea", "end"]


def test_overlap_is_the_last_whole_sentence_of_the_chunk_before() -> None:
    text = "One two six ten. Red sea.\n\nBlue sky ends here now."
    assert _texts(Recursive(size=8, overlap=0.5), text) == ["One two six ten. Red sea.", "Red sea.\n\nBlue sky ends here now."]


def test_a_sentence_longer_than_the_overlap_is_not_repeated() -> None:
    text = "One two six ten. Red sea.\n\nBlue sky ends here now."
    assert _texts(Recursive(size=8, overlap=0.25), text) == ["One two six ten. Red sea.", "Blue sky ends here now."]


def test_overlap_never_repeats_the_whole_chunk_before() -> None:
    assert _texts(Recursive(size=4, overlap=0.5), "Ab.\n\nOne two six.") == ["Ab.", "One two six."]


def test_sections_come_from_the_headings_above_a_chunk() -> None:
    text = "# Manual\n\n## Care\n\none two six ten\n\n### Filter\n\nred sea sky end"
    made = Recursive(size=6, overlap=0).chunk(document(text=text, mime_type="text/markdown"))
    assert [chunk.section_path for chunk in made][-1] == ("Manual", "Care", "Filter")


def test_a_hash_in_a_fence_is_no_heading() -> None:
    text = "# Manual\n\n```sh\n# no heading\n```\n\nthe end of it"
    made = Recursive(size=5, overlap=0).chunk(document(text=text, mime_type="text/markdown"))
    assert {chunk.section_path for chunk in made} == {("Manual",)}


def test_a_comment_in_source_code_is_no_heading() -> None:
    made = Recursive().chunk(document("a.py", "# comment\nx = 1\n", mime_type="text/x-python"))
    assert made[0].section_path == ()


def test_a_first_heading_that_repeats_the_title_is_not_said_twice() -> None:
    made = Recursive().chunk(document(text="# Manual\n\nAlpha", title="Manual", mime_type="text/markdown"))
    assert made[0].heading == "Manual"


def test_a_long_document_is_packed_close_to_the_size() -> None:
    text = "\n\n".join("The inlet filter lasts six months in clean air." for _ in range(200))
    sizes = [count_tokens(chunk) for chunk in _plain(100, text)]
    assert min(sizes[:-1]) >= 90
    assert max(sizes) <= 100


@pytest.mark.parametrize(("field", "value"), [("size", 0), ("overlap", 0.51), ("overlap", -0.01), ("separators", [])])
def test_a_bad_value_is_an_error_that_names_the_field(field: str, value: object) -> None:
    with pytest.raises(ValidationError, match=field):
        Recursive(**{field: value})
