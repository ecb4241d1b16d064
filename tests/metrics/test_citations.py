"""Citations: what counts as cited, as right, and as left without."""

import pytest

from harness.generation.extractive import Extractive
from harness.generation.verification import Verification
from harness.metrics.base import Measure
from harness.metrics.citations import (
    CitationCorrectness,
    CitationCoverage,
    CitationValidity,
    ForbiddenCitations,
    InventedCitations,
    UncitedClaimRate,
    claims,
)
from harness.types import Answer, Score, Span, State
from tests.builders import chunk, question, ranking, trace

RIGHT, ALSO, WRONG, UNSHOWN = chunk("a.md", 0, 100), chunk("b.md", 0, 100), chunk("c.md", 0, 100), chunk("a.md", 50, 150)
A, B, W, U = (item.chunk_id for item in (RIGHT, ALSO, WRONG, UNSHOWN))
ASKED = question(evidence=[[("a.md", 90, 120)], [("b.md", 0, 10), ("d.md", 0, 10)]])
ALL = (CitationValidity(), InventedCitations(), CitationCorrectness(), CitationCoverage(), UncitedClaimRate())


def score(metric: Measure, text: str, refused: bool = False) -> Score:
    return metric.score(ASKED, trace("q1", RIGHT, ALSO, WRONG, UNSHOWN, answer=Answer(text, refused=refused), shown=3))


@pytest.mark.parametrize(
    ("text", "validity", "invented", "correctness", "coverage"),
    [
        (f"It is so [{A}].", 1, 0, 1, 0.5),
        (f"It is so [{A}][{B}].", 1, 0, 1, 1),
        (f"It is so [{A}, {W}].", 1, 0, 0.5, 0.5),
        (f"It is so [{W}].", 1, 0, 0, 0),
        (f"It is so [{A}] and so [{A}].", 1, 0, 1, 0.5),  # distinct ids
        (f"It is so [{U}].", 0, 1, 0, 0),  # it touches the evidence, but nobody was shown it
        (f"It is so [{A}] [deadbeef0000].", 0.5, 1, 0.5, 0.5),
        ("It is so.", None, 0, None, 0),
    ],
)
def test_citations_are_held_against_what_was_shown_and_the_evidence(
    text: str, validity: float | None, invented: float, correctness: float | None, coverage: float
) -> None:
    values = [score(metric, text).value for metric in ALL[:4]]
    assert values == [validity, invented, correctness, coverage]


def test_an_invented_citation_is_named() -> None:
    assert score(InventedCitations(), "So [deadbeef0000].").reason == "not shown: deadbeef0000"


def test_a_refusal_cites_nothing_and_invents_nothing() -> None:
    found = {metric.name: score(metric, "I cannot find this.", refused=True) for metric in ALL}
    assert found.pop("invented_citations").value == 0
    assert {item.state for item in found.values()} == {State.NOT_APPLICABLE}


DRAFTED = ("deadbeef0000", A)


@pytest.mark.parametrize(
    ("answer", "count", "reason"),
    [
        (
            Answer(f"So [{A}].", (A,), draft_citations=DRAFTED),
            1,
            "not shown: deadbeef0000; taken out by verification: deadbeef0000",
        ),
        (
            Answer("No.", refused=True, draft_citations=DRAFTED),
            1,
            "not shown: deadbeef0000; taken out by verification: deadbeef0000; refused",
        ),
        (
            Answer(f"So [{U}].", (U,), draft_citations=("deadbeef0000", U)),
            2,
            f"not shown: deadbeef0000, {U}; taken out by verification: deadbeef0000",
        ),
        (Answer(f"So [{U}].", (U,), draft_citations=(U,)), 1, f"not shown: {U}"),
        (Answer(f"So [{A}].", (A,), draft_citations=(A, B)), 0, ""),
    ],
    ids=["stripped", "refused because of it", "one stripped and one left", "left", "all were shown"],
)
def test_an_invention_that_was_caught_is_one_all_the_same(answer: Answer, count: int, reason: str) -> None:
    found = InventedCitations().score(ASKED, trace("q1", RIGHT, ALSO, WRONG, UNSHOWN, answer=answer, shown=3))
    assert (found.value, found.reason) == (count, reason)


