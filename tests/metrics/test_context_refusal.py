"""Refusal against what was shown: a refusal after a retrieval miss is the retriever's fault, not the generator's."""

import pytest

from harness.metrics.catalog import default_metrics
from harness.metrics.context_refusal import ContextFalseAnswerRate, ContextOverRefusalRate, context_answerable
from harness.metrics.refusal_rates import FalseAnswerRate, OverRefusalRate
from harness.types import Answer, Question, State, Trace
from tests.builders import chunk, question, ranking, trace

GOLD, OTHER, HALF = chunk("a.md", 0, 10), chunk("b.md", 0, 10), chunk("a.md", 0, 5)
ONE = question(evidence=[[("a.md", 0, 10)]])
TWO = question(evidence=[[("a.md", 0, 10)], [("b.md", 0, 10)]])
EITHER = question(evidence=[[("a.md", 0, 10), ("b.md", 0, 10)]])
NONE = question(answerable=False)
LURE = question(answerable=False, evidence=[[("a.md", 0, 10)]])
BARE = question()


@pytest.mark.parametrize(
    ("asked", "shown", "answerable"),
    [
        (ONE, [GOLD], True),
        (ONE, [OTHER, GOLD], True),
        (ONE, [OTHER], False),
        (ONE, [], False),
        (ONE, [HALF], False),
        (ONE, [HALF, chunk("a.md", 5, 10)], True),  # two passages together
        (TWO, [GOLD], False),  # all groups are needed
        (TWO, [OTHER, GOLD], True),
        (EITHER, [OTHER], True),  # any alternative will do
        (NONE, [GOLD, OTHER], False),
        (LURE, [GOLD], False),  # the label decides
        (BARE, [GOLD], None),
    ],
)
def test_a_question_is_context_answerable_when_all_its_evidence_was_shown(
    asked: Question, shown: list[object], answerable: bool | None
) -> None:
    assert context_answerable(asked, trace("q1", *shown), 0.9) is answerable  # type: ignore[arg-type]


@pytest.mark.parametrize(("tau", "answerable"), [(0.5, True), (0.51, False)])
def test_how_much_of_a_span_must_be_shown_is_the_golden_sets_coverage(tau: float, answerable: bool) -> None:
    assert context_answerable(ONE, trace("q1", HALF), tau) is answerable


def test_only_the_passages_shown_count_not_what_was_retrieved() -> None:
    left = Trace("q1", fused=ranking(GOLD), reranked=ranking(GOLD), context=ranking(OTHER))
    assert context_answerable(ONE, left, 0.9) is False


@pytest.mark.parametrize(
    ("asked", "shown", "refused", "system", "generator"),
    [
        # (over-refusal, false answer) against the label, then against the context
        (ONE, GOLD, False, (0, None), (0, None)),
        (ONE, GOLD, True, (1, None), (1, None)),
        (ONE, OTHER, True, (1, None), (None, 0)),  # refused after a miss: wrong for the system, right for the generator
        (ONE, OTHER, False, (0, None), (None, 1)),  # answered after a miss: out of nowhere
        (NONE, GOLD, True, (None, 0), (None, 0)),
        (NONE, GOLD, False, (None, 1), (None, 1)),
        (BARE, GOLD, True, (1, None), (None, None)),
    ],
)
def test_the_two_gold_notions_part_where_retrieval_missed(
    asked: Question,
    shown: object,
    refused: bool,
    system: tuple[float | None, float | None],
    generator: tuple[float | None, float | None],
) -> None:
    left = trace("q1", shown, answer=Answer("x", refused=refused))  # type: ignore[arg-type]
    assert tuple(rate.score(asked, left).value for rate in (OverRefusalRate(), FalseAnswerRate())) == system
    assert tuple(rate.score(asked, left).value for rate in (ContextOverRefusalRate(), ContextFalseAnswerRate())) == generator


@pytest.mark.parametrize("rate", [ContextOverRefusalRate(), ContextFalseAnswerRate()])
@pytest.mark.parametrize(
    ("asked", "left", "reason"),
    [
        (ONE, trace("q1", GOLD), "no answer was generated"),
        (BARE, trace("q1", GOLD, answer=Answer("x")), "the question has no evidence"),
    ],
)
def test_where_nobody_can_tell_the_rates_do_not_apply(
    rate: ContextOverRefusalRate, asked: Question, left: Trace, reason: str
) -> None:
    score = rate.score(asked, left)
    assert (score.state, score.reason) == (State.NOT_APPLICABLE, reason)


def test_a_question_out_of_the_denominator_says_on_which_side_it_is() -> None:
    left = trace("q1", GOLD, answer=Answer("x"))
    assert ContextFalseAnswerRate().score(ONE, left).reason == "context-answerable"
    assert ContextOverRefusalRate().score(NONE, left).reason == "not context-answerable"


def test_a_run_computes_both_at_the_golden_sets_coverage() -> None:
    metrics = default_metrics(["reranked", "context"], generation=True, tau=0.4)
    assert [item.tau for item in metrics if isinstance(item, ContextOverRefusalRate | ContextFalseAnswerRate)] == [0.4, 0.4]
