import math

import pytest
from pydantic import ValidationError

from harness.answerability.classifier import Classifier, Weight, logistic
from harness.errors import StageError
from harness.protocols import Answerability
from tests.contracts.answerability import QUERY, AnswerabilityContract, found

MODEL = Classifier({"top_score": Weight(2.0, 0.5, 0.25), "margin": Weight(-1.0, 0.0, 0.5)}, intercept=0.5, minimum=0.6)


class TestClassifier(AnswerabilityContract):
    @pytest.fixture
    def rule(self) -> Answerability:
        return MODEL


@pytest.mark.parametrize(
    ("scores", "log_odds"),
    [
        ((0.75, 0.25), 0.5 + 2.0 * 1.0 - 1.0 * 1.0),
        ((0.5, 0.5), 0.5),
        ((0.0, 0.0), 0.5 - 4.0),
    ],
)
def test_the_confidence_is_the_logistic_of_the_weighted_signals(scores: tuple[float, ...], log_odds: float) -> None:
    assessment = MODEL.assess(QUERY, found(scores))
    assert assessment.confidence == pytest.approx(1 / (1 + math.exp(-log_odds)))
    assert assessment.answerable == (assessment.confidence >= 0.6)


def test_the_reason_names_the_lowest_term_and_claims_nothing_of_that_signal_alone() -> None:
    reason = MODEL.assess(QUERY, found((0.0, 0.0))).reason
    assert reason == "the probability 0.02931 is below 0.6; the lowest term of the sum is top_score 0"


@pytest.mark.parametrize("log_odds", [-1e4, -700.0, 0.0, 700.0, 1e4])
def test_no_log_odds_overflow(log_odds: float) -> None:
    assert 0 <= logistic(log_odds) <= 1


def test_an_unknown_signal_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(ValidationError, match=r"no signal 'top_scores'; did you mean 'top_score'"):
        Classifier({"top_scores": Weight(1, 0, 1)})


@pytest.mark.parametrize(
    "signals", [{}, {"margin": {"weight": float("nan"), "mean": 0, "scale": 1}}, {"margin": {"weight": 1, "mean": 0, "scale": 0}}]
)
def test_a_model_without_signals_or_with_numbers_that_mean_nothing_is_refused(signals: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="signals"):
        Classifier(signals=signals)  # type: ignore[arg-type]


def test_a_station_that_is_not_there_is_named() -> None:
    stations = {name: ranking for name, ranking in found((0.5,)).items() if name != "bm25"}
    with pytest.raises(StageError, match="signal 'bm25_top' needs bm25"):
        Classifier({"bm25_top": Weight(1, 0, 1)}).assess(QUERY, stations)
