"""Refusal: the confusion table, its rates, the F1 of the set, and what the signal can tell apart."""

from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.metrics.refusal import SET_METRICS, aggregate
from harness.metrics.refusal_rates import FalseAnswerRate, OverRefusalRate, RefusalPrecision, RefusalRecall
from harness.types import Aggregate, Answer, Assessment, Question, Trace
from tests.builders import question

Cells = tuple[int, int, int, int]
"""Unanswerable and refused, unanswerable and answered, answerable and refused, answerable and answered."""
KINDS = ((False, True), (False, False), (True, True), (True, False))
RATES = (RefusalPrecision(), RefusalRecall(), OverRefusalRate(), FalseAnswerRate())


def played(cells: Cells, group: str = "") -> tuple[list[Question], dict[str, Trace]]:
    """Questions and traces with that confusion table."""
    rows = [kind for kind, count in zip(KINDS, cells, strict=True) for _ in range(count)]
    questions = [question(f"q{place}", answerable=row[0], group=group) for place, row in enumerate(rows)]
    return questions, {f"q{place}": Trace(f"q{place}", answer=Answer("x", refused=row[1])) for place, row in enumerate(rows)}


def found(cells: Cells, group: str = "") -> dict[str, Aggregate]:
    return {item.metric: item for item in aggregate(*played(cells, group))}


@pytest.mark.parametrize(
    ("cells", "precision", "recall", "over_refusal", "false_answer"),
    [
        ((3, 1, 1, 5), 3 / 4, 3 / 4, 1 / 6, 1 / 4),
        ((2, 0, 0, 2), 1, 1, 0, 0),
        ((0, 2, 2, 0), 0, 0, 1, 1),
        ((2, 0, 2, 0), 1 / 2, 1, 1, 0),  # always refuses
        ((0, 2, 0, 2), None, 0, 0, 1),  # always answers: there is no refusal to be right
        ((0, 0, 1, 3), 0, None, 1 / 4, None),  # nothing unanswerable
        ((1, 3, 0, 0), 1, 1 / 4, None, 3 / 4),  # nothing answerable
    ],
)
def test_each_rate_is_a_mean_over_its_own_denominator(
    cells: Cells, precision: float | None, recall: float | None, over_refusal: float | None, false_answer: float | None
) -> None:
    questions, traces = played(cells)
    means = []
    for rate in RATES:
        values = [score.value for item in questions if (score := rate.score(item, traces[item.question_id])).value is not None]
        means.append(fmean(values) if values else None)
    assert means == [precision, recall, over_refusal, false_answer]


@pytest.mark.parametrize(
    ("cells", "refusal", "answerable", "grounded"),
    [
        ((3, 1, 1, 5), 6 / 8, 10 / 12, (6 / 8 + 10 / 12) / 2),
        ((2, 0, 0, 2), 1, 1, 1),
        ((0, 2, 2, 0), 0, 0, 0),
        ((2, 0, 2, 0), 4 / 6, 0, 2 / 6),  # always refuses
        ((0, 2, 0, 2), 0, 4 / 6, 2 / 6),  # always answers
        ((1, 1, 0, 2), 2 / 3, 4 / 5, 11 / 15),
        ((10, 0, 1, 9), 20 / 21, 18 / 19, (20 / 21 + 18 / 19) / 2),
    ],
)
def test_the_f1s_of_the_set_by_hand(cells: Cells, refusal: float, answerable: float, grounded: float) -> None:
    values = [found(cells)[name].value for name in ("refusal_f1", "answerable_f1", "grounded_refusal_f1")]
    assert values == pytest.approx([refusal, answerable, grounded])


def test_every_number_lies_inside_its_interval() -> None:
    for item in (found((3, 1, 1, 5))[name] for name in ("refusal_f1", "answerable_f1", "grounded_refusal_f1")):
        assert item.low is not None and item.value is not None and item.high is not None
        assert 0 <= item.low < item.value < item.high <= 1


def test_more_questions_give_a_narrower_interval() -> None:
    few, many = (found(cells)["grounded_refusal_f1"] for cells in ((3, 1, 1, 5), (60, 20, 20, 100)))
    assert few.value == many.value
    assert (many.high or 0) - (many.low or 0) < ((few.high or 0) - (few.low or 0)) / 2


def test_questions_about_one_document_are_one_piece_of_evidence_and_give_no_interval() -> None:
    item = found((3, 1, 1, 5), group="manual")["refusal_f1"]
    assert item.value == pytest.approx(6 / 8)
    assert (item.low, item.high) == (None, None)


