"""Citation metrics on answers as they come: every dialect of marker, and what only looks like one."""

import pytest

from harness.metrics.citations import (
    CitationCorrectness,
    CitationCoverage,
    CitationValidity,
    InventedCitations,
    UncitedClaimRate,
    claims,
    shown,
)
from harness.types import Answer, Question, State, Trace
from tests.builders import chunk, question, trace

FIRST, SECOND, THIRD = chunk("a", 0, 100), chunk("b", 0, 100), chunk("c", 0, 100)
A, B, C = (item.chunk_id for item in (FIRST, SECOND, THIRD))
LOST = "deadbeef0000"
ASKED = question(evidence=[[("a", 0, 50)], [("b", 0, 50)]])


def left(text: str, shown: int = 3) -> Trace:
    return trace("q1", FIRST, SECOND, THIRD, answer=Answer(text), shown=shown)


def validity(text: str) -> tuple[float | None, float | None]:
    """Share of the cited ids that were shown, and how many were not."""
    metrics = CitationValidity(), InventedCitations()
    found = [metric.score(ASKED, left(text)).value for metric in metrics]
    return found[0], found[1]


@pytest.mark.parametrize(
    "text",
    [
        "It is 5 m [{a}] and red [{x}].",
        "It is 5 m and red [{a}][{x}].",
        "It is 5 m and red [{a}, {x}].",
        "It is 5 m and red [{a}; {x}].",
        "It is 5 m and red 【{a}】【{x}】.",
        "It is 5 m and red [Source: {a}, {x}].",
        "It is 5 m and red [^{a}] [^{x}].",
        "It is 5 m and red [[{a}]] [[{x}]].",
        "[{a}] It is 5 m.\n[{x}] It is red.",
    ],
)
def test_one_right_and_one_invented_citation_in_every_dialect(text: str) -> None:
    assert validity(text.format(a=A, x=LOST)) == (0.5, 1)


@pytest.mark.parametrize(
    "text",
    [
        "Take `array[{x}]` [{a}].",
        "```\nlookup[{x}]\n```\nIt is 5 m [{a}].",
        "It is valid from [2024-01-01] on [{a}].",
        "It is teh [sic] range [{a}].",
        "See [the manual](http://example.com/{x}) for it [{a}].",
        "- [x] It is 5 m [{a}].",
        "It is 5 m [{a}] [{a}].",
    ],
)
def test_what_only_looks_like_a_citation_is_not_held_against_the_answer(text: str) -> None:
    assert validity(text.format(a=A, x=LOST)) == (1.0, 0)


def test_a_passage_that_was_retrieved_but_not_shown_was_invented() -> None:
    score = InventedCitations().score(ASKED, left(f"So [{A}] and so [{C}].", shown=2))
    assert (score.value, score.reason) == (1, f"not shown: {C}")


def test_what_was_shown_is_the_context_and_nothing_else() -> None:
    assert shown(trace("q1", FIRST, SECOND, THIRD, shown=2)) == {A: FIRST.span, B: SECOND.span}


@pytest.mark.parametrize(
    ("asked", "text", "correctness", "coverage"),
    [
        (question(evidence=[[("a", 99, 120)]]), "[{a}]", 1, 1),  # one shared character
        (question(evidence=[[("a", 100, 120)]]), "[{a}]", 0, 0),  # none
        (question(evidence=[[("a", 0, 9), ("b", 0, 9)]]), "[{b}]", 1, 1),  # either alternative
        (question(evidence=[[("a", 0, 9), ("b", 0, 9)]]), "[{a}] [{b}]", 1, 1),
        (question(evidence=[[("a", 0, 9)], [("b", 0, 9)]], conflict=True), "[{a}]", 1, 1 / 2),  # both sides must be cited
        (question(evidence=[[("a", 0, 9)], [("a", 50, 60)]]), "[{a}]", 1, 1),  # one passage for two facts
        (question(evidence=[[("a", 0, 9)]]), "[{a}] [{b}] [{c}]", 1 / 3, 1),
        (question(evidence=[[("a", 0, 9)]]), "[{c}] [deadbeef0000]", 0, 0),
    ],
)
def test_citations_against_the_evidence(asked: Question, text: str, correctness: float, coverage: float) -> None:
    given = left(f"It is so {text.format(a=A, b=B, c=C)}.")
    values = [metric.score(asked, given).value for metric in (CitationCorrectness(), CitationCoverage())]
    assert values == pytest.approx([correctness, coverage])


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("It is 5 m [{a}]. It is red [{b}].", 0),
        ("It is 5 m [{a}]. It is red.", 1 / 2),
        ("It is 5 m. It is red. It is old [{c}].", 2 / 3),
        ("It is 5 m. It is red. It is old.", 1),
        ("| Part | Price |\n|---|---|\n| Lamp | 58 [{a}] |\n| Cell | 11 |", 2 / 3),
        ("# Answer\n\nIt is 5 m [{a}].", 0),
        ("The types are:\n\n- peat [{a}]\n- clay [{b}]\n- sand", 1 / 3),
        ("Which one? It is 5 m [{a}].", 0),
        ("It is 5 m (e.g. outdoors) [{a}].", 0),
        ("It weighs 2.5 kg [{a}].", 0),
    ],
)
def test_the_share_of_sentences_without_a_citation(text: str, rate: float) -> None:
    score = UncitedClaimRate().score(ASKED, left(text.format(a=A, b=B, c=C)))
    assert score.value == pytest.approx(rate)


@pytest.mark.parametrize("text", ["", "   ", "# Heading", "What do you mean?", "***", f"[{A}]"])
def test_without_a_fact_there_is_no_rate(text: str) -> None:
    assert UncitedClaimRate().score(ASKED, left(text)).state is State.NOT_APPLICABLE


def test_a_long_answer_is_read_in_a_moment() -> None:
    text = f"It is so [{A}]. " * 3_000
    assert claims(text) == [True] * 3_000
