"""Risk and coverage, calibration, and the threshold that is chosen on tune and claimed on test."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import f1_score

from harness.metrics.calibration import Bin, reliability
from harness.metrics.risk import RISK_METRICS, curve, outcomes
from harness.metrics.tuned import threshold
from harness.types import Aggregate, Assessment, Question, Trace
from tests.builders import chunk, question, trace

GOLD = ((("a.md", 0, 10),),)
Row = tuple[float, bool]
"""Signal, and whether it should be high."""


def told(rows: Sequence[Row], split: str = "test", start: int = 0) -> tuple[list[Question], dict[str, Trace]]:
    """Answerable questions with their evidence shown, and unanswerable ones, with these signals."""
    questions, traces = [], {}
    for place, (signal, good) in enumerate(rows, start):
        name = f"q{place}"
        questions.append(question(name, evidence=GOLD if good else (), answerable=good, split=split))
        left = trace(name, chunk("a.md", 0, 10))
        traces[name] = Trace(name, context=left.context, assessment=Assessment(True, signal))
    return questions, traces


def found(questions: Sequence[Question], traces: dict[str, Trace]) -> dict[str, Aggregate]:
    return {item.metric: item for item in outcomes(questions, traces, 0.9)}


def both(tune: Sequence[Row], test: Sequence[Row]) -> tuple[list[Question], dict[str, Trace]]:
    chosen, claimed = told(tune, "tune"), told(test, "test", len(tune))
    return chosen[0] + claimed[0], {**chosen[1], **claimed[1]}


@pytest.mark.parametrize(
    ("rows", "points", "area"),
    [
        # the wrong one last: risk 0, 0, 1/3
        ([(0.9, True), (0.6, True), (0.2, False)], [(0.9, 1 / 3, 0), (0.6, 2 / 3, 0), (0.2, 1, 1 / 3)], 1 / 9),
        # the wrong one first: risk 1, 1/2, 1/3
        ([(0.2, True), (0.6, True), (0.9, False)], [(0.9, 1 / 3, 1), (0.6, 2 / 3, 1 / 2), (0.2, 1, 1 / 3)], 11 / 18),
        # equal signals are one step
        ([(0.5, True), (0.5, False)], [(0.5, 1, 1 / 2)], 1 / 2),
        ([(0.9, True), (0.5, True), (0.5, False), (0.5, False)], [(0.9, 1 / 4, 0), (0.5, 1, 1 / 2)], 3 / 8),
        ([(7.0, True), (-3.0, False)], [(7.0, 1 / 2, 0), (-3.0, 1, 1 / 2)], 1 / 4),  # the scale is the signal's own
        ([(0.4, True)], [(0.4, 1, 0)], 0),
        ([(0.4, False)], [(0.4, 1, 1)], 1),
    ],
)
def test_the_curve_and_its_area_by_hand(rows: list[Row], points: list[tuple[float, float, float]], area: float) -> None:
    drawn = curve(*told(rows), 0.9)
    assert [value for point in drawn.points for value in point] == pytest.approx([value for point in points for value in point])
    assert (drawn.area, drawn.n) == (pytest.approx(area), len(rows))
    assert found(*told(rows))["aurc"].value == pytest.approx(area)


def test_a_question_whose_evidence_was_not_shown_is_a_loss_though_it_is_answerable() -> None:
    questions = [question("q0", evidence=GOLD), question("q1", evidence=GOLD)]
    shown = [trace("q0", chunk("a.md", 0, 10)), trace("q1", chunk("b.md", 0, 10))]
    traces = {item.question_id: Trace(item.question_id, context=item.context, assessment=Assessment(True, 0.5)) for item in shown}
    assert curve(questions, traces, 0.9).points == ((0.5, 1.0, 0.5),)


def test_what_the_system_refused_is_on_the_curve_too() -> None:
    questions, traces = told([(0.9, True), (0.1, False)])
    refused = {name: Trace(name, context=item.context, assessment=Assessment(False, 0.3)) for name, item in traces.items()}
    assert curve(questions, refused, 0.9).n == 2


rows = st.lists(st.tuples(st.integers(0, 6).map(lambda number: number / 6), st.booleans()), min_size=1, max_size=12)


@given(rows)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_every_point_is_what_answering_from_its_threshold_on_gives(given_rows: list[Row]) -> None:
    drawn = curve(*told(given_rows), 0.9)
    for limit, coverage, risk in drawn.points:
        answered = [good for signal, good in given_rows if signal >= limit]
        assert coverage == pytest.approx(len(answered) / len(given_rows))
        assert risk == pytest.approx(answered.count(False) / len(answered))
    assert [point[0] for point in drawn.points] == sorted({signal for signal, _ in given_rows}, reverse=True)


@given(st.lists(st.booleans(), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_without_ties_the_area_is_the_mean_of_the_risks_at_every_coverage(good: list[bool]) -> None:
    risks = [good[:n].count(False) / n for n in range(1, len(good) + 1)]
    drawn = curve(*told([(1 - place / 100, item) for place, item in enumerate(good)]), 0.9)
    assert drawn.area == pytest.approx(sum(risks) / len(risks))


def test_a_signal_that_orders_better_has_a_smaller_area() -> None:
    good = [(0.9, True), (0.8, True), (0.3, False), (0.2, False)]
    bad = [(1 - signal, item) for signal, item in good]
    assert (curve(*told(good), 0.9).area or 0) < (curve(*told(bad), 0.9).area or 0)


def test_the_area_has_an_interval_that_holds_it_and_is_the_same_every_time() -> None:
    given_rows = [(0.9, True), (0.7, False), (0.5, True), (0.3, False)] * 5
    one, again = found(*told(given_rows))["aurc"], found(*told(given_rows))["aurc"]
    assert one == again
    assert one.low is not None and one.value is not None and one.high is not None
    assert 0 <= one.low < one.value < one.high <= 1


def test_what_has_no_signal_no_evidence_or_no_trace_is_counted_and_never_scored() -> None:
    questions, traces = told([(0.9, True), (0.1, False), (float("nan"), True)])
    questions += [question("silent", evidence=GOLD), question("bare"), question("failed", evidence=GOLD)]
    traces |= {"silent": Trace("silent"), "bare": Trace("bare", assessment=Assessment(True, 0.5))}
    for name in ("aurc", "expected_calibration_error"):
        item = found(questions, traces)[name]
        assert (item.n, item.not_applicable, item.errors) == (2, 3, 1)


def test_the_bins_by_hand() -> None:
    given_rows = [(0.05, False), (0.55, True), (0.52, False), (0.9, True), (1.0, True)]
    drawn = reliability(*told(given_rows), 0.9)
    assert [(item.low, item.high, item.n, item.answerable) for item in drawn.bins] == [
        (0.0, 0.1, 1, 0),
        (0.5, 0.6, 2, 0.5),
        (0.9, 1.0, 2, 1),
    ]
    assert [item.confidence for item in drawn.bins] == pytest.approx([0.05, 0.535, 0.95])
    assert drawn.error == pytest.approx((0.05 + 2 * 0.035 + 2 * 0.05) / 5)
    item = found(*told(given_rows))["expected_calibration_error"]
    assert (item.value, item.n, item.low, item.high) == (drawn.error, 5, None, None)


@pytest.mark.parametrize(("signal", "edges"), [(0.0, (0.0, 0.1)), (0.1, (0.1, 0.2)), (0.7, (0.7, 0.8)), (1.0, (0.9, 1.0))])
def test_a_signal_on_an_edge_is_in_the_bin_above_and_1_in_the_last(signal: float, edges: tuple[float, float]) -> None:
    assert reliability(*told([(signal, True)]), 0.9).bins == (Bin(*edges, 1, signal, 1.0),)


@pytest.mark.parametrize("seed", range(3))
def test_the_bins_are_those_of_scikit_learn(seed: int) -> None:
    random = np.random.default_rng(seed)
    given_rows = [(float(value), bool(random.random() < value)) for value in random.random(80)]
    signal, good = zip(*given_rows, strict=True)
    shares, confidences = calibration_curve(good, signal, n_bins=10)
    bins = reliability(*told(given_rows), 0.9).bins
    assert [item.answerable for item in bins] == pytest.approx(shares.tolist())
    assert [item.confidence for item in bins] == pytest.approx(confidences.tolist())


@pytest.mark.parametrize(
    ("given_rows", "reason"),
    [
        ([(7.0, True), (0.5, False)], "signals from 0.5 to 7 are not in [0, 1]: no probabilities"),
        ([(-0.1, True)], "signals from -0.1 to -0.1 are not in [0, 1]: no probabilities"),
        ([], "no question has a signal and a known context-answerability"),
    ],
)
def test_signals_that_are_no_probabilities_have_no_calibration(given_rows: list[Row], reason: str) -> None:
    drawn = reliability(*told(given_rows), 0.9)
    assert (drawn.bins, drawn.error, drawn.reason) == ((), None, reason)
    item = found(*told(given_rows))["expected_calibration_error"]
    assert (item.value, item.n, item.not_applicable) == (None, 0, len(given_rows))


@pytest.mark.parametrize(
    ("tune", "chosen"),
    [
        ([(0.9, True), (0.8, True), (0.2, False), (0.1, False)], 0.8),
        ([(0.9, True), (0.4, False), (0.3, True), (0.1, False)], 0.3),  # equal to 0.9 in grounded F1: the lowest
        ([(0.5, True), (0.5, False)], 0.5),
        ([(5.0, True), (-2.0, False)], 5.0),
        ([(0.9, True), (0.8, True)], None),
        ([(0.9, False)], None),
        ([], None),
    ],
)
def test_the_threshold_is_chosen_on_tune_and_needs_both_classes(tune: list[Row], chosen: float | None) -> None:
    assert threshold(*told(tune, "tune")) == chosen
    assert threshold(*told(tune, "test")) is None


@pytest.mark.parametrize("seed", range(3))
def test_no_threshold_seen_on_tune_does_better_there(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = [(float(random.integers(0, 12)), bool(random.random() < 0.6)) for _ in range(50)]
    signal, good = (np.array(column) for column in zip(*rows, strict=True))

    def grounded(limit: float) -> float:
        refused = signal < limit
        return round((f1_score(~good, refused, zero_division=0) + f1_score(good, ~refused)) / 2, 12)

    best = max(map(grounded, signal))
    assert threshold(*told(rows, "tune")) == min(limit for limit in signal if grounded(limit) == best)


def test_the_rates_at_the_tuned_threshold_are_counted_on_test_only() -> None:
    tune = [(0.9, True), (0.8, True), (0.2, False), (0.1, False)]  # threshold 0.8
    test = [(0.85, True), (0.7, True), (0.9, False), (0.3, False), (0.2, False)]
    values = found(*both(tune, test))
    assert values["tuned_refusal_f1"].value == pytest.approx(2 * 2 / (3 + 3))
    assert values["tuned_over_refusal_rate"].value == pytest.approx(1 / 2)
    assert values["tuned_false_answer_rate"].value == pytest.approx(1 / 3)
    shares = [(values[name].n, values[name].not_applicable) for name in values if name.startswith("tuned")]
    assert shares == [(5, 4), (2, 7), (3, 6)]


def test_a_signal_at_the_threshold_is_answered() -> None:
    values = found(*both([(0.8, True), (0.2, False)], [(0.8, True), (0.8, False)]))
    assert (values["tuned_over_refusal_rate"].value, values["tuned_false_answer_rate"].value) == (0, 1)


@pytest.mark.parametrize(
    ("tune", "test", "n"),
    [
        ([(0.9, True)], [(0.9, True), (0.1, False)], [0, 0, 0]),  # tune has one class
        ([], [(0.9, True), (0.1, False)], [0, 0, 0]),
        ([(0.9, True), (0.1, False)], [], [0, 0, 0]),
        ([(0.9, True), (0.1, False)], [(0.9, True)], [0, 1, 0]),  # each rate needs its own class
        ([(0.9, True), (0.1, False)], [(0.9, False)], [0, 0, 1]),
    ],
)
def test_without_a_threshold_or_the_class_there_is_no_rate(tune: list[Row], test: list[Row], n: list[int]) -> None:
    items = [item for name, item in found(*both(tune, test)).items() if name.startswith("tuned")]
    assert [item.n for item in items] == n
    assert all((item.value is None) == (item.n == 0) for item in items)
    assert all(item.n + item.not_applicable == len(tune) + len(test) for item in items)


def test_the_aggregates_come_in_the_order_in_which_they_are_described() -> None:
    assert list(found(*told([(0.5, True)]))) == [item.metric for item in RISK_METRICS]
    assert {item.value for item in outcomes([], {}, 0.9)} == {None}


@given(rows, rows, st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None, derandomize=True)
def test_the_order_of_the_questions_does_not_matter(tune: list[Row], test: list[Row], random: object) -> None:
    questions, traces = both(tune, test)
    shuffled = list(questions)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = (found(order, traces) for order in (questions, shuffled))
    assert [item.value for item in one.values()] == pytest.approx([item.value for item in other.values()])
