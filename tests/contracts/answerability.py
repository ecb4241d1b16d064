"""What every answerability rule must do. Subclass it and give the fixture `rule`."""

from collections.abc import Mapping, Sequence
from math import isfinite

import pytest

from harness.protocols import Answerability
from harness.types import Hit, Query, Ranking
from tests.builders import chunk

QUERY = Query("When was the Acme FH-4410 gateway sold in Berlin?")
TEXTS = ("The Acme FH-4410 gateway was sold in Berlin. It went on sale in 1994.", "The gateway is grey.", "Bananas are yellow.")


def found(
    scores: Sequence[float], bm25: Sequence[float] = (9.0, 4.0, 1.0), dense: Sequence[float] = (0.8, 0.7, 0.5)
) -> Mapping[str, Ranking]:
    """Stations over the three texts, in the order given."""
    stations = {"bm25": bm25, "dense": dense, "fused": scores, "reranked": scores, "context": scores}
    return {name: ranked(*values) for name, values in stations.items()}


def ranked(*scores: float) -> Ranking:
    """The texts with these scores."""
    return Ranking.of(
        Hit(chunk(f"{place}.md", text=text), score) for place, (text, score) in enumerate(zip(TEXTS, scores, strict=False))
    )


NOTHING: Mapping[str, Ranking] = {name: Ranking() for name in ("bm25", "dense", "fused", "reranked", "context")}


class AnswerabilityContract:
    def test_an_empty_ranking_is_never_answerable(self, rule: Answerability) -> None:
        assessment = rule.assess(QUERY, NOTHING)
        assert (assessment.answerable, assessment.confidence, assessment.reason) == (False, 0.0, "no passage was found")

    @pytest.mark.parametrize("scores", [(1.0, 1.0, 1.0), (0.9, 0.2, 0.1), (0.0,), (0.0, 0.0)])
    def test_every_ranking_has_a_finite_confidence_and_a_reason(self, rule: Answerability, scores: tuple[float, ...]) -> None:
        assessment = rule.assess(QUERY, found(scores))
        assert isfinite(assessment.confidence)
        assert assessment.reason

    def test_the_same_stations_give_the_same_assessment(self, rule: Answerability) -> None:
        assert rule.assess(QUERY, found((0.9, 0.2))) == rule.assess(QUERY, found((0.9, 0.2)))

    def test_a_query_without_a_word_is_assessed_too(self, rule: Answerability) -> None:
        assert isfinite(rule.assess(Query("?"), found((0.4, 0.2))).confidence)
