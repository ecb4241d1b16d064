"""Numbers of a whole set over several repeats."""

from harness.metrics.resampling import averaged
from harness.types import Aggregate

FIRST = Aggregate("refusal_f1", 0.5, 10, 0.25, 0.75, not_applicable=1)


def test_values_and_ends_are_means_over_the_repeats() -> None:
    assert averaged([[FIRST], [Aggregate("refusal_f1", 1.0, 10, 0.75, 1.0, not_applicable=1)]]) == [
        Aggregate("refusal_f1", 0.75, 10, 0.5, 0.875, not_applicable=1)
    ]


def test_one_repeat_is_itself() -> None:
    assert averaged([[FIRST]]) == [FIRST]


def test_an_interval_that_one_repeat_lacks_is_none() -> None:
    (found,) = averaged([[FIRST], [Aggregate("refusal_f1", 1.0, 10, not_applicable=1)]])
    assert (found.value, found.low, found.high) == (0.75, None, None)


def test_a_number_that_one_repeat_cannot_tell_has_no_value_and_no_questions() -> None:
    (found,) = averaged([[FIRST], [Aggregate("refusal_f1", None, 0, not_applicable=11)]])
    assert found == Aggregate("refusal_f1", None, 0, not_applicable=11)
