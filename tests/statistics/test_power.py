"""Power by simulation, and whether what the formulas promise is there."""

import numpy as np
import pytest

from harness.statistics.paired import sign_flip
from harness.statistics.power import minimum_detectable_effect, power_by_simulation, required_questions


def changes(n: int, seed: int = 1) -> list[float]:
    """Differences of an unchanged mean: few questions change, by .5 or by 1."""
    return [
        float(value) for value in np.random.default_rng(seed).choice([-1, -0.5, 0, 0.5, 1], p=[0.06, 0.1, 0.7, 0.1, 0.04], size=n)
    ]


GROUPS = [f"d{place // 4}" for place in range(200)]


def test_without_an_effect_it_is_the_rate_of_false_alarms() -> None:
    found = power_by_simulation(changes(100), effect=0.0, alpha=0.05, practical_floor=0.0)
    assert found.share <= 0.05 + 3 * found.error


def test_the_practical_floor_keeps_small_drops_green() -> None:
    differences = [0.01, -0.01] * 100
    assert power_by_simulation(differences, effect=0.008, practical_floor=0.012).share == 0
    assert power_by_simulation(differences, effect=0.008, practical_floor=0.005).share == 1
    assert power_by_simulation(differences, effect=0.015, practical_floor=0.01).share == 1


@pytest.mark.parametrize(("n", "groups"), [(100, None), (200, GROUPS)])
@pytest.mark.parametrize("alpha", [0.01, 0.05])
def test_the_minimum_detectable_effect_is_seen_four_times_in_five(n: int, groups: list[str] | None, alpha: float) -> None:
    differences = changes(n)
    effect = minimum_detectable_effect(differences, groups, alpha)
    found = power_by_simulation(differences, groups, effect, alpha, practical_floor=0.0)
    assert found.share == pytest.approx(0.8, abs=0.07)


def test_the_required_number_of_questions_sees_the_effect() -> None:
    differences = changes(60)
    needed = required_questions(differences, effect=0.06, alpha=0.05)
    more = (differences * 40)[:needed]
    assert power_by_simulation(differences, effect=0.06, alpha=0.05, practical_floor=0.0).share < 0.5
    assert power_by_simulation(more, effect=0.06, alpha=0.05, practical_floor=0.0).share == pytest.approx(0.8, abs=0.08)


@pytest.mark.parametrize("value", [-0.04, 0.0, 0.1])
@pytest.mark.parametrize(("size", "groups", "needed"), [(100, None, 140), (5, None, 140), (200, GROUPS, 560)])
def test_of_differences_that_never_vary_seven_clusters_must_fall(
    value: float, size: int, groups: list[str] | None, needed: int
) -> None:
    """2^-7 < .01, and 7 of 140 questions are .05; clusters of 4 need four times as many."""
    assert required_questions([value] * size, groups, 0.05, 0.01) == needed


def test_clusters_that_all_have_one_mean_are_not_taken_for_certainty() -> None:
    differences, pairs = [1.0, -1.0] * 20, [f"d{place // 2}" for place in range(40)]
    assert minimum_detectable_effect(differences, pairs) == minimum_detectable_effect(differences)


def test_questions_that_rise_and_fall_together_see_less() -> None:
    together = list(np.repeat(changes(50), 4))
    clustered = power_by_simulation(together, GROUPS, effect=0.08)
    naive = power_by_simulation(together, None, effect=0.08)
    assert clustered.share < naive.share - 0.2


def test_it_counts_what_one_test_after_the_other_would() -> None:
    differences, random = changes(40), np.random.default_rng(9)
    red = 0
    for run in range(300):
        drawn = random.choice(differences, size=40) - np.mean(differences) - 0.12
        red += sign_flip(list(drawn), seed=run, draws=999) < 0.05 and drawn.mean() <= -0.05
    found = power_by_simulation(differences, effect=0.12, alpha=0.05, practical_floor=0.05)
    assert found.share == pytest.approx(red / 300, abs=0.08)


def test_it_says_how_sure_it_is_and_is_the_same_for_the_same_seed() -> None:
    found = power_by_simulation(changes(60), effect=0.1, sets=400)
    assert (found.sets, found.error) == (400, pytest.approx(np.sqrt(found.share * (1 - found.share) / 400), rel=0.1))
    assert power_by_simulation(changes(60), effect=5.0, sets=100).error > 0  # all red, and still not certain
    assert power_by_simulation(changes(60), effect=0.1, sets=400) == found
