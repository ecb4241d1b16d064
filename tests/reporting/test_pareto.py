"""Quality, latency and cost at once."""

import re
from collections.abc import Sequence

import pytest

from harness.reporting.pareto import Dot, Point, front, per_question, price, scatter, significantly_worse
from harness.types import Usage

GOOD, FAIR, BAD = [1.0] * 12, [1.0] * 11 + [0.0], [0.0] * 12


def point(values: Sequence[float], seconds: float | None = None, cost: float | None = None, groups: str = "") -> Point:
    """A variant with one score per question."""
    scores = {f"q{place}": value for place, value in enumerate(values)}
    return Point("x", scores, dict.fromkeys(scores, groups) if groups else {}, seconds, cost)


@pytest.mark.parametrize(
    ("variants", "marked"),
    [
        # quality that cannot be told apart: the faster one stands for both
        ((point(GOOD, 2.0), point(FAIR, 1.0)), [False, True]),
        # a slow good one and a fast bad one are both worth having
        ((point(GOOD, 2.0), point(BAD, 1.0)), [True, True]),
        # worse and slower
        ((point(GOOD, 1.0), point(BAD, 2.0)), [True, False]),
        # worse at the same speed
        ((point(GOOD, 1.0), point(BAD, 1.0)), [True, False]),
        # equal in everything: neither is better in anything
        ((point(GOOD, 1.0), point(GOOD, 1.0)), [True, True]),
        # the third digit of a time is noise
        ((point(GOOD, 0.1001), point(GOOD, 0.1002)), [True, True]),
        # slower but cheaper
        ((point(GOOD, 1.0, 0.02), point(GOOD, 2.0, 0.01)), [True, True]),
        # slower and dearer
        ((point(GOOD, 1.0, 0.01), point(GOOD, 2.0, 0.02)), [True, False]),
        # seconds that are not known: off the front, and beating nobody
        ((point(GOOD, 2.0), point(GOOD), point(BAD, 1.0)), [True, False, True]),
        ((point(GOOD, 1.0, 0.02), point(GOOD, None, 0.01), point(GOOD, 2.0, 0.02)), [True, False, False]),
        # cost alone
        ((point(GOOD, None, 0.01), point(GOOD, None, 0.02)), [True, False]),
        # what one variant does not know is not compared
        ((point(GOOD, 1.0, 0.02), point(GOOD, 2.0, None)), [True, False]),
    ],
)
def test_a_variant_is_on_the_front_when_no_other_beats_it(variants: tuple[Point, ...], marked: list[bool]) -> None:
    assert front(variants) == marked


@pytest.mark.parametrize("variants", [(), (point(GOOD, 1.0),), (point(GOOD), point(BAD)), (point(GOOD, 1.0), point(GOOD))])
def test_there_is_no_front_of_one_variant_or_of_quality_alone(variants: tuple[Point, ...]) -> None:
    assert front(variants) == [False] * len(variants)


def test_some_variant_is_always_on_the_front() -> None:
    values = [[float((place * step) % 7 < 4) for place in range(30)] for step in range(1, 7)]
    found = front([point(row, 1.0 + step % 3, step % 2) for step, row in enumerate(values)])
    assert any(found)


def test_worse_is_told_by_the_paired_test_and_not_by_the_mean() -> None:
    assert significantly_worse(point(BAD), point(GOOD))
    assert not significantly_worse(point(FAIR), point(GOOD))
    assert not significantly_worse(point(GOOD), point(BAD))


def test_questions_of_one_group_are_one_piece_of_proof() -> None:
    assert not significantly_worse(point(BAD, groups="one document"), point(GOOD, groups="one document"))


def test_variants_that_share_no_question_do_not_beat_each_other() -> None:
    other = Point("y", {"z1": 0.0}, {}, 2.0)
    assert front([point(GOOD, 1.0), other]) == [True, True]


def test_cost_is_money_where_any_run_cost_some_and_tokens_else() -> None:
    free, paid = Usage(900, 100, 10, 0.0), Usage(900, 100, 10, 0.5)
    assert per_question({"a": free}, {"a": 10}) == ("tokens", {"a": 100.0})
    assert per_question({"a": free, "b": paid}, {"a": 10, "b": 10}) == ("US dollars", {"a": 0.0, "b": 0.05})
    assert per_question({"a": Usage()}, {"a": 10}) == ("", {})
    assert per_question({"a": free, "b": paid}, {"a": 10, "b": 10}, unknown=True) == ("tokens", {"a": 100.0, "b": 100.0})


@pytest.mark.parametrize(
    ("value", "unit", "text"), [(None, "tokens", "–"), (1203.6, "tokens", "1,204"), (0.0012, "US dollars", "$0.00120")]
)
def test_prices_as_people_read_them(value: float | None, unit: str, text: str) -> None:
    assert price(value, unit) == text


DOTS = (Dot("1", "a", 0.02, 0.7, 0.6, 0.8, True), Dot("2", "<b>", 1.5, 0.5, None, None, False))


def test_the_numbers_of_the_picture_stand_in_a_table() -> None:
    plot = scatter("Quality and latency", "Recall@5", "seconds", DOTS)
    assert plot.head == ("", "Variant", "Seconds per question", "Recall@5")
    assert plot.rows == (("1", "a", "20 ms", "0.700"), ("2", "<b>", "1.5 s", "0.500"))


def test_the_picture_is_the_same_every_time_and_loads_nothing() -> None:
    plot = scatter("Quality and latency", "Recall@5", "seconds", DOTS)
    drawn = plot.svg()
    assert drawn == plot.svg()
    assert not re.search(r"<script|<style|href=\"http|<image|<b>|\d{4}-\d\d-\d\d", drawn)
    assert drawn.count("var(--blue)") >= 1


def test_dots_of_no_height_and_no_width_can_be_drawn() -> None:
    assert "<svg" in scatter("t", "q", "tokens", (Dot("1", "a", 0, 0, None, None, True), Dot("2", "b", 0, 0, 0, 0, False))).svg()
