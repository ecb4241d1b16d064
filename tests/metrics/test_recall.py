"""Recall@k and recall within a budget of tokens."""

import pytest

from harness.metrics.recall import Recall, RecallAtBudget, hits_within
from harness.types import Chunk
from tests.builders import chunk, question, ranking, trace
from tests.metrics.lines import value

TABLE = [
    # evidence, ranking, Recall@1, @2, @3
    ("a:0-100", "a:0-100", 1, 1, 1),
    ("a:0-100", "z:0-100 a:0-100", 0, 1, 1),
    ("a:0-100", "z:0-100 y:0-100 x:0-100 a:0-100", 0, 0, 0),
    ("a:0-100", "b:0-100", 0, 0, 0),  # the same offsets of another document
    ("a:0-100", "a:100-200", 0, 0, 0),  # it begins where the evidence ends
    ("a:0-100", "a:0-90", 1, 1, 1),
    ("a:0-100", "a:0-89", 0, 0, 0),
    ("a:0-100", "a:10-100", 1, 1, 1),
    ("a:50-150", "a:0-1000", 1, 1, 1),
    ("a:0-100", "a:0-45 a:45-90", 0, 1, 1),
    ("a:0-100", "a:0-60 a:30-90", 0, 1, 1),  # overlapping chunks: the union is 90
    ("a:0-100", "a:0-60 a:1-61 a:2-62", 0, 0, 0),  # near copies: the union is 62
    ("a:0-100", "a:0-30 a:60-100 a:30-60", 0, 0, 1),
]
GROUPS = [
    ("a:0-10 & b:0-10", "a:0-10 z:0-10 b:0-10", 1 / 2, 1 / 2, 1),
    ("a:0-10 & a:10-20 & b:0-10", "a:0-20 b:0-10", 2 / 3, 1, 1),
    ("a:0-10 & a:5-15", "a:0-15", 1, 1, 1),
    ("a:0-10 | b:0-10", "b:0-10", 1, 1, 1),
    ("a:0-10 | b:0-10", "a:0-10 b:0-10", 1, 1, 1),
    ("a:0-10 | b:0-10", "a:0-5 b:5-10", 0, 0, 0),  # halves of two alternatives are no whole
    ("a:0-10 | a:50-60", "a:50-60", 1, 1, 1),
    ("a:0-10 | b:0-10 & c:0-10", "a:0-10 b:0-10", 1 / 2, 1 / 2, 1 / 2),  # the second alternative adds nothing
    ("a:0-10 | b:0-10 & c:0-10 | d:0-10", "b:0-10 d:0-10", 1 / 2, 1, 1),
    ("a:0-10 | b:0-10 & a:0-10 | c:0-10", "a:0-10", 1, 1, 1),  # one passage may serve two groups
    ("a:0-10 & b:0-10 & c:0-10 & d:0-10", "d:0-10 c:0-10 b:0-10", 1 / 4, 2 / 4, 3 / 4),
]


@pytest.mark.parametrize(("evidence", "found", "one", "two", "three"), TABLE)
def test_a_span_is_found_when_the_first_k_chunks_together_cover_it(
    evidence: str, found: str, one: float, two: float, three: float
) -> None:
    assert [value(Recall(k), evidence, found) for k in (1, 2, 3)] == [one, two, three]


@pytest.mark.parametrize(("evidence", "found", "one", "two", "three"), GROUPS)
def test_all_groups_are_needed_and_any_alternative_of_each(
    evidence: str, found: str, one: float, two: float, three: float
) -> None:
    assert [value(Recall(k), evidence, found) for k in (1, 2, 3)] == pytest.approx([one, two, three])


@pytest.mark.parametrize(
    ("length", "tau", "enough"),
    [
        (10, 0.9, 9),
        (20, 0.9, 18),
        (100, 0.9, 90),
        (1_000, 0.9, 900),
        (15, 0.9, 14),  # 13.5 characters are not to be had
        (1, 0.9, 1),
        (10, 1.0, 10),
        (1_000, 1.0, 1_000),
        (10, 0.5, 5),
        (11, 0.5, 6),
        (10, 0.3, 3),  # 0.3 * 10 is a little more than 3 in floating point
        (1_000, 0.001, 1),
    ],
)
def test_exactly_the_share_tau_is_enough_and_a_character_less_is_not(length: int, tau: float, enough: int) -> None:
    evidence = f"a:7-{7 + length}"
    assert value(Recall(1, tau=tau), evidence, f"a:7-{7 + enough}") == 1
    assert value(Recall(1, tau=tau), evidence, f"a:0-{7 + enough - 1}") == 0


def test_strict_coverage_does_not_forgive_the_blank_between_two_chunks() -> None:
    assert value(Recall(2, tau=0.9), "a:0-100", "a:0-50 a:51-100") == 1
    assert value(Recall(2, tau=1.0), "a:0-100", "a:0-50 a:51-100") == 0


def passage(doc_id: str, tokens: int) -> Chunk:
    """The whole of a document of ten characters, which reads as so many tokens."""
    return chunk(doc_id, 0, 10, text=" ".join(["word"] * tokens))


@pytest.mark.parametrize(
    ("budget", "recall"),
    [(1, 0), (3, 0), (5, 0), (6, 0.5), (7, 0.5), (8, 1), (1_000, 1)],
)
def test_a_budget_takes_the_leading_passages_that_fit_as_a_whole(budget: int, recall: float) -> None:
    asked = question(evidence=[[("a", 0, 10)], [("b", 0, 10)]])
    left = trace("q1", passage("z", 3), passage("a", 3), passage("b", 2))
    assert RecallAtBudget(budget).score(asked, left).value == recall


def test_a_passage_that_does_not_fit_ends_the_reading() -> None:
    left = ranking(passage("z", 6), passage("a", 1))
    assert [hits_within(left, tokens) for tokens in (0, 1, 5, 6, 7)] == [0, 0, 0, 1, 2]


def test_the_same_evidence_at_the_same_cost_is_the_same_recall_whatever_the_size_of_chunks() -> None:
    asked = question(evidence=[[("a", 0, 40)]])
    text = "word " * 8
    small = [chunk("a", start, start + 10, text=text[start : start + 10]) for start in (0, 10, 20, 30)]
    for budget, recall in ((7, 0), (8, 1)):
        for cut in (small, [chunk("a", 0, 40, text=text)]):
            assert RecallAtBudget(budget).score(asked, trace("q1", *cut)).value == recall


def test_a_budget_has_its_own_id_and_title() -> None:
    assert (RecallAtBudget(500).name, RecallAtBudget(500).title) == ("recall_at_budget_500", "Recall@500 tokens")
    assert RecallAtBudget(500, "dense").name == "dense/recall_at_budget_500"
