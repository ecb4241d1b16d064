"""The gate's own error rates, by simulation: unchanged pipelines and injected drops."""

import numpy as np
import pytest

from harness.types import Outcome
from tests.gates.records import accepted, gate, name, outcome, record


def outcomes(drop: float, seed: int, runs: int = 150, n: int = 100) -> list[Outcome]:
    """Two runs of a yes/no metric that agree on half of the questions; the second is worse by `drop` on the mean."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(runs):
        skill = random.beta(8, 2, n)
        stable = random.random(n) < 0.5
        first = (random.random(n) < skill).astype(float)
        again = (random.random(n) < skill).astype(float)
        second = np.where(stable, first, again)
        second = np.where(random.random(n) < drop / 0.8, 0.0, second)
        found.append(outcome(list(first), list(second)))
    return found


def share(found: list[Outcome], wanted: Outcome) -> float:
    return sum(item is wanted for item in found) / len(found)


def test_an_unchanged_pipeline_turns_red_in_at_most_two_percent_of_runs() -> None:
    assert share(outcomes(0.0, seed=1), Outcome.REGRESSED) <= 0.02


def test_a_true_drop_of_the_margin_rarely_passes() -> None:
    found = outcomes(0.05, seed=2)
    assert share(found, Outcome.PASS) + share(found, Outcome.IMPROVED) <= 0.09


def wrong_passes(groups: int, size: int, runs: int) -> list[Outcome]:
    """Each of the questions, all right before, is lost with a chance of .05: the mean drops by the margin."""
    random, n = np.random.default_rng([6, groups]), groups * size
    names = {name(place): f"d{place // size}" for place in range(n)}
    before, checked = accepted({"recall_at_5": [1.0] * n}), gate("recall_at_5")
    rows = [(random.random(n) >= 0.05).astype(float).tolist() for _ in range(runs)]
    return [checked.check(record({"recall_at_5": row}, groups=names), before)[0].outcome for row in rows]


@pytest.mark.parametrize(("groups", "size"), [(20, 5), (10, 10), (200, 1), (300, 1), (2, 25)])
def test_rare_losses_of_the_margin_rarely_pass_in_groups_and_on_many_questions(groups: int, size: int) -> None:
    """At most 7 %, and two standard errors of the simulation; a t interval alone passes 12 % of 20 x 5, 10 x 10 and 200."""
    runs = 300
    assert share(wrong_passes(groups, size, runs), Outcome.PASS) <= 0.07 + 2 * (0.07 * 0.93 / runs) ** 0.5


@pytest.mark.parametrize(("drop", "caught"), [(0.20, 0.85), (0.30, 0.98)])
def test_large_drops_are_caught(drop: float, caught: float) -> None:
    assert share(outcomes(drop, seed=3, runs=60), Outcome.REGRESSED) >= caught


def test_twelve_rules_on_an_unchanged_pipeline_stay_within_the_same_error_rate() -> None:
    random = np.random.default_rng(4)
    names = [f"{station}recall_at_{k}" for station in ("", "bm25/", "dense/") for k in (1, 3, 5, 10)]
    red = 0
    for _ in range(20):
        pairs = {metric: (random.random((2, 100)) < 0.8).astype(float) for metric in names}
        now = record({metric: list(pair[0]) for metric, pair in pairs.items()})
        before = accepted({metric: list(pair[1]) for metric, pair in pairs.items()})
        red += any(item.outcome is Outcome.REGRESSED for item in gate(*names).check(now, before))
    assert red <= 1


def test_an_identical_rerun_is_never_anything_but_a_pass() -> None:
    random = np.random.default_rng(5)
    rows = [list(random.random(int(random.integers(10, 60)))) for _ in range(30)]
    assert {outcome(row, row) for row in rows} == {Outcome.PASS}