@pytest.mark.parametrize("cells", [(4, 0, 0, 4), (0, 4, 4, 0)], ids=["all right", "all wrong"])
def test_where_no_resample_differs_there_is_no_interval(cells: Cells) -> None:
    assert {(item.low, item.high) for item in found(cells).values()} == {(None, None)}


def test_a_signal_that_orders_every_pair_rightly_has_no_interval() -> None:
    item = with_signals([0.9, 0.8, 0.7], [0.2, 0.1])
    assert (item.value, item.low, item.high) == (1.0, None, None)
    mixed = with_signals([0.9, 0.3, 0.7], [0.4, 0.1])
    assert mixed.low is not None and mixed.high is not None and mixed.low < mixed.high


@given(st.tuples(*[st.integers(0, 6)] * 4))
@settings(max_examples=20, deadline=None)
def test_no_interval_is_without_width(cells: Cells) -> None:
    for item in found(cells).values():
        assert (item.low is None) == (item.high is None)
        assert item.low is None or item.high is None or item.low < item.high


def with_signals(answerable: list[float], unanswerable: list[float]) -> Aggregate:
    rows = [(True, value) for value in answerable] + [(False, value) for value in unanswerable]
    questions = [question(f"q{place}", answerable=kind) for place, (kind, _) in enumerate(rows)]
    traces = {f"q{place}": Trace(f"q{place}", assessment=Assessment(True, value)) for place, (_, value) in enumerate(rows)}
    return aggregate(questions, traces)[-1]


@pytest.mark.parametrize(
    ("answerable", "unanswerable", "auroc"),
    [
        ([0.9], [0.1], 1),
        ([0.1], [0.9], 0),
        ([0.5], [0.5], 0.5),  # a tie is half a win
        ([0.9, 0.4], [0.6, 0.1], 3 / 4),
        ([0.8, 0.8], [0.8, 0.2], 3 / 4),
        ([5.0, 7.0, 9.0], [6.0], 2 / 3),
        ([-3.0, -1.0], [-2.0, -4.0], 3 / 4),  # the signal's scale is its own
    ],
)
def test_auroc_counts_the_pairs_that_the_signal_orders_rightly(
    answerable: list[float], unanswerable: list[float], auroc: float
) -> None:
    assert with_signals(answerable, unanswerable).value == pytest.approx(auroc)


def test_a_signal_that_is_no_number_is_left_out_of_the_auroc_and_counted() -> None:
    item = with_signals([0.9, float("nan"), float("inf")], [0.1])
    assert (item.value, item.n, item.not_applicable) == (1.0, 2, 2)


@pytest.mark.parametrize(("answerable", "unanswerable"), [([0.9, 0.1], []), ([], [0.9]), ([], []), ([float("nan")], [0.2])])
def test_with_one_class_only_there_is_nothing_to_tell_apart(answerable: list[float], unanswerable: list[float]) -> None:
    item = with_signals(answerable, unanswerable)
    assert (item.value, item.n, item.low, item.high) == (None, 0, None, None)
    assert item.not_applicable == len(answerable) + len(unanswerable)


def test_the_set_metrics_come_in_the_order_in_which_they_are_described() -> None:
    assert [item.metric for item in aggregate(*played((1, 1, 1, 1)))] == [item.metric for item in SET_METRICS]


cells_of_any_size = st.tuples(*[st.integers(1, 6)] * 4)


@given(cells_of_any_size, st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_the_order_of_questions_does_not_matter(cells: Cells, random: object) -> None:
    questions, traces = played(cells)
    shuffled = list(questions)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert [item.value for item in aggregate(shuffled, traces)] == [item.value for item in aggregate(questions, traces)]


@given(cells_of_any_size)
@settings(max_examples=20, deadline=None)
def test_the_grounded_f1_lies_between_its_two_halves(cells: Cells) -> None:
    values = {name: item.value or 0.0 for name, item in found(cells).items()}
    low, high = sorted((values["refusal_f1"], values["answerable_f1"]))
    assert low <= values["grounded_refusal_f1"] + 1e-12
    assert values["grounded_refusal_f1"] <= high + 1e-12


def test_one_more_false_answer_never_helps() -> None:
    before, after = found((3, 1, 1, 5)), found((2, 2, 1, 5))
    assert all((after[name].value or 0) < (before[name].value or 0) for name in ("refusal_f1", "answerable_f1"))
