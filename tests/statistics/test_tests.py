"""Sign-flip tests, Holm and power, against scipy and by hand."""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import permutation_test

from harness.statistics.multiplicity import holm
from harness.statistics.paired import sign_flip, smallest_p
from harness.statistics.power import minimum_detectable_effect, required_questions


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([], 1),
        ([0, 0, 0], 1),
        ([-1], 1 / 2),
        ([-1, -1, -1], 1 / 8),
        ([-1, -1, -1, 0, 0], 1 / 8),  # zeros say nothing
        ([-1, -1, 1], 4 / 8),  # sums -3 and three times -1
        ([1, 1, 1], 1),
        ([-2, 1], 2 / 4),
        ([-0.1] * 7, 1 / 128),
        ([-0.1, -0.2, -0.3, 0.6], 9 / 16),  # rounding must not break the tie at 0
    ],
)
def test_p_counts_the_sign_patterns_with_a_mean_no_higher(differences: list[float], p: float) -> None:
    assert sign_flip(differences) == p


def test_a_cluster_is_flipped_as_one() -> None:
    assert sign_flip([-1.0] * 6, ["a", "a", "b", "b", "c", "c"]) == 1 / 8
    assert sign_flip([-1.0] * 6, list("abcdef")) == 1 / 64
    assert sign_flip([-1.0] * 6, [""] * 6) == 1 / 64  # nameless groups are clusters of their own
    assert sign_flip([-1.0, 1.0, -1.0], ["a", "a", "b"]) == 1 / 2  # what cancels inside a cluster is gone


def mean_of(sample: np.ndarray, axis: int) -> np.ndarray:
    return np.mean(sample, axis=axis)


def scipy_p(differences: Sequence[float]) -> float:
    found = permutation_test(
        (np.array(differences),), mean_of, permutation_type="samples", alternative="less", n_resamples=20_000, rng=1
    )
    return float(found.pvalue)


@pytest.mark.parametrize("seed", range(4))
def test_the_exact_p_is_that_of_scipy(seed: int) -> None:
    differences = np.random.default_rng(seed).normal(-0.2, 1, 10)
    assert sign_flip(list(differences)) == pytest.approx(scipy_p(list(differences)))


@pytest.mark.parametrize("seed", range(3))
def test_the_drawn_p_is_close_to_that_of_scipy(seed: int) -> None:
    differences = list(np.random.default_rng(seed).normal(-0.15, 1, 80))
    assert sign_flip(differences, seed=seed) == pytest.approx(scipy_p(differences), abs=0.02)


def test_a_drawn_p_is_never_0_and_the_same_for_the_same_seed() -> None:
    assert sign_flip([-1.0] * 60, draws=999) == 1 / 1000
    mixed = [-1.0, 1.0, -1.0] * 20
    assert sign_flip(mixed, seed=5) == sign_flip(mixed, seed=5) != sign_flip(mixed, seed=6)


def test_an_unchanged_pipeline_gets_small_p_values_as_rarely_as_it_should() -> None:
    random = np.random.default_rng(3)
    found = [sign_flip(list(random.choice([-1.0, 0, 0, 0, 1], size=60)), seed=run, draws=999) for run in range(400)]
    assert np.mean(np.array(found) <= 0.05) <= 0.05 + 0.03
    assert np.mean(np.array(found) <= 0.5) <= 0.5 + 0.08


@pytest.mark.parametrize(
    ("given", "adjusted"),
    [
        ([], []),
        ([0.04], [0.04]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.9], [1.0, 1.0]),
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
    ],
)
def test_holm_multiplies_the_smallest_by_the_count_and_never_falls(given: list[float], adjusted: list[float]) -> None:
    assert holm(given) == pytest.approx(adjusted)


def with_deviation(deviation: float, n: int) -> list[float]:
    """n differences of mean 0 and the given standard deviation."""
    values = np.tile([-1.0, 1.0], n // 2)
    return list(values * deviation / values.std(ddof=1))


@pytest.mark.parametrize(
    ("deviation", "n", "seen"),
    [(0.1, 100, 0.025), (0.3, 100, 0.075), (0.5, 100, 0.124), (0.2, 200, 0.035), (0.4, 500, 0.044)],
)
def test_the_detectable_drop_is_that_of_the_table(deviation: float, n: int, seen: float) -> None:
    assert minimum_detectable_effect(with_deviation(deviation, n), alpha=0.05) == pytest.approx(seen, abs=0.0014)


def test_a_stricter_alpha_and_clusters_see_less() -> None:
    differences = with_deviation(0.3, 100)
    plain = minimum_detectable_effect(differences, alpha=0.05)
    assert minimum_detectable_effect(differences, alpha=0.01) > plain
    clustered = sorted(differences)  # neighbours alike
    assert minimum_detectable_effect(clustered, [str(place // 5) for place in range(100)], alpha=0.05) > 1.8 * plain


def test_no_spread_is_no_certainty() -> None:
    assert minimum_detectable_effect([0.0] * 100, alpha=0.01) == 7 / 100  # 2^-7 < .01: seven questions must fall
    assert minimum_detectable_effect([0.0] * 5, alpha=0.01) == 1
    assert minimum_detectable_effect([0.0], alpha=0.01) == float("inf")
    assert minimum_detectable_effect([], alpha=0.01) == float("inf")


def test_half_the_effect_needs_four_times_the_questions() -> None:
    differences = with_deviation(0.3, 100)
    seen = minimum_detectable_effect(differences, alpha=0.05)
    assert required_questions(differences, effect=seen, alpha=0.05) == 100
    assert required_questions(differences, effect=seen / 2, alpha=0.05) == 400
    assert required_questions([0.1], effect=0.05) == 0


def test_the_promised_power_is_there() -> None:
    random = np.random.default_rng(11)
    drop = minimum_detectable_effect(with_deviation(0.3, 80), alpha=0.05)
    runs = [sign_flip(list(random.normal(-drop, 0.3, 80)), seed=run, draws=499) <= 0.05 for run in range(300)]
    assert 0.72 <= np.mean(runs) <= 0.88


@pytest.mark.parametrize(
    ("n", "groups", "p"),
    [
        (0, None, 1),
        (1, None, 1 / 2),
        (7, None, 1 / 128),
        (7, ["a"] * 6 + ["b"], 1 / 4),
        (3, ["", "", ""], 1 / 8),  # without a name each is its own cluster
        (13, None, 1 / 2**13),
        (40, None, 1 / 10_001),  # no draw of 10 000 is as low
    ],
)
def test_no_change_can_have_a_smaller_p_than_all_falling(n: int, groups: list[str] | None, p: float) -> None:
    assert smallest_p(n, groups) == p
    assert sign_flip([-1.0] * n, groups) >= p or n > 12
