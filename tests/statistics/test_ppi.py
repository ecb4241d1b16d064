"""Judged means corrected by human labels: by hand, by simulation, and what is refused."""

import numpy as np
import pytest

from harness.statistics.ppi import corrected_mean


def test_a_case_by_hand() -> None:
    found = corrected_mean(human=[1, 0, 1, 1], judge=[1, 0, 1, 0], rest=[1, 1, 0, 1, 0, 1, 1, 0])
    spread = 12 * (7 / 12) * (5 / 12) / 11  # sample variance of seven ones among twelve scores
    covariance = (2 - 4 * 0.75 * 0.5) / 3  # of the labels and the judge: 1/6
    assert found.weight == pytest.approx(covariance / ((1 + 4 / 8) * spread))
    assert found.mean == pytest.approx(0.75 + found.weight * (5 / 8 - 2 / 4))
    residuals = np.array([1, 0, 1, 1]) - found.weight * np.array([1, 0, 1, 0])
    others = found.weight * np.array([1, 1, 0, 1, 0, 1, 1, 0])
    error = np.sqrt(4 / 3 * (np.sum((residuals - residuals.mean()) ** 2) / 4**2 + np.sum((others - others.mean()) ** 2) / 8**2))
    assert (found.high - found.low) / 2 == pytest.approx(3.18245 * error, rel=1e-4)  # t of 3 degrees of freedom
    assert (found.labels, found.rest) == (4, 8)


def test_without_a_rest_it_is_the_mean_of_the_labels() -> None:
    found = corrected_mean([1, 0, 1, 1], [1, 0, 1, 0], [])
    assert (found.mean, found.weight) == (0.75, 0)
    assert (found.high - found.low) / 2 == pytest.approx(3.18245 * 0.5 / 2, rel=1e-4)


@pytest.mark.parametrize("judge", [[0.5] * 4, [0, 1, 0, 0]])
def test_a_judge_that_says_nothing_or_the_contrary_does_not_count(judge: list[float]) -> None:
    found = corrected_mean([1, 0, 1, 1], judge, [0.5, 0.5, 0.5])
    assert (found.mean, found.weight) == (0.75, 0)


def test_a_judge_that_is_always_too_kind_is_corrected() -> None:
    human = [0, 1, 0, 1, 0, 1, 1, 0, 1, 0]
    kind = [value / 2 + 0.5 for value in human]  # .25 too high on average
    found = corrected_mean(human, kind, [value / 2 + 0.5 for value in human * 40])
    assert found.mean == pytest.approx(0.5)


def test_labels_of_one_document_are_worth_one() -> None:
    human, judge, rest = [1, 0, 1, 1, 0], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0, 1, 1, 0, 0, 1]
    groups, others = list("abcde"), list("fghijklmno")
    once = corrected_mean(human, judge, rest, groups, others)
    thrice = corrected_mean(human * 3, judge * 3, rest * 3, groups * 3, others * 3)
    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high), abs=0.02)
    naive = corrected_mean(human * 3, judge * 3, rest * 3)
    assert naive.high - naive.low < 0.6 * (once.high - once.low)


def simulated(runs: int, clusters: bool) -> tuple[float, float]:
    """Share of intervals that cover the true .7, and their width against that of the labels alone."""
    random = np.random.default_rng(12)
    covered, width, alone = 0, 0.0, 0.0
    groups = [f"d{place // 5}" for place in range(500)] if clusters else None
    for _ in range(runs):
        chance = np.repeat(random.beta(7, 3, 100), 5) if clusters else np.full(500, 0.7)
        human = (random.random(500) < chance).astype(float)
        judge = np.where(random.random(500) < 0.85, human, 1.0)  # a judge that lets things pass
        marked, left = (None, None) if groups is None else (groups[:100], groups[100:])
        found = corrected_mean(list(human[:100]), list(judge[:100]), list(judge[100:]), marked, left)
        labels = corrected_mean(list(human[:100]), list(judge[:100]), [], marked)
        covered += found.low <= 0.7 <= found.high
        width, alone = width + found.high - found.low, alone + labels.high - labels.low
    return covered / runs, width / alone


@pytest.mark.parametrize("clusters", [False, True])
def test_the_interval_covers_and_is_narrower_than_that_of_the_labels_alone(clusters: bool) -> None:
    covered, narrower = simulated(200, clusters)
    assert 0.91 <= covered <= 0.99
    assert narrower < 0.75


@pytest.mark.parametrize(
    ("human", "judge", "groups", "why"),
    [
        ([], [], None, "0 labels: at least 2"),
        ([1.0], [1.0], None, "1 labels: at least 2"),
        ([1.0, 0.0], [1.0], None, "2 labels for 1 judge scores"),
        ([1.0, 0.0], [1.0, 0.0], ["a", "a"], "all labels are of one group"),
        ([1.0, 0.0], [1.0, 0.0], ["a"], "1 groups for 2 values"),
        ([1.0, 1.0, 1.0], [1.0, 0.0, 1.0], None, "the labels never vary"),
        ([1 / 3] * 100, [0.2, 0.9] * 50, None, "the labels never vary"),
        ([0.1] * 100, [0.1] * 100, None, "the labels never vary"),
        ([0.1, 0.7] * 10, [0.3] * 20, [f"d{place // 2}" for place in range(20)], "do not vary from group to group"),
    ],
)
def test_what_cannot_be_corrected_is_refused(human: list[float], judge: list[float], groups: list[str] | None, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        corrected_mean(human, judge, [0.5, 0.7], groups)
