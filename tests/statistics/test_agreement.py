"""Agreement of two readings: against scipy and sklearn, by hand, and where it says nothing."""

from collections.abc import Callable
from math import isnan

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import cohen_kappa_score, roc_auc_score

from harness.statistics.agreement import auroc, base_rate, ceiling, interval_of, kappa, raw_agreement, spearman


def rated(seed: int, n: int = 80) -> tuple[np.ndarray, np.ndarray]:
    """Two raters on a scale of five, who differ by one step at most."""
    random = np.random.default_rng(seed)
    first = random.integers(0, 5, n)
    return first, np.clip(first + random.integers(-1, 2, n), 0, 4)


@pytest.mark.parametrize("seed", range(4))
def test_spearman_with_ties_is_that_of_scipy(seed: int) -> None:
    first, second = rated(seed)
    assert spearman(first, second) == pytest.approx(spearmanr(first, second).statistic)


@pytest.mark.parametrize("seed", range(4))
def test_auroc_with_ties_is_that_of_sklearn(seed: int) -> None:
    first, second = rated(seed)
    assert auroc(first > 2, second) == pytest.approx(roc_auc_score(first > 2, second))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weights", ["", "quadratic"])
def test_kappa_is_that_of_sklearn(seed: int, weights: str) -> None:
    first, second = rated(seed)
    expected = cohen_kappa_score(first, second, weights=weights or None, labels=range(5))
    assert kappa(first, second, weights) == pytest.approx(expected)


def test_a_step_that_nobody_used_still_counts_as_distance() -> None:
    first, second = [0, 0, 4, 4, 3, 3], [0, 3, 4, 4, 4, 3]  # 1 and 2 never stand
    expected = cohen_kappa_score(first, second, weights="quadratic", labels=range(5))
    assert kappa(first, second, "quadratic") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1, 1, 0, 0], [1, 1, 0, 0], 1.0),
        ([1, 1, 0, 0], [0, 0, 1, 1], -1.0),
        ([1, 1, 0, 0], [1, 0, 1, 0], 0.0),
        ([1, 1, 1, 0], [1, 1, 0, 0], 0.5),  # seen .75, by chance .5
    ],
)
def test_kappa_by_hand(first: list[int], second: list[int], expected: float) -> None:
    assert kappa(first, second) == pytest.approx(expected)


def test_raw_agreement_hides_a_judge_that_always_says_yes() -> None:
    human, judge = [1] * 9 + [0], [1] * 10
    assert (raw_agreement(human, judge), base_rate(human), kappa(human, judge)) == pytest.approx((0.9, 0.9, 0.0))


@pytest.mark.parametrize(
    "value",
    [
        spearman([1, 1, 1], [1, 2, 3]),
        spearman([1], [1]),
        auroc([1, 1], [0.2, 0.4]),
        kappa([1, 1], [1, 1]),
        kappa([], []),
        kappa([2, 2], [2, 2], "quadratic"),
        raw_agreement([], []),
        base_rate([]),
        ceiling([]),
        ceiling([[1.0], [2.0]]),
        ceiling([[1.0, 1.0], [1.0, 1.0]]),
        kappa([0.1] * 3, [0.1] * 3, "quadratic"),
        kappa([0.1] * 3, [0.1] * 3),
    ],
)
def test_what_says_nothing_is_no_number(value: float) -> None:
    assert isnan(value)


def test_readings_of_different_items_are_refused() -> None:
    with pytest.raises(ValueError, match="3 values beside 2"):
        spearman([1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="'linear'"):
        kappa([1, 2], [1, 2], "linear")


def test_the_ceiling_is_each_rater_against_the_mean_of_the_others() -> None:
    ratings = [[1, 2, 1], [2, 2, 3], [5, 4, 4], [3, 5, 2], [4, 1, 5]]
    columns = np.array(ratings, dtype=float).T
    rest = [spearmanr(columns[rater], np.delete(columns, rater, axis=0).mean(axis=0)).statistic for rater in range(3)]
    assert ceiling(ratings) == pytest.approx(np.mean(rest))


def test_equal_means_of_raters_tie_on_every_scale() -> None:
    """Raters 1 and 2 face others whose means are all 2.5 or 3.5: no correlation. Rater 3 has the ranks reversed: -1."""
    whole = [(4, 2, 3), (4, 2, 3), (4, 2, 3), (3, 1, 4)]
    share = [tuple((rating - 1) / 3 for rating in row) for row in whole]
    assert ceiling(whole) == ceiling(share) == -1.0


def test_a_rater_who_left_early_is_compared_where_there_are_ratings() -> None:
    whole = [[1, 1], [2, 2], [3, 4], [5, 3]]
    assert ceiling([*whole, [4]]) == ceiling(whole)
    assert ceiling([[1, 2, 1], [2, 3, 4], [3, 1, 2], [5, 5]]) == pytest.approx(
        np.mean(
            [
                spearmanr([1, 2, 3, 5], [1.5, 3.5, 1.5, 5]).statistic,
                spearmanr([2, 3, 1, 5], [1, 3, 2.5, 5]).statistic,
                spearmanr([1, 4, 2], [1.5, 2.5, 2]).statistic,
            ]
        )
    )


def share_covered(statistic: Callable[..., float], truth: float, size: int, runs: int = 80) -> float:
    random = np.random.default_rng(5)
    found = 0
    for run in range(runs):
        document = random.normal(size=(25, 1))  # what the questions of a document share
        x = (document + random.normal(size=(25, size))).ravel()
        y = x + 2 * (random.normal(size=(25, 1)) + random.normal(size=(25, size))).ravel()
        low, high = interval_of(statistic, [x, y], [str(place // size) for place in range(25 * size)], run, 200) or (0, 0)
        found += low <= truth <= high
    return found / runs


def test_an_interval_over_clusters_covers_the_correlation() -> None:
    truth = 6 / np.pi * np.arcsin(np.sqrt(2 / 10) / 2)  # rank correlation of normals whose correlation is sqrt(2 / 10)
    assert share_covered(spearman, truth, 4) >= 0.88


def test_items_of_one_document_widen_the_interval() -> None:
    first, second = (np.repeat(column, 5) for column in rated(1, 20))
    alone = interval_of(spearman, [first, second], None, 0, 300)
    together = interval_of(spearman, [first, second], [str(place // 5) for place in range(100)], 0, 300)
    assert alone is not None and together is not None
    assert together[1] - together[0] > 1.5 * (alone[1] - alone[0])


def test_draws_that_say_nothing_give_no_interval() -> None:
    assert interval_of(spearman, [[1, 2], [2, 1]], ["a", "a"], 0) is None  # one cluster
    assert interval_of(auroc, [[1, 0, 0, 0], [0.9, 0.1, 0.2, 0.3]], None, 0, 200) is None  # many draws lack a class
    assert interval_of(raw_agreement, [[1, 0, 1], [1, 0, 1]], None, 0, 200) is None  # always 1
    assert interval_of(spearman, rated(2), None, 3, 100) == interval_of(spearman, rated(2), None, 3, 100)
