import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from harness.context import TopPassages, both_ends
from harness.errors import ConfigError
from harness.llm.tokens import counted_by, counter
from harness.text import count_tokens
from harness.types import Chunk, Ranking
from tests.builders import chunk, ranking

TEN = "one two three four five six seven eight nine ten"
NINE_OF_TEN = "one two three four five six seven eight nine"
OTHER = "a pump, a valve and a hose"


def passage(doc_id: str, text: str, start: int = 0, **fields: object) -> Chunk:
    return chunk(doc_id, start, start + len(text), text, **fields)


def shown(result: Ranking) -> list[str]:
    return [hit.chunk.span.doc_id for hit in result.hits]


def test_the_first_passages_are_shown_with_their_scores_and_order() -> None:
    given = ranking(passage("a", TEN), passage("b", OTHER), passage("c", "something else entirely"))
    assert TopPassages().build(given, 2) == given.top(2)


@pytest.mark.parametrize(("shown_count", "expected"), [(0, []), (1, ["a"]), (5, ["a", "b"])])
def test_no_more_are_shown_than_asked_or_found(shown_count: int, expected: list[str]) -> None:
    assert shown(TopPassages().build(ranking(passage("a", TEN), passage("b", OTHER)), shown_count)) == expected


def test_nothing_found_is_nothing_shown() -> None:
    assert TopPassages().build(Ranking(), 5) == Ranking()


@pytest.mark.parametrize(("near_duplicate", "expected"), [(0.9, ["a", "c"]), (0.91, ["a", "b"]), (1.0, ["a", "b"])])
def test_nine_words_of_ten_are_a_near_duplicate_from_ninety_percent(near_duplicate: float, expected: list[str]) -> None:
    """Jaccard of the sets of words: 9 shared of 10 = 0.9, the threshold itself included."""
    given = ranking(passage("a", TEN), passage("b", NINE_OF_TEN), passage("c", OTHER))
    assert shown(TopPassages(near_duplicate=near_duplicate).build(given, 2)) == expected


def test_word_order_case_and_repetition_do_not_hide_a_duplicate() -> None:
    given = ranking(passage("a", TEN), passage("b", "Ten nine, EIGHT seven six five four three two one one!"))
    assert shown(TopPassages().build(given, 5)) == ["a"]


def test_a_duplicate_of_a_dropped_passage_is_compared_with_the_kept_ones_only() -> None:
    """b is near a (0.9); c is near b (8/9) but only 0.8 to a, so it stays."""
    eight = "one two three four five six seven eight"
    given = ranking(passage("a", TEN), passage("b", NINE_OF_TEN), passage("c", eight))
    assert shown(TopPassages(near_duplicate=0.85).build(given, 5)) == ["a", "c"]


@pytest.mark.parametrize(("start", "end", "kept"), [(10, 60, False), (0, 100, True), (50, 101, True), (100, 150, True)], ids=str)
def test_a_span_inside_a_better_passage_is_dropped_and_an_overlapping_one_stays(start: int, end: int, kept: bool) -> None:
    outer, inner = chunk("a", 1, 100, text=TEN), chunk("a", start, end, text=OTHER)
    assert len(TopPassages().build(ranking(outer, inner), 5)) == 1 + kept


def test_the_same_span_of_another_document_or_version_stays() -> None:
    outer = chunk("a", 0, 100, text=TEN, version="1")
    for other in (chunk("b", 0, 50, text=OTHER, version="1"), chunk("a", 0, 50, text=OTHER, version="2")):
        assert len(TopPassages().build(ranking(outer, other), 5)) == 2


def test_passages_without_words_are_no_duplicates_of_each_other() -> None:
    assert shown(TopPassages().build(ranking(passage("a", "| -- |"), passage("b", "???")), 5)) == ["a", "b"]


def test_a_passage_that_breaks_the_budget_is_skipped_and_a_shorter_one_tried() -> None:
    given = ranking(passage("a", TEN), passage("long", "word " * 50), passage("short", OTHER))
    budget = count_tokens(TEN) + count_tokens(OTHER)
    assert shown(TopPassages(max_tokens=budget).build(given, 5)) == ["a", "short"]
    assert shown(TopPassages(max_tokens=budget - 1).build(given, 5)) == ["a"]