def test_verification_that_strips_an_invention_does_not_hide_it() -> None:
    draft = Answer(f"It is so [{A}]. It is not so [deadbeef0000].")
    answer = Verification().verify(draft, ASKED, ranking(RIGHT, ALSO), Extractive())
    left = trace("q1", RIGHT, ALSO, answer=answer)
    assert "deadbeef0000" not in answer.text
    assert InventedCitations().score(ASKED, left).value == 1
    assert CitationValidity().score(ASKED, left).value == 1  # of the final answer


@pytest.mark.parametrize(
    ("text", "count", "reason"),
    [
        (f"It is so [{A}].", 1, f"forbidden: {A}"),
        (f"It is so [{A}] and so [{A}, {B}].", 1, f"forbidden: {A}"),  # distinct ids
        (f"It is so [{A}][{W}].", 2, f"forbidden: {A}, {W}"),
        (f"It is so [{B}].", 0, ""),
        (f"It is so [{U}].", 0, ""),  # never shown: invented, not forbidden
        ("It is so.", 0, ""),
    ],
)
def test_a_cited_passage_that_the_question_forbids_is_counted(text: str, count: int, reason: str) -> None:
    asked = question(forbid=(Span("a.md", 99, 150), Span("c.md", 0, 500), Span("b.md", 100, 110)))
    left = trace("q1", RIGHT, ALSO, WRONG, UNSHOWN, answer=Answer(text), shown=3)
    found = ForbiddenCitations().score(asked, left)
    assert (found.value, found.reason) == (count, reason)


def test_forbidden_citations_need_an_answer_and_something_forbidden() -> None:
    forbidding = question(forbid=(Span("a.md", 0, 9),))
    answered, refused = (trace("q1", RIGHT, answer=Answer(f"So [{A}].", refused=refused)) for refused in (False, True))
    pairs = ((ASKED, answered), (forbidding, refused), (forbidding, trace("q1", RIGHT)))
    found = [ForbiddenCitations().score(*pair) for pair in pairs]
    assert [item.reason for item in found] == ["the question forbids nothing", "refused", "no answer was generated"]
    assert {item.state for item in found} == {State.NOT_APPLICABLE}


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.name)
def test_without_an_answer_no_citation_metric_applies(metric: Measure) -> None:
    assert metric.score(ASKED, trace("q1", RIGHT)).state is State.NOT_APPLICABLE


@pytest.mark.parametrize("metric", [CitationCorrectness(), CitationCoverage()], ids=lambda metric: metric.name)
def test_an_answered_unanswerable_question_has_no_evidence_to_cite(metric: Measure) -> None:
    left = trace("q1", RIGHT, answer=Answer(f"It is so [{A}]."))
    assert metric.score(question(answerable=False), left).state is State.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("The fee is 5 euros [a1b2c3d4e5f6].", [True]),
        ("The fee is 5 euros. [a1b2c3d4e5f6]", [True]),
        ("The fee is 5 euros. [a1b2c3d4e5f6] It rose in May.", [True, False]),
        ("The fee is 5 euros. [3a1b2c3d4e5f] It rose in May. [3a1b2c3d4e5f]", [True, True]),
        ("[3a1b2c3d4e5f] The fee is 5 euros. [3a1b2c3d4e5f] It rose in May.", [True, True]),
        ("The fee is 5 euros. It rose in May.", [False, False]),
        ("- Fee: 5 euros [a1b2c3d4e5f6]\n- Term: two years\n", [True, False]),
        ("# Fees\n\nThe fee is 5 euros [a1b2c3d4e5f6].", [True]),
        ("These are the fees:\n- five euros [a1b2c3d4e5f6]", [True]),
        ("Is that all? No, it is not [a1b2c3d4e5f6].", [True]),
        ("What else?", []),
        ("", []),
    ],
)
def test_sentences_that_state_a_fact_are_cited_or_not(text: str, cited: list[bool]) -> None:
    assert claims(text) == cited


def test_the_uncited_claim_rate_is_the_share_without_a_citation() -> None:
    assert score(UncitedClaimRate(), f"The fee is 5 euros [{A}]. It rose in May.").value == 0.5
    assert score(UncitedClaimRate(), "The fee is 5 euros.").value == 1
    assert score(UncitedClaimRate(), "What else?").state is State.NOT_APPLICABLE
