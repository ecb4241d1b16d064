import pytest
from pydantic import ValidationError

from harness.answerability.never import NeverRefuse
from harness.answerability.threshold import Threshold
from harness.protocols import Answerability
from tests.contracts.answerability import QUERY, AnswerabilityContract, found


class TestThreshold(AnswerabilityContract):
    @pytest.fixture(params=[0.0, 0.5])
    def rule(self, request: pytest.FixtureRequest) -> Answerability:
        return Threshold(request.param)


class TestNever(AnswerabilityContract):
    @pytest.fixture
    def rule(self) -> Answerability:
        return NeverRefuse()


@pytest.mark.parametrize(
    ("scores", "answerable", "confidence"),
    [((0.9, 0.1), True, 0.9), ((0.5,), True, 0.5), ((0.49, 0.48), False, 0.49), ((0.1, 0.7), True, 0.7), ((0.0,), False, 0.0)],
)
def test_the_best_score_decides_and_is_the_confidence(scores: tuple[float, ...], answerable: bool, confidence: float) -> None:
    assessment = Threshold(0.5).assess(QUERY, found(scores))
    assert (assessment.answerable, assessment.confidence) == (answerable, confidence)


def test_the_reason_says_both_numbers() -> None:
    assert Threshold(0.5).assess(QUERY, found((0.31,))).reason == "the best passage's score 0.31 is below 0.5"
    assert Threshold(0.25).assess(QUERY, found((0.31,))).reason == "the best passage's score 0.31 reaches 0.25"


@pytest.mark.parametrize("score", [0.0, 0.01, 7.5])
def test_never_refuse_answers_from_whatever_was_found(score: float) -> None:
    assessment = NeverRefuse().assess(QUERY, found((score,)))
    assert (assessment.answerable, assessment.confidence) == (True, score)


def test_the_seeds_threshold_is_the_default() -> None:
    assert Threshold().minimum == 0.5


@pytest.mark.parametrize("minimum", [-0.1, float("nan"), float("inf"), "high"])
def test_a_bad_minimum_is_an_error_that_names_the_field(minimum: object) -> None:
    with pytest.raises(ValidationError, match="minimum"):
        Threshold(minimum=minimum)  # type: ignore[arg-type]
