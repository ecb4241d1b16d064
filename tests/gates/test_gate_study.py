"""The study that published error rates come from, in small: it shows what it claims to show."""

import pytest

from benchmarks.gate_study import CLAIMS, MEAN, _pair, as_json, many_gates, study
from harness.gates.selftest import Rate


@pytest.mark.slow
@pytest.mark.parametrize("scores", list(CLAIMS))
def test_two_hundred_unchanged_pipelines_are_red_in_at_most_two_percent(scores):
    found = study(scores, "redrawn", 200)
    assert found.red.share <= 0.02
    assert found.naive.share >= 0.10
    assert found.non_inferiority.share >= 0.15
    assert found.passed.interval[0] <= 0.07
    assert found.red.n == found.caught.n == 200


@pytest.mark.slow
def test_twenty_four_naive_rules_are_always_red_and_ours_are_not():
    ours, naive = many_gates(20)
    assert naive.share == 1.0
    assert ours.share <= 0.05


@pytest.mark.parametrize(("scores", "rerun", "spread"), [
    ("binary", "redrawn", 0.5), ("binary", "same", 0.3), ("claims", "redrawn", 0.25), ("claims", "same", 0.15),
])  # fmt: skip
def test_scores_differ_between_runs_as_the_study_says(scores, rerun, spread):
    import numpy as np

    chance = np.random.default_rng(0)
    pairs = [_pair(chance, scores, rerun, 0.0) for _ in range(200)]
    changes = np.concatenate([after - before for before, after in pairs])
    assert changes.std() == pytest.approx(spread, abs=0.01)
    assert changes.mean() == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize("rerun", ["redrawn", "same"])
def test_the_true_drop_is_five_hundredths(rerun):
    import numpy as np

    chance = np.random.default_rng(0)
    pairs = [_pair(chance, "claims", rerun, 0.05) for _ in range(400)]
    assert np.mean([after.mean() - before.mean() for before, after in pairs]) == pytest.approx(-0.05, abs=0.004)
    if rerun == "redrawn":
        assert np.mean([before.mean() for before, _ in pairs]) == pytest.approx(MEAN, abs=0.01)


def test_every_figure_of_the_record_has_its_denominator_and_error():
    record = as_json([study("claims", "same", 2)], (Rate(0, 2), Rate(2, 2)))
    assert record["24_rules"] == {
        "red": {"count": 0, "n": 2, "share": 0.0, "low": 0.0, "high": pytest.approx(0.65762, abs=1e-6)},
        "naive": {"count": 2, "n": 2, "share": 1.0, "low": pytest.approx(0.34238, abs=1e-6), "high": 1.0},
    }
    (row,) = record["one_rule"]
    assert {name for name, value in row.items() if isinstance(value, dict)} == {
        "red", "naive", "non_inferiority", "caught", "inconclusive", "passed", "unpaired",
    }  # fmt: skip
    assert all(set(row[name]) == {"count", "n", "share", "low", "high"} for name in ("red", "caught"))
