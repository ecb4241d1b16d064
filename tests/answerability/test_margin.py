import pytest
from pydantic import ValidationError

from harness.answerability.margin import Margin
from harness.protocols import Answerability
from tests.contracts.answerability import QUERY, AnswerabilityContract, found


class TestMargin(AnswerabilityContract):
    @pytest.fixture
    def rule(self) -> Answerability:
        return Margin(0.1, 0.5)


@pytest.mark.parametrize(
    ("scores", "answerable", "confidence"),
    [
        ((0.75, 0.5), True, 0.25),
        ((0.75, 0.625), True, 0.125),
        ((0.75, 0.6875), False, 0.0625),  # stands out too little
        ((0.375, 0.0), False, 0.375),  # stands out, but is too low
        ((0.625,), True, 0.625),  # nothing to stand out from
        ((1.0, 1.0), False, 0.0),
    ],
)
def test_both_the_lead_and_the_best_score_decide_and_the_lead_is_the_confidence(
    scores: tuple[float, ...], answerable: bool, confidence: float
) -> None:
    assessment = Margin(0.125, 0.5).assess(QUERY, found(scores))
    assert (assessment.answerable, assessment.confidence) == (answerable, confidence)


def test_the_reason_says_what_was_missed() -> None:
    reason = Margin(0.1, 0.5).assess(QUERY, found((0.75, 0.6875))).reason
    assert reason == "the best passage's score 0.75 reaches 0.5, its lead 0.0625 is below 0.1"


@pytest.mark.parametrize("field", ["margin", "minimum"])
@pytest.mark.parametrize("value", [-0.1, float("nan")])
def test_a_bad_setting_is_an_error_that_names_the_field(field: str, value: float) -> None:
    with pytest.raises(ValidationError, match=field):
        Margin(**{field: value})
