"""Scores beside labels, by hand and against scipy and scikit-learn."""

import random

import pytest

from harness.judging.calibration import CalibrationRecord, NotJudged
from harness.judging.labels import Labelled
from harness.judging.measuring import measure
from harness.types import Score, State
from tests.judging.labelled import label, scores


def measured(labelled: list[Labelled], given: dict[str, Score]) -> CalibrationRecord:
    return measure(labelled, given, "a judge v1", "faithfulness", "mine", "ab" * 32)


def drawn(n: int = 200) -> tuple[list[Labelled], dict[str, Score]]:
    """Labels of three raters and scores that follow them with noise, in groups of two."""
    source = random.Random(1)
    labelled, values = [], {}
    for place in range(n):
        truth = source.random()
        ratings = [min(1, max(0, round((truth + source.gauss(0, 0.2)) * 3) / 3)) for _ in range(3)]
        labelled.append(label(f"q{place}", *ratings, group=f"g{place // 2}"))
        values[f"q{place}"] = min(1.0, max(0.0, truth + source.gauss(0, 0.2)))
    return labelled, scores(**values)


@pytest.fixture(scope="module")
def many() -> CalibrationRecord:
    return measured(*drawn())


LABELS = [label("a", 1), label("b", 1, 1), label("c", 1, 0.5), label("d", 0.5), label("e", 0), label("f", 0)]
SCORES = scores(a=0.9, b=0.5, c=0.8, d=0.7, e=0.1, f=0.2)


def test_every_number_by_hand() -> None:
    """Good from 2/3 on: labels a b c (c is .75), scores a c d; AUROC: b lies below d only, 8 of 9 pairs are right."""
    found = measured(LABELS, SCORES)
    assert (found.n, found.judged, found.groups, found.raters) == (6, 6, 6, 2)
    assert (found.base_rate, found.majority) == (0.5, 0.5)
    assert found.auroc.value == pytest.approx(8 / 9, abs=1e-6)
    assert found.agreement.value == pytest.approx(4 / 6, abs=1e-6)
    assert found.kappa.value == pytest.approx((4 / 6 - 1 / 2) / (1 - 1 / 2), abs=1e-6)


def test_the_numbers_are_those_of_scipy_and_scikit_learn(many: CalibrationRecord) -> None:
    from scipy.stats import spearmanr
    from sklearn.metrics import cohen_kappa_score, roc_auc_score

    labelled, given = drawn()
    values = [given[item.label_id].value for item in labelled]
    good, said = [item.label > 0.66 for item in labelled], [value >= 2 / 3 for value in values if value is not None]
    assert many.spearman.value == pytest.approx(spearmanr([item.label for item in labelled], values)[0], abs=1e-6)
    assert many.auroc.value == pytest.approx(roc_auc_score(good, values), abs=1e-6)
    assert many.kappa.value == pytest.approx(cohen_kappa_score(good, said), abs=1e-6)


def test_every_estimate_lies_in_its_interval_and_groups_are_counted(many: CalibrationRecord) -> None:
    for estimate in (many.spearman, many.auroc, many.agreement, many.kappa):
        assert estimate.value is not None and estimate.low is not None and estimate.high is not None
        assert estimate.low < estimate.value < estimate.high
    assert many.groups == 100


def test_whole_groups_are_resampled_so_that_copies_do_not_narrow_the_interval() -> None:
    """Every answer four times: the interval of the copies as a group is that of the answers, and alone half as wide."""
    labelled, given = drawn(60)
    copies = [label(f"{item.label_id}-{copy}", *item.ratings, group=item.label_id) for item in labelled for copy in range(4)]
    values = {item.label_id: given[item.group].value for item in copies}
    once = measured([label(item.label_id, *item.ratings) for item in labelled], given).auroc
    grouped = measured(copies, scores(**values)).auroc
    alone = measured([label(item.label_id, *item.ratings) for item in copies], scores(**values)).auroc
    widths = [float(item.high or 0) - float(item.low or 0) for item in (once, grouped, alone)]
    assert widths[1] == pytest.approx(widths[0], rel=0.2)
    assert widths[2] < 0.7 * widths[1]


def test_the_same_labels_and_scores_give_the_same_record(many: CalibrationRecord) -> None:
    assert measured(*drawn()) == many


def test_what_was_not_judged_is_counted_by_state_with_a_reason() -> None:
    given = scores(a=0.9, b=None, c=None, e=0.1)
    given["d"] = Score("faithfulness", "d", None, State.ERROR, "judge error: no reply [a judge v1]")
    found = measured(LABELS, given)
    assert (found.n, found.judged) == (6, 2)
    assert found.not_judged == (
        NotJudged("error", 1, "judge error: no reply"),
        NotJudged("no_context", 1, "the label has no passage to judge against"),
        NotJudged("not_applicable", 2, "the answer states no claim"),
    )


def test_nothing_judged_leaves_every_number_undefined() -> None:
    found = measured(LABELS, {})
    assert (found.judged, found.base_rate, found.majority, found.ceiling) == (0, None, None, None)
    assert {found.spearman.value, found.auroc.value, found.agreement.value, found.kappa.value} == {None}
    assert not found.calibrated


def test_labels_of_one_kind_have_no_auroc_and_no_kappa() -> None:
    found = measured([label("a", 1), label("b", 1)], scores(a=0.9, b=0.8))
    assert (found.auroc.value, found.kappa.value, found.spearman.value) == (None, None, None)
    assert (found.agreement.value, found.majority) == (1.0, 1.0)


def test_raters_are_their_own_ceiling() -> None:
    agreeing = [label("a", 1, 1), label("b", 0.5, 0.5), label("c", 0, 0)]
    assert measured(agreeing, scores(a=0.9, b=0.5, c=0.1)).ceiling == 1.0
    assert measured([label("a", 1), label("b", 0)], scores(a=1, b=0)).ceiling is None


def test_rivals_are_measured_on_the_answers_that_were_judged() -> None:
    labelled = [label("a", 1, other_judge=0.9), label("b", 0, other_judge=0.2), label("c", 0, other_judge=1.0), label("d", 1)]
    (rival,) = measured(labelled, scores(a=0.9, b=0.1, c=None, d=0.7)).rivals
    assert (rival.name, rival.n, rival.spearman, rival.auroc) == ("other judge", 2, 1.0, 1.0)


def test_labels_of_three_classes_are_compared_in_three_classes() -> None:
    """Scores fall into 0, 1/2, 1 below 1/3, below 2/3 and above: three of four agree, one is off by one class."""
    from sklearn.metrics import cohen_kappa_score

    labelled = [label("a", 1), label("b", 0.5), label("c", 0.5), label("d", 0)]
    classes = measured(labelled, scores(a=0.7, b=0.5, c=2 / 3, d=0.1)).classes
    assert classes is not None
    assert (classes.agreement, classes.majority) == (0.75, 0.5)
    assert classes.kappa == pytest.approx(cohen_kappa_score([2, 1, 1, 0], [2, 1, 2, 0], weights="quadratic"), abs=1e-6)


def test_other_labels_have_no_three_classes(many: CalibrationRecord) -> None:
    assert measured([label("a", 1), label("b", 0)], scores(a=1, b=0)).classes is None
    assert many.classes is None


def test_a_score_on_the_border_is_good() -> None:
    found = measured([label("a", 1, 1, 0), label("b", 0)], scores(a=2 / 3, b=0.66))
    assert (found.base_rate, found.agreement.value) == (0.5, 1.0)
