"""Intervals: against scipy, against published values, and whether they cover."""

import numpy as np
import pytest
from scipy.stats import binomtest, bootstrap, t, ttest_1samp

from harness.statistics.clusters import codes, standard_error, sums, telling
from harness.statistics.intervals import bca, mean_interval, wilson


def test_sums_and_sizes_of_clusters() -> None:
    totals, sizes = sums([1, 2, 3, 4], ["a", "b", "a", ""])
    assert (list(totals), list(sizes)) == ([4, 2, 4], [2, 1, 1])
    assert codes(3, ["a", "b", "c"]) is None
    assert codes(3, None) is None


def test_there_must_be_one_group_per_value() -> None:
    with pytest.raises(ValueError, match="2 groups for 3 values"):
        mean_interval([0.1, 0.5, 0.9], ["a", "b"])


def test_without_clusters_the_standard_error_is_the_usual_one() -> None:
    values = np.random.default_rng(0).normal(size=40)
    error, freedom = standard_error(list(values), None)
    assert (error, freedom) == (pytest.approx(values.std(ddof=1) / np.sqrt(40)), 39)


def test_repeating_every_value_in_its_cluster_adds_no_information() -> None:
    values = list(np.random.default_rng(0).normal(size=20))
    once = standard_error(values, None)
    thrice = standard_error([value for value in values for _ in range(3)], [str(place) for place in range(20) for _ in range(3)])
    assert thrice == pytest.approx(once)


@pytest.mark.parametrize(("successes", "n"), [(0, 10), (3, 10), (10, 10), (27, 30), (6, 6), (81, 263)])
def test_wilson_is_that_of_scipy(successes: int, n: int) -> None:
    expected = binomtest(successes, n).proportion_ci(method="wilson")
    assert wilson(successes, n) == pytest.approx((expected.low, expected.high))


def test_zeros_and_ones_get_wilson_and_never_certainty() -> None:
    assert mean_interval([1.0] * 9 + [0.0]) == wilson(9, 10)
    low, high = mean_interval([1.0] * 6) or (0, 0)
    assert low < 0.61
    assert high == 1


def test_bca_is_that_of_scipy() -> None:
    values = np.random.default_rng(4).beta(5, 1, size=30)
    expected = bootstrap((values,), np.mean, method="BCa", n_resamples=9_999, rng=1).confidence_interval
    assert bca(values, seed=2, draws=9_999) == pytest.approx((expected.low, expected.high), abs=0.004)


def test_very_many_values_get_the_t_interval() -> None:
    values = np.random.default_rng(4).beta(5, 1, size=2_001)
    expected = ttest_1samp(values, 0).confidence_interval(0.95)
    assert mean_interval(list(values)) == pytest.approx((expected.low, expected.high))


def test_every_side_is_the_widest_of_t_with_and_without_clusters_and_bca() -> None:
    values = -(np.random.default_rng(4).random(300) < 0.05).astype(float)
    groups = [f"d{place // 3}" for place in range(300)]
    plain = ttest_1samp(values, 0).confidence_interval(0.95)
    totals, count = values.reshape(100, 3).sum(axis=1), 100
    error = np.sqrt(count / (count - 1) * np.sum((totals - totals.mean()) ** 2)) / 300
    half = t.ppf(0.975, count - 1) * error
    drawn = bca(values, groups, seed=7)
    lows, highs = zip(tuple(plain), (values.mean() - half, values.mean() + half), drawn, strict=True)
    assert mean_interval(list(values), groups, seed=7) == pytest.approx((min(lows), max(highs)))
    assert drawn[0] == min(lows)  # rare losses are skewed: t alone claims too much


EQUAL_MEANS = {
    "two documents that lose one question each": ([0.0, *[1.0] * 24] * 2, [f"d{place // 25}" for place in range(50)]),
    "two groups at four of five": ([1.0, 1.0, 1.0, 1.0, 0.0] * 2, [f"d{place // 5}" for place in range(10)]),
    "pairs that change up and down": ([1.0, -1.0] * 5, [f"d{place // 2}" for place in range(10)]),
    "equal means of groups of two sizes": ([0.1, 0.5, 0.1, 0.1, 0.5, 0.5], ["a", "a", "b", "b", "b", "b"]),
}


