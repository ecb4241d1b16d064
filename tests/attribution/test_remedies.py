"""What would have found the evidence, in the words of config keys."""

import re
from dataclasses import replace

import pytest

from harness.answerability.classifier import Classifier, Weight
from harness.answerability.margin import Margin
from harness.answerability.never import NeverRefuse
from harness.answerability.threshold import Threshold
from harness.attribution.stations import Station
from harness.pipeline import Depth, IndexedPipeline
from harness.protocols import Answerability
from harness.types import Answer, Query, Ranking, Trace
from tests.attribution.world import DEPTH, REFUSAL, asking, cited, fate, judged, passed, place, system
from tests.builders import question

SHOWN = {"bm25": "a", "fused": "a", "reranked": "a", "context": "b a"}


@pytest.mark.parametrize(
    ("bm25", "dense", "fused", "reranked", "context", "remedy"),
    [
        ("b c d e", "b", "b c d e", "b c d", "b c", "bm25 not within 4, dense not within 4: no retriever ranks it at any depth"),
        ("b c d a", "b", "b c d a", "b c d", "b c", "bm25 rank 4, dense not within 4, fused rank 4: depth.reranked=4"),
        ("b a", "c d", "b c d a", "b c d", "b c", "fused rank 4: depth.reranked=4 or bm25 alone keeps it at rank 2"),
        ("b c d a", "e", "b c d e a", "b c d", "b c", "fused rank 5: depth.reranked=5 and depth.candidates=5"),
        ("a b", "b", "b c d", "b c d", "b c", "bm25 rank 1, dense not within 4, left out by the fuser"),
        ("b c a", "b", "b c a", "b c a", "b c", "fused rank 3, reranked rank 3: depth.shown=3"),
        (
            "a b c",
            "b",
            "a b c",
            "b c a",
            "b c",
            "fused rank 1, reranked rank 3: depth.shown=3 or reranker=none keeps it at rank 1",
        ),
        ("a b", "b", "a b", "b a", "b", "reranked rank 2, left out of the context: context"),
    ],
)
def test_the_remedy_names_ranks_and_the_setting_that_reaches_them(
    bm25: str, dense: str, fused: str, reranked: str, context: str, remedy: str
) -> None:
    assert remedy in fate(asking("a"), passed(bm25, dense, fused, reranked, context)).remedy


@pytest.mark.parametrize(
    ("document", "remedy"),
    [
        ("gone", "the corpus has no gone: corpus or chunker"),
        ("holes", "no chunk holds holes 0-40: corpus or chunker"),
        ("secret", "secret is kept from an asker without a name"),
        ("old", "old does not hold on 2026-01-01"),
        ("split", "its 40 characters lie in no single chunk: chunker.size=1024"),
    ],
)
def test_what_no_depth_can_find_is_explained(document: str, remedy: str) -> None:
    assert fate(asking(document), passed("a b", "a"), system()).remedy == remedy


def test_a_named_asker_is_named() -> None:
    assert fate(asking("secret", persona="other"), passed(), system()).remedy == "secret is kept from other"


def test_the_depth_that_the_remedy_names_brings_the_evidence_among_the_candidates() -> None:
    asked = asking("e", text="probe")
    found = fate(asked, Trace("q1", (Query("probe"),), {"bm25": Ranking()}), system())
    named = re.search(r"depth\.candidates=(\d+)", found.remedy)
    assert named is not None
    needed = int(named[1])
    for candidates, station in ((needed - 1, {Station.BELOW_DEPTH}), (needed, set(Station) - {Station.BELOW_DEPTH})):
        depth = Depth(candidates, 1, 1)
        changed = replace(system(), recipe=replace(system().recipe, depth=depth))
        assert fate(asked, changed.answer(asked), changed, depth).station in station


def test_a_document_without_a_word_of_the_query_is_found_at_no_depth() -> None:
    found = fate(asking("e"), Trace("q1", (Query("Monday"),), {"bm25": Ranking()}), system())
    assert found.remedy == "bm25 not within 10: no retriever ranks it at any depth"


@pytest.mark.parametrize(("near_duplicate", "max_tokens", "rule"), [(0.1, 3000, "near_duplicate"), (0.9, 12, "max_tokens")])
def test_the_rule_that_left_a_passage_out_of_the_context_is_named(near_duplicate: float, max_tokens: int, rule: str) -> None:
    builder = replace(system().recipe.context, near_duplicate=near_duplicate, max_tokens=max_tokens)
    known = replace(system(), recipe=replace(system().recipe, context=builder))
    shown = builder.build(place("b a"), DEPTH.shown)
    found = fate(asking("a"), replace(passed("a b", "", "a b", "b a"), context=shown), known)
    assert found.remedy == f"reranked rank 2, left out of the context: context.{rule}"


