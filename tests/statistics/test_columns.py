"""Many columns at once: each gets what it would get alone, on draws that all of them share."""

import numpy as np
import pytest
from scipy.stats import bootstrap, false_discovery_control

from harness.statistics.intervals import bca, bca_columns
from harness.statistics.multiplicity import bh
from harness.statistics.paired import sign_flip, sign_flips
from harness.statistics.resampling import bootstrap_means, counts, members, picks, resample_weights


def differences(n: int = 60, columns: int = 7, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(-0.05, 0.3, (n, columns))


GROUPS = [f"d{place // 4}" for place in range(60)]


@pytest.mark.parametrize("groups", [None, GROUPS])
def test_every_column_has_the_p_it_has_alone(groups: list[str] | None) -> None:
    table = differences()
    alone = [sign_flip(list(column), groups, seed=3, draws=999) for column in table.T]
    assert list(sign_flips(table, groups, seed=3, draws=999)) == alone


def test_a_column_with_few_changes_is_exact_beside_one_with_many() -> None:
    table = differences(40, 2)
    table[:, 0] = 0
    table[:3, 0] = -1
    assert sign_flips(table)[0] == sign_flip(list(table[:, 0])) == 1 / 8


def test_a_column_without_changes_has_p_1() -> None:
    table = differences(40, 3)
    table[:, 1] = 0
    assert sign_flips(table, draws=99)[1] == 1
    assert list(sign_flips(np.zeros((0, 2)))) == [1, 1]


def test_columns_that_change_on_different_questions_are_close_to_what_they_get_alone() -> None:
    table = differences(80, 2)
    table[:40, 0] = 0
    table[60:, 1] = 0
    alone = [sign_flip(list(column)) for column in table.T]
    assert sign_flips(table) == pytest.approx(alone, abs=0.02)


def test_drawn_flips_keep_their_rate_of_false_alarms() -> None:
    table = np.random.default_rng(3).choice([-1.0, 0, 0, 0, 1], size=(60, 2_000))
    found = sign_flips(table, draws=999)
    assert np.mean(found <= 0.05) == pytest.approx(0.045, abs=0.02)  # steps of one question keep it below .05
    assert np.mean(found <= 0.5) <= 0.6


def test_a_resample_counts_every_cluster_that_was_picked() -> None:
    picked = np.array(list(picks(9, 50, 4)))
    counted = np.concatenate(list(counts(9, 50, 4)))
    assert [list(np.bincount(row, minlength=9)) for row in picked] == counted.tolist()


def test_blocks_are_one_stream_of_draws() -> None:
    wide = np.array(list(picks(30_000, 70, 1)))  # drawn in three blocks
    assert np.array_equal(wide, np.random.default_rng(1).integers(0, 30_000, size=(70, 30_000)))


def test_questions_of_one_document_stand_in_a_resample_together() -> None:
    weights = resample_weights(5, ["a", "b", "a", "", ""], draws=200, seed=0)
    assert np.array_equal(weights[:, 0], weights[:, 2])
    assert not np.array_equal(weights[:, 3], weights[:, 4])  # nameless ones stand alone
    assert (weights[:, [0, 1, 3, 4]].sum(axis=1) == 4).all()
    assert resample_weights(3, None, 10, 0).sum(axis=1).tolist() == [3] * 10
    assert resample_weights(0, [], 10, 0).shape == (10, 0)
    assert [list(places) for places in members(5, ["a", "b", "a", "", ""])] == [[0, 2], [1], [3], [4]]


def test_bootstrap_means_of_clusters_are_those_of_repeated_rows() -> None:
    table, groups = differences(12, 2), [f"d{place // 3}" for place in range(12)]
    means = bootstrap_means(table, groups, 20, 5)
    for row, chosen in zip(means, picks(4, 20, 5), strict=True):
        places = np.concatenate([np.arange(3 * pick, 3 * pick + 3) for pick in chosen])
        assert row == pytest.approx(table[places].mean(axis=0))


def test_every_column_has_the_interval_it_has_alone() -> None:
    table = differences()
    lows, highs = bca_columns(table, seed=2)
    alone = np.array([bca(column, seed=2) for column in table.T])
    assert np.stack([lows, highs], axis=1) == pytest.approx(alone, abs=1e-12)


def test_bca_of_columns_is_that_of_scipy() -> None:
    table = np.random.default_rng(4).beta(5, 1, size=(40, 3))
    lows, highs = bca_columns(table, seed=2, draws=9_999)
    for place, column in enumerate(table.T):
        expected = bootstrap((column,), np.mean, method="BCa", n_resamples=9_999, rng=1).confidence_interval
        assert (lows[place], highs[place]) == pytest.approx((expected.low, expected.high), abs=0.004)


def test_bca_of_equal_clusters_is_that_of_their_means() -> None:
    table = differences()
    means = table.reshape(15, 4, -1).mean(axis=1)
    for ours, theirs in zip(bca_columns(table, GROUPS, seed=1), bca_columns(means, seed=1), strict=True):
        assert ours == pytest.approx(theirs)


def test_bca_of_unequal_clusters_covers() -> None:
    random, groups = np.random.default_rng(5), [f"d{place}" for place, size in enumerate([2, 9] * 15) for _ in range(size)]
    covered = 0
    for run in range(150):
        shared = np.repeat(random.gamma(2, 1, 30), [2, 9] * 15)
        low, high = bca_columns((shared + random.normal(size=len(shared)))[:, None], groups, run, draws=400)
        covered += low[0] <= 2 <= high[0]
    assert covered / 150 >= 0.87


def test_a_column_that_never_varies_has_no_width_and_one_cluster_no_interval() -> None:
    lows, highs = bca_columns(np.full((20, 2), 0.25), draws=50)
    assert [*lows, *highs] == pytest.approx([0.25] * 4)
    with pytest.raises(ValueError, match="one cluster"):
        bca_columns(differences(4, 1), ["a"] * 4)


@pytest.mark.parametrize("seed", range(4))
def test_benjamini_hochberg_is_that_of_scipy(seed: int) -> None:
    p_values = list(np.random.default_rng(seed).random(12) ** 3)
    assert bh(p_values) == pytest.approx(list(false_discovery_control(p_values, method="bh")))


def test_benjamini_hochberg_by_hand() -> None:
    assert bh([0.01, 0.04, 0.03, 0.5]) == pytest.approx([0.04, 0.16 / 3, 0.16 / 3, 0.5])
    assert (bh([]), bh([0.2])) == ([], [0.2])