def test_the_heading_counts_towards_the_budget() -> None:
    given = ranking(passage("a", TEN), passage("b", OTHER, title="A title of five words"))
    assert shown(TopPassages(max_tokens=count_tokens(TEN) + count_tokens(OTHER)).build(given, 5)) == ["a"]


def test_the_first_passage_is_shown_even_when_it_breaks_the_budget() -> None:
    assert shown(TopPassages(max_tokens=3).build(ranking(passage("a", TEN), passage("b", "x")), 5)) == ["a"]


@pytest.mark.parametrize(
    ("field", "value"), [("max_tokens", 0), ("max_tokens", "many"), ("near_duplicate", 0), ("near_duplicate", 1.1)]
)
def test_a_bad_value_is_an_error_that_names_the_field(field: str, value: object) -> None:
    with pytest.raises(ValidationError, match=field):
        TopPassages(**{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("count", "expected"), [(0, ()), (1, (0,)), (2, (0, 1)), (3, (0, 2, 1)), (5, (0, 2, 4, 3, 1)), (8, (0, 2, 4, 6, 7, 5, 3, 1))]
)
def test_the_best_passages_stand_at_both_ends(count: int, expected: tuple[int, ...]) -> None:
    assert both_ends(count) == expected


def test_both_ends_changes_what_a_model_is_shown_and_not_the_ranking() -> None:
    given = ranking(*(passage(name, f"text {name} number {place}") for place, name in enumerate("abcde")))
    found = TopPassages(order="both_ends").build(given, 5)
    assert [hit.chunk.span.doc_id for hit in found.shown] == ["a", "c", "e", "d", "b"]
    assert found.hits == TopPassages().build(given, 5).hits == TopPassages().build(given, 5).shown


def test_the_budget_is_counted_with_the_tokenizer_of_the_model() -> None:
    """Six Chinese characters: one token each for words and marks, fewer or more for a model's own vocabulary."""
    text = "internationalisation " * 6
    own, theirs = counter("")(text), counter("openai/gpt-4o-mini")(text)
    assert own != theirs
    given = ranking(passage("a", "short"), passage("b", text))
    for tokenizer, cost in (("", own), ("openai/gpt-4o-mini", theirs)):
        first = counter(tokenizer)("short")
        assert len(TopPassages(cost + first, tokenizer).build(given, 2)) == 2
        assert len(TopPassages(cost + first - 1, tokenizer).build(given, 2)) == 1


@pytest.mark.models
def test_a_tokenizer_file_counts_its_own_pieces() -> None:
    from harness.local_models import locate

    file = locate("bge_small", "").tokenizer
    assert counter(str(file))("unaffable") == 3


def test_a_tokenizer_file_that_is_none_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    for name in ("tokenizer.json", "missing.json"):
        with pytest.raises(ConfigError, match="cannot be read"):
            TopPassages(tokenizer=str(tmp_path / name)).check()


@pytest.mark.parametrize("name", ["openai/nope", "gpt-9-unknown", "house-model"])
def test_the_tokens_of_a_model_that_nobody_knows_are_not_counted_by_another_ones_tokenizer(name: str) -> None:
    with pytest.raises(ConfigError, match=f"no model '{name}' is in litellm's table"):
        TopPassages(tokenizer=name).check()


def test_a_missing_package_is_told_with_what_installs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ConfigError, match=r'pip install "rag-harness\[local\]"'):
        TopPassages(tokenizer=str(tmp_path / "other.json")).check()


def test_words_and_marks_can_always_be_counted() -> None:
    TopPassages().check()


@pytest.mark.parametrize(
    ("tokenizer", "counts"),
    [
        ("", ""),
        ("own/tokenizer.json", ""),
        ("openai/gpt-4o-mini", ""),
        ("gpt-4o", ""),
        ("deepseek/deepseek-chat", ""),
        ("gemini/gemini-2.5-flash", "OpenAI's cl100k_base"),
        ("ollama/llama3", "OpenAI's cl100k_base"),
    ],
)
def test_whose_tokens_are_counted_in_place_of_the_models_own(tokenizer: str, counts: str) -> None:
    assert counted_by(tokenizer) == counts