@pytest.mark.parametrize("confidence", [0.4999, 0.123456, 0.000824, 1e-9, 0.0])
def test_the_threshold_that_a_wrong_refusal_names_lets_the_question_through(confidence: float) -> None:
    trace = passed(**SHOWN, answer=REFUSAL, assessment=judged(confidence, answerable=False))
    remedy = fate(asking("a"), trace, system()).remedy
    minimum = re.fullmatch(r"answerability\.minimum=(\S+) lets it through", remedy)
    assert minimum is not None
    assert confidence >= Threshold(float(minimum[1])).minimum >= confidence * 0.98


@pytest.mark.parametrize("confidence", [0.5, 0.934999, 0.999949])
def test_the_threshold_that_a_false_answer_names_refuses(confidence: float) -> None:
    trace = passed(**SHOWN, answer=Answer("Nine."), assessment=judged(confidence, answerable=True))
    remedy = fate(question(answerable=False), trace, system()).remedy
    minimum = re.fullmatch(r"answerability\.minimum above (\S+) refuses", remedy)
    assert minimum is not None
    assert confidence <= float(minimum[1]) <= confidence + 0.001


def test_where_scores_are_no_probabilities_no_threshold_is_named() -> None:
    trace = passed(**SHOWN, answer=Answer("Nine."), assessment=judged(0.03, answerable=True))
    assert fate(question(answerable=False), trace, system(calibrated=False)).remedy == ""


def under(rule: Answerability, calibrated: bool = True) -> IndexedPipeline:
    """The system with another rule."""
    known = system(calibrated)
    return replace(known, recipe=replace(known.recipe, answerability=rule))


CLASSIFIER = Classifier({"margin": Weight(1.0, 0.0, 1.0)}, minimum=0.7)


@pytest.mark.parametrize(
    ("rule", "confidence", "remedy"),
    [
        (Margin(2.0, 3.0), 1.0, "answerability.minimum=2 and answerability.margin=1 let it through"),
        (Margin(2.0, 1.0), 1.0, "answerability.margin=1 lets it through"),
        (Margin(0.5, 3.0), 1.0, "answerability.minimum=2 lets it through"),
        (CLASSIFIER, 0.625, "answerability.minimum=0.625 lets it through"),
    ],
)
def test_a_wrong_refusal_names_each_setting_that_the_question_missed(rule: Answerability, confidence: float, remedy: str) -> None:
    """Two passages, of scores 2 and 1."""
    trace = passed(**SHOWN, answer=REFUSAL, assessment=judged(confidence, answerable=False))
    assert fate(asking("a"), replace(trace, reranked=place("a b")), under(rule)).remedy == remedy


@pytest.mark.parametrize(
    ("rule", "remedy"),
    [
        (Margin(0.5, 0.5), "answerability.minimum above 2 or answerability.margin above 1 refuses"),
        (CLASSIFIER, "answerability.minimum above 1 refuses"),
        (NeverRefuse(), "answerability=threshold with answerability.minimum above 1 refuses"),
    ],
)
def test_a_false_answer_names_every_setting_that_would_refuse(rule: Answerability, remedy: str) -> None:
    trace = passed(**SHOWN, answer=Answer("Nine."), assessment=judged(1.0, answerable=True))
    found = fate(question(answerable=False), replace(trace, reranked=place("a b")), under(rule)).remedy
    assert re.sub(r"\.0+(?= )", "", found) == remedy


def test_a_classifier_needs_no_calibrated_scores_to_name_its_minimum() -> None:
    trace = passed(**SHOWN, answer=Answer("Nine."), assessment=judged(0.8, answerable=True))
    assert fate(question(answerable=False), trace, under(CLASSIFIER, calibrated=False)).remedy.startswith(
        "answerability.minimum above 0.8"
    )


def test_a_generator_that_refuses_tells_its_own_reason() -> None:
    trace = passed(**SHOWN, answer=REFUSAL, assessment=judged(0.9, answerable=True))
    assert fate(asking("a"), trace, system()).remedy == "extractive: best overlap 0.16"


def test_evidence_that_was_shown_but_not_used_is_the_generators_business() -> None:
    assert fate(asking("a"), passed(**SHOWN, answer=cited("Nine.", "b"))).remedy == "shown as passage 2 of 2: generator"


def test_nothing_lost_needs_no_remedy() -> None:
    found = fate(asking("a"), passed(**SHOWN, answer=cited("Two cells.", "a")), system())
    assert (found.station, found.remedy) == (Station.ANSWERED, "")


def test_two_groups_lost_at_one_station_each_have_their_remedy() -> None:
    trace = passed("b c d a", "", "b c d a", "b c d a", "b c")
    assert fate(asking("d", "a"), trace).remedy == (
        "fused rank 3, reranked rank 3: depth.shown=3; fused rank 4, reranked rank 4: depth.shown=4"
    )


def test_a_group_lost_later_than_the_question_is_left_out_of_its_remedy() -> None:
    trace = passed("b c a d", "", "b c a d", "b c a", "b c")
    assert fate(asking("d", "a"), trace).remedy == "bm25 rank 4, dense not within 4, fused rank 4: depth.reranked=4"