@pytest.mark.parametrize("case", EQUAL_MEANS)
def test_clusters_that_all_have_one_mean_are_no_certainty(case: str) -> None:
    values, groups = EQUAL_MEANS[case]
    assert standard_error(values, groups)[0] < 1e-9
    assert telling(values, groups) is None
    assert mean_interval(values, groups) == mean_interval(values)


def test_clusters_that_nearly_agree_are_never_narrower_than_no_clusters() -> None:
    values, groups = [0.0, *[1.0] * 24, 0.1, *[1.0] * 24], [f"d{place // 25}" for place in range(50)]
    clustered, plain = mean_interval(values, groups), ttest_1samp(values, 0).confidence_interval(0.95)
    assert clustered is not None
    assert clustered[0] <= plain.low and clustered[1] >= min(1.0, plain.high)


def test_too_little_gives_no_interval() -> None:
    assert mean_interval([]) is None
    assert mean_interval([0.7]) is None
    assert mean_interval([0.7, 0.8, 0.9], ["a", "a", "a"]) is None
    assert mean_interval([250.0, 250.0]) is None  # equal, and the range is unknown


def test_values_that_never_vary_leave_room_for_those_not_seen() -> None:
    few, many = mean_interval([0.5] * 10), mean_interval([0.5] * 100)
    assert few is not None and many is not None
    assert few == pytest.approx((0.5 - 0.5 * 0.308, 0.5 + 0.5 * 0.308), abs=0.001)  # 1 - .025^(1/10)
    assert many[1] - many[0] < few[1] - few[0]
    assert mean_interval([0.0] * 10, bounds=(-1, 1)) == pytest.approx((-0.308, 0.308), abs=0.001)


def test_an_interval_stays_in_the_range_of_the_values() -> None:
    low, high = mean_interval([1.0, 1.0, 0.9, 1.0, 0.1], bounds=(0, 1)) or (0, 0)
    assert 0 <= low < high <= 1
    assert mean_interval([3.0, 900.0, 4.0, 5.0]) is not None


def test_the_same_seed_gives_the_same_interval() -> None:
    values = list(np.random.default_rng(8).beta(3, 1, size=25))
    assert mean_interval(values, seed=1) == mean_interval(values, seed=1)


def share_covered(sampler: object, truth: float, runs: int = 300) -> float:
    found = [mean_interval(*sampler()) for _ in range(runs)]  # type: ignore[operator]
    return float(np.mean([interval is not None and interval[0] <= truth <= interval[1] for interval in found]))


@pytest.mark.parametrize("correlation", [0.05, 0.15, 0.28])
def test_questions_about_one_document_are_covered_where_naive_intervals_are_not(correlation: float) -> None:
    random = np.random.default_rng(5)
    shape = 1 / correlation - 1
    groups = [str(place // 5) for place in range(100)]

    def sample() -> tuple[list[float], list[str]]:
        chances = random.beta(0.8 * shape, 0.2 * shape, 20)
        return list((random.random((20, 5)) < chances[:, None]).astype(float).ravel()), groups

    assert share_covered(sample, 0.8) >= 0.89
    if correlation > 0.2:
        assert share_covered(lambda: (sample()[0],), 0.8) < 0.86


@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize(
    ("values", "chances"),
    [
        ([-1, -0.5, 0, 0.5, 1], [0.05, 0.05, 0.8, 0.06, 0.04]),  # few differences, as between two runs
        ([1, 0.5, 1 / 3, 0.1, 0], [0.6, 0.2, 0.05, 0.05, 0.1]),  # skewed, as reciprocal ranks are
    ],
)
def test_small_and_skewed_samples_are_covered(values: list[float], chances: list[float], n: int) -> None:
    random = np.random.default_rng(6)
    truth = float(np.dot(values, chances))
    assert share_covered(lambda: (list(random.choice(values, p=chances, size=n)),), truth, runs=200) >= 0.91
