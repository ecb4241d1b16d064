"""Records keep their promises at construction."""

import pytest

from harness.errors import ConfigError, HarnessError, Problem, StoreError
from harness.types import Answer, Chunk, Hit, Ranking, Score, Span, State, Usage
from tests.builders import chunk, document, trace


def test_a_ranking_sorts_by_score_then_chunk_id():
    parts = [chunk(start=start, end=start + 5) for start in (0, 10, 20)]
    tied = Ranking.of(Hit(part, 1.0) for part in parts)
    assert [hit.chunk.chunk_id for hit in tied.hits] == sorted(part.chunk_id for part in parts)
    assert Ranking.of([Hit(parts[0], 0.1), Hit(parts[1], 0.9)]).hits[0].chunk == parts[1]


def test_a_ranking_keeps_the_best_hit_of_a_repeated_chunk():
    part = chunk()
    assert Ranking.of([Hit(part, 0.2), Hit(part, 0.9), Hit(part, 0.2)]).hits == (Hit(part, 0.9),)


def test_a_chunk_id_depends_on_document_version_and_span_only():
    base = Chunk(Span("a", 0, 5), "hello", version="v1")
    assert base.chunk_id == Chunk(Span("a", 0, 5), "hello", title="T", position=3, version="v1").chunk_id
    others = [Chunk(Span("b", 0, 5), "hello", version="v1"), Chunk(Span("a", 0, 6), "hello", version="v1")]
    assert base.chunk_id not in {other.chunk_id for other in [*others, Chunk(Span("a", 0, 5), "hello", version="v2")]}


def test_two_children_of_one_stretch_differ_by_what_the_index_reads():
    parent = Chunk(Span("a", 0, 9), "x" * 9)
    first, second = (Chunk(Span("a", 0, 9), "x" * 9, parent=parent.chunk_id, search_text=text) for text in ("one", "two"))
    assert len({parent.chunk_id, first.chunk_id, second.chunk_id}) == 3


def test_a_preface_is_read_before_the_text_and_is_no_part_of_it():
    row = chunk(text="| AQ-210 | 5 m |", end=16, title="Prices", preface="| Model | Range |")
    assert row.indexed_text == "Prices\n| Model | Range |\n| AQ-210 | 5 m |"
    assert len(row.span) == 16


def test_the_index_reads_a_summary_in_place_of_the_text():
    child = chunk(text="The whole section.", end=18, title="Care", parent="abc", search_text="Summary.")
    assert child.indexed_text == "Care\nSummary."


TWO_PAGES = "Page one.\nStill one.\n\nPage two."


@pytest.mark.parametrize(
    ("fields", "start", "end", "place"),
    [
        ({}, 0, 9, "line 1"),
        ({}, 10, 20, "line 2"),
        ({}, 0, 20, "lines 1-2"),
        ({"places": ((0, 5),)}, 10, 31, "lines 6-8"),
        ({"unit": "page", "places": ((0, 1), (22, 2))}, 0, 20, "page 1"),
        ({"unit": "page", "places": ((0, 1), (22, 2))}, 0, 31, "pages 1-2"),
        ({"unit": "page", "places": ((0, 1), (22, 2))}, 22, 31, "page 2"),
    ],
)
def test_a_stretch_of_a_document_says_where_it_stands_in_the_original(fields, start, end, place):
    assert document(text=TWO_PAGES, **fields).place(start, end) == place


def test_the_heading_stands_before_the_text_but_is_not_part_of_it():
    part = chunk(text="Body.", end=5, title="Manual", section_path=("Setup", "Power"))
    assert part.indexed_text == "Manual > Setup > Power\nBody."
    assert len(part.span) == 5
    assert chunk(text="Body.", end=5).indexed_text == "Body."


@pytest.mark.parametrize(
    ("value", "state"),
    [(None, State.SCORED), (float("nan"), State.SCORED), (float("inf"), State.SCORED), (0.0, State.ERROR), (1.0, State.SKIPPED)],
)
def test_a_score_without_a_number_is_never_scored_and_the_other_way_round(value, state):
    with pytest.raises(ValueError, match="recall_at_5"):
        Score("recall_at_5", "q1", value, state)


def test_scores_made_at_once_are_those_made_one_by_one():
    made = Score.of(("recall_at_1", "mrr_at_10"), "q1", [0.5, 1])
    assert made == [Score("recall_at_1", "q1", 0.5), Score("mrr_at_10", "q1", 1)]
    assert [hash(score) for score in made] == [hash(Score(score.metric, "q1", score.value)) for score in made]
    assert Score.of((), "q1", []) == []
    with pytest.raises(AttributeError):
        made[0].value = 1.0  # frozen like any other


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_no_number_that_is_none_slips_in_among_others(value):
    with pytest.raises(ValueError, match="'b' of 'q1'"):
        Score.of(("a", "b", "c"), "q1", [0.5, value, 1.0])
    with pytest.raises(ValueError, match="shorter"):
        Score.of(("a", "b"), "q1", [0.5])


def test_usage_adds_up():
    assert Usage(1, 2, 1, 0.5) + Usage(10, 20, 1, 0.25) == Usage(11, 22, 2, 0.75)


def test_stations_stand_in_the_order_of_the_pipeline():
    assert list(trace("q", chunk(), answer=Answer("x")).stations()) == ["bm25", "fused", "reranked", "context"]


def test_an_error_shows_all_its_problems():
    problem = Problem("G005", "q.jsonl:9 question", "is empty.", "Nothing can be asked.", "write it")
    text = str(ConfigError("Two faults.", [problem, problem]))
    assert text.count("error[G005] q.jsonl:9 question — is empty. Nothing can be asked. Fix: write it") == 2


def test_exit_codes_tell_usage_from_an_invalid_run():
    assert (HarnessError("x").exit_code, StoreError("x").exit_code) == (2, 4)
