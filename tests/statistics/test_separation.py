"""AUROC with interval and paired difference, against scikit-learn on explicit resamples."""

import numpy as np
import pytest

from harness.statistics.resampling import resample_weights
from harness.statistics.separation import difference, separation

LABELS = [1, 1, 1, 0, 0, 0]
SCORES = [0.9, 0.8, 0.3, 0.5, 0.3, 0.1]
GROUPS = ["a", "a", "b", "b", "c", "c"]


@pytest.fixture(scope="module")
def many() -> tuple[list[int], list[float], list[float], list[str]]:
    chance = np.random.default_rng(1)
    labels = chance.integers(0, 2, 120)
    scores = (labels + chance.normal(0, 1, 120)).round(1)
    return labels.tolist(), scores.tolist(), chance.random(120).tolist(), [f"g{place // 3}" for place in range(120)]


def test_the_value_is_the_share_of_pairs_in_order_ties_one_half() -> None:
    assert separation(LABELS, SCORES, GROUPS).value == pytest.approx((3 + 3 + 1.5) / 9)


def test_the_interval_is_that_of_scikit_learns_weighted_auroc_over_the_resamples(many) -> None:
    from sklearn.metrics import roc_auc_score

    labels, scores, _, groups = many
    often = resample_weights(120, groups, 1_000, 0)
    draws = [roc_auc_score(labels, scores, sample_weight=row) for row in often]
    found = separation(labels, scores, groups)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(draws, [0.025, 0.975])))
    assert found.n == 120


def test_a_difference_is_paired(many) -> None:
    labels, scores, noise, groups = many
    same = difference(labels, scores, scores, groups)
    assert (same.value, same.low, same.high) == (0.0, None, None)
    better = difference(labels, scores, noise, groups)
    assert better.value == pytest.approx(separation(labels, scores, groups).value - separation(labels, noise, groups).value)
    assert better.low > 0


@pytest.mark.parametrize("labels", [[1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0]])
def test_one_class_has_no_value(labels: list[int]) -> None:
    found = separation(labels, SCORES, GROUPS)
    assert (found.value, found.low, found.high, found.n) == (None, None, None, 6)


def test_nothing_has_no_value() -> None:
    assert separation([], [], []).value is None


def test_a_constant_signal_tells_nothing_apart_and_has_no_interval() -> None:
    found = separation(LABELS, [1.0] * 6, GROUPS)
    assert (found.value, found.low, found.high) == (0.5, None, None)
