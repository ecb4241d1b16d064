"""Sentence windows: one sentence is searched, the sentences around it are shown."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from harness.chunking.packing import Tokens, Unit
from harness.chunking.sentence_window import SentenceWindow, windows
from harness.types import Chunk
from tests.builders import document
from tests.contracts.chunker import ChunkerContract, own, quick


class TestSentenceWindow(ChunkerContract):
    limit = 24

    @pytest.fixture
    def chunker(self) -> SentenceWindow:
        return SentenceWindow(window=2, size=24)


class TestSentenceAlone(ChunkerContract):
    limit = 5

    @pytest.fixture
    def chunker(self) -> SentenceWindow:
        return SentenceWindow(window=0, size=5, heading=False)


TEN = " ".join(f"Number {number} counts." for number in range(10))


def _made(text: str, **knobs: int) -> tuple[Chunk, ...]:
    return SentenceWindow(**knobs).chunk(document(text=text, mime_type="text/markdown"))  # type: ignore[arg-type]


def _numbers(chunk: Chunk) -> str:
    return "".join(letter for letter in chunk.text if letter.isdigit())


def test_every_sentence_is_searched_and_leads_to_a_window_around_it() -> None:
    made = _made(TEN, window=2)
    shown = {chunk.chunk_id: chunk for chunk in own(made)}
    led = [(_numbers(child), _numbers(shown[child.parent])) for child in made if child.parent]
    assert led == [
        *[(number, "01234") for number in "0123"],
        *[(number, "34567") for number in "456"],
        *[(number, "6789") for number in "789"],
    ]


@pytest.mark.parametrize(
    ("window", "led"),
    [(1, ["012", "34", "56", "78", "9"]), (3, ["012345", "6789"])],
)
def test_a_sentence_as_near_to_both_middles_leads_to_the_first_window(window: int, led: list[str]) -> None:
    made = _made(TEN, window=window)
    below = [[_numbers(child) for child in made if child.parent == shown.chunk_id] for shown in own(made)]
    assert ["".join(numbers) for numbers in below] == led


def test_windows_are_shown_and_not_searched_sentences_searched_and_not_shown() -> None:
    made = _made(TEN, window=2)
    assert {(chunk.kind, chunk.searched) for chunk in made if not chunk.parent} == {("prose", False)}
    assert {(chunk.kind, chunk.searched) for chunk in made if chunk.parent} == {("sentence", True)}


@pytest.mark.parametrize("window", [1, 2, 3, 5])
def test_a_sentence_is_shown_in_two_windows_at_most(window: int) -> None:
    text = " ".join(f"Number {number} counts." for number in range(100, 160))
    shown = Counter(place for chunk in own(_made(text, window=window)) for place in range(chunk.span.start, chunk.span.end))
    assert max(shown.values()) == 2


@pytest.mark.parametrize(("window", "sentences"), [(1, 1.5), (3, 1.75), (5, 1.85)])
def test_windows_repeat_less_than_every_sentence_twice(window: int, sentences: float) -> None:
    text = " ".join(f"Number {number} counts." for number in range(100, 400))
    repeated = sum(len(chunk.text) for chunk in own(_made(text, window=window))) / len(text)
    assert repeated == pytest.approx(sentences, abs=0.05)


def test_every_sentence_has_about_half_a_window_on_each_side() -> None:
    text = " ".join(f"Number {number} counts." for number in range(100, 130))
    made = _made(text, window=3)
    shown = {chunk.chunk_id: chunk for chunk in own(made)}
    inner = [child for child in made if child.parent][6:-6]
    sides = [
        (shown[child.parent].text.split(child.text)[0].count("."), shown[child.parent].text.split(child.text)[1].count("."))
        for child in inner
    ]
    assert min(min(pair) for pair in sides) == 1
    assert {sum(pair) for pair in sides} == {6}


def test_a_window_stays_inside_its_section() -> None:
    made = own(_made("# A\n\nOne. Two.\n\n# B\n\nThree. Four.", window=3))
    assert [chunk.text for chunk in made] == ["# A\n\nOne. Two.", "# B\n\nThree. Four."]


def test_a_heading_is_searched_with_the_sentence_below_it() -> None:
    assert [chunk.text for chunk in _made("# A\n\nOne. Two.") if chunk.parent] == ["# A\n\nOne.", "Two."]


def test_a_window_of_one_sentence_is_searched_itself() -> None:
    (alone,) = _made("Only this.")
    assert (alone.text, alone.searched, alone.parent) == ("Only this.", True, "")
    assert [(chunk.text, chunk.searched) for chunk in _made("One. Two.", window=0)] == [("One.", True), ("Two.", True)]


def test_a_window_holds_fewer_sentences_where_they_are_long() -> None:
    made = own(_made(TEN, window=4, size=8))
    assert [_numbers(chunk) for chunk in made] == [f"{number}{number + 1}" for number in range(9)]


def test_a_sentence_without_a_word_is_shown_but_not_searched() -> None:
    made = _made("One.\n\n***\n\nTwo.")
    assert [chunk.text for chunk in made] == ["One.\n\n***\n\nTwo.", "One.", "Two."]


@pytest.mark.parametrize("block", ["```\na. B. C.\n```", "| a | b |\n| --- | --- |\n| 1. X | 2 |", "- One. Two.\n  Three."])
def test_a_fence_a_table_and_a_list_item_count_as_one_sentence(block: str) -> None:
    assert block in [chunk.text for chunk in _made(f"Before.\n\n{block}\n\nAfter.") if chunk.parent]


@quick
@given(lengths=st.lists(st.integers(1, 9), max_size=30), most=st.integers(1, 9), size=st.integers(9, 30))
def test_windows_of_any_lengths_cover_all_and_each_reaches_further(lengths: list[int], most: int, size: int) -> None:
    starts = [sum(lengths[:place]) * 2 for place in range(len(lengths) + 1)]
    tokens = Tokens("x " * sum(lengths))
    units = [Unit(start, start + 2 * length - 1) for start, length in zip(starts, lengths, strict=False)]
    found = windows(tokens, units, most, size)
    assert {place for start, end in found for place in range(start, end)} == set(range(len(units)))
    assert found == sorted(set(found))
    assert [end for _, end in found] == sorted({end for _, end in found})
    assert all(end - start <= most and sum(lengths[start:end]) <= size for start, end in found)


@pytest.mark.parametrize(("name", "value"), [("window", -1), ("size", 0), ("stride", 2)])
def test_a_bad_value_is_an_error_that_names_the_field(name: str, value: int) -> None:
    with pytest.raises(ValidationError, match=name):
        SentenceWindow(**{name: value})
