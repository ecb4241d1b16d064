"""Words, sentences, tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.text import count_tokens, names_a_file, normalise, sentence_spans, sentences, token_spans, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Part FH-4410-B costs 2.4 EUR.", ["part", "fh-4410-b", "costs", "2.4", "eur"]),
        ("Don't PANIC", ["don't", "panic"]),
        ("naïve café", ["naïve", "café"]),
        ("水位計 v2", ["水", "位", "計", "v2"]),
        ("...", []),
    ],
)
def test_words_keep_identifiers_whole(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Use e.g. Wi-Fi. Then stop.", ["Use e.g. Wi-Fi.", "Then stop."]),
        ("Costs 2.4 EUR. Fine.", ["Costs 2.4 EUR.", "Fine."]),
        ("| a | b |\n| 1 | 2 |", ["| a | b |", "| 1 | 2 |"]),
        ("- first\n- second", ["- first", "- second"]),
        ("wrapped\nline", ["wrapped\nline"]),
        ("para\n\nnext", ["para", "next"]),
        ("これは水位計です。次の文。", ["これは水位計です。", "次の文。"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_and_lines_of_lists_and_tables(text, expected):
    assert sentences(text) == expected


@given(st.text())
def test_sentence_spans_lose_no_visible_character(text):
    covered = "".join(text[begin:end] for begin, end in sentence_spans(text))
    assert "".join(covered.split()) == "".join(text.split())


@given(st.text())
def test_token_spans_are_ordered_and_lie_inside_the_text(text):
    ends = [0]
    for begin, end in token_spans(text):
        assert ends[-1] <= begin < end <= len(text)
        ends.append(end)


@pytest.mark.parametrize(("text", "count"), [("", 0), ("sensor", 1), ("temperature", 2), ("a, b", 3), ("水位", 2)])
def test_tokens_are_pieces_of_six_letters_marks_and_cjk_characters(text, count):
    assert count_tokens(text) == count


def test_normalise_gives_nfc_unix_lines_and_no_mark():
    assert normalise("\ufeffcafe\u0301\r\nx\ry") == "caf\u00e9\nx\ny"


@pytest.mark.parametrize(
    ("name", "fits"),
    [("smoke", True), ("v1.2_a-b", True), ("fuser.k=60,x+y", True), ("x" * 128, True), ("x" * 129, False), ("", False)]
    + [(name, False) for name in (".", "..", ".git", "a/b", "a\\b", "a b", "a\0", "a\n", "a:b")],
)
def test_a_name_is_that_of_a_file_or_not(name, fits):
    assert names_a_file(name) is fits
