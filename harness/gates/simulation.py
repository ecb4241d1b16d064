"""Simulated pairs of runs from the recorded scores of one: resampled questions, rerun noise, injected drops.

A pair is a table of differences, one row per rule and one column per question, turned so that lower is worse. All
pairs of a scenario are tested at once with the same sign patterns.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from harness.gates.comparison import Comparison
from harness.gates.rules import Rule
from harness.statistics.clusters import Floats
from harness.statistics.paired import EXACT
from harness.statistics.resampling import picks

Table = NDArray[np.float64]
"""float64[rules, questions] or float64[pairs, clusters]; NaN where a rule does not look at a question."""

DRAWS = 10_000
"""Random sign patterns, as many as the gate's own test draws."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The scores that difference rules look at, as one table."""

    rules: tuple[Rule, ...]
    """Rows."""
    questions: tuple[str, ...]
    """Columns."""
    values: Table
    """float64[rules, questions]."""
    clusters: tuple[NDArray[np.intp], ...]
    """Columns of each cluster."""

    def only(self, place: int) -> "Recorded":
        """One rule alone."""
        return replace(self, rules=self.rules[place : place + 1], values=self.values[place : place + 1])


@dataclass(frozen=True, slots=True)
class Pair:
    """One simulated run held against a simulated baseline."""

    changes: Table
    """float64[rules, questions], lower is worse."""
    after: Table
    """The run's scores, as they are."""
    cluster: NDArray[np.intp]
    """Cluster of each column."""

    def looks_at(self, place: int) -> bool:
        """Whether a rule has any question here."""
        return bool((~np.isnan(self.changes[place])).any())

    def totals(self, place: int, clusters: int) -> NDArray[np.float64]:
        """Sum of a rule's differences in each cluster."""
        return np.bincount(self.cluster, weights=np.nan_to_num(self.changes[place]), minlength=clusters).astype(float)

    def comparison(self, place: int, rule: Rule, seed: int) -> Comparison:
        """The pair as the gate compares runs."""
        seen = np.flatnonzero(~np.isnan(self.changes[place]))
        about, sign = rule.description, 1 if rule.description.higher_is_better else -1
        changes, after = self.changes[place, seen], float(self.after[place, seen].mean())
        width = about.high - about.low
        return Comparison(
            questions=tuple(map(str, seen)),
            differences=tuple(changes.tolist()),
            before=after - sign * float(changes.mean()),
            after=after,
            sign=sign,
            groups=tuple(map(str, self.cluster[seen])),
            seed=seed,
            reach=(-width, width) if np.isfinite(width) else None,
        )


Change = Callable[[Recorded, NDArray[np.intp], NDArray[np.intp], np.random.Generator], tuple[Table, Table]]
"""Recorded scores, chosen columns, their clusters and chance give the scores before and after."""


def pairs(recorded: Recorded, change: Change, count: int, seed: int) -> Iterator[Pair]:
    """Pairs on questions drawn anew each time: whole clusters, with replacement."""
    signs = np.array([[1.0 if rule.description.higher_is_better else -1.0] for rule in recorded.rules])
    chance = np.random.default_rng([seed, 1])
    for pick in picks(len(recorded.clusters), count, seed):
        columns = np.concatenate([recorded.clusters[place] for place in pick])
        cluster = np.repeat(np.arange(len(pick)), [len(recorded.clusters[place]) for place in pick])
        before, after = change(recorded, columns, cluster, chance)
        yield Pair(np.round(signs * (after - before), 6) + 0.0, after, cluster)


def redrawn(shares: Table) -> Change:
    """Both runs draw some scores anew, each from those recorded for its rule: an unchanged pipeline that is not steady.

    Args:
        shares: float64[rules, questions], chance that a score is drawn anew.
    """

    def change(
        recorded: Recorded, columns: NDArray[np.intp], _: NDArray[np.intp], chance: np.random.Generator
    ) -> tuple[Table, Table]:
        return _once(recorded, columns, shares, chance), _once(recorded, columns, shares, chance)

    return change


def _once(recorded: Recorded, columns: NDArray[np.intp], shares: Table, chance: np.random.Generator) -> Table:
    """One run: the same questions change in every rule, and take the scores of the same question where rules share it."""
    drawn, donor = chance.random(len(columns)), chance.random(len(columns))
    found = recorded.values[:, columns].copy()
    for row, scores in enumerate(recorded.values):
        known = scores[~np.isnan(scores)]
        moved = (drawn < shares[row, columns]) & ~np.isnan(found[row])
        found[row, moved] = known[(donor[moved] * len(known)).astype(int)]
    return found


def exchanged(changes: Table) -> Change:
    """Which of two recorded runs came first is decided by chance in every cluster: their differences change sign.

    Args:
        changes: float64[rules, questions], recorded scores minus those of the other run; NaN where one is missing.
    """

    def change(
        recorded: Recorded, columns: NDArray[np.intp], cluster: NDArray[np.intp], chance: np.random.Generator
    ) -> tuple[Table, Table]:
        second = chance.random(int(cluster.max()) + 1)[cluster] < 0.5
        now, then = recorded.values[:, columns], recorded.values[:, columns] - changes[:, columns]
        return np.where(second, now, then), np.where(second, then, now)

    return change


def dropped(size: float, noise: Change | None = None) -> Change:
    """Random questions fall to the worst score until the mean of each rule has fallen by `size`.

    The last question falls by what is left. A rule that has not so much to lose has no scores in the pair: nothing was dropped.
    """

    def change(
        recorded: Recorded, columns: NDArray[np.intp], cluster: NDArray[np.intp], chance: np.random.Generator
    ) -> tuple[Table, Table]:
        whole = recorded.values[:, columns]
        before, after = noise(recorded, columns, cluster, chance) if noise else (whole, whole)
        after = after.copy()
        order = chance.permutation(len(columns))
        for row, rule in enumerate(recorded.rules):
            seen = order[~np.isnan(after[row, order])]
            worst = rule.description.low if rule.description.higher_is_better else rule.description.high
            room = after[row, seen] - worst
            left = np.clip(size * len(seen) - (np.cumsum(np.abs(room)) - np.abs(room)), 0.0, np.abs(room))
            enough = np.abs(room).sum() >= size * len(seen) - 1e-9
            after[row, seen] = after[row, seen] - np.sign(room) * left if enough else np.nan
        return before, after

    return change


def p_values(totals: Table, seed: int) -> tuple[Floats, Floats]:
    """One-sided p that each row of cluster sums got worse, and better; exact up to 12 sums that are not 0.

    What `statistics.paired.sign_flip` says of each row, with the same sign patterns for all.
    """
    values = np.where(np.abs(totals) > 1e-12, totals, 0.0)
    few = np.count_nonzero(values, axis=1) <= EXACT
    worse, better = np.ones(len(values)), np.ones(len(values))
    if few.any():
        first = np.argsort(values[few] == 0, axis=1, kind="stable")[:, :EXACT]
        chosen = np.take_along_axis(values[few], first, axis=1)
        signs = _all_signs(chosen.shape[1])
        worse[few], better[few] = (found / len(signs) for found in _tails(signs, chosen))
    if not few.all():
        signs = _some_signs(values.shape[1], seed)
        worse[~few], better[~few] = ((1 + found) / (1 + len(signs)) for found in _tails(signs, values[~few]))
    return worse, better


def _tails(signs: Table, values: Table) -> tuple[Floats, Floats]:
    """How many sign patterns give a sum no higher, and no lower, than that of each row."""
    sums, total, slack = signs @ values.T, values.sum(axis=1), 1e-9 * np.abs(values).sum(axis=1)
    return np.count_nonzero(sums <= total + slack, axis=0) * 1.0, np.count_nonzero(sums >= total - slack, axis=0) * 1.0


@lru_cache(maxsize=16)
def _all_signs(count: int) -> Table:
    return np.array(list(product((1.0, -1.0), repeat=count))).reshape(2**count, count)


@lru_cache(maxsize=1)
def _some_signs(count: int, seed: int) -> Table:
    signs = np.random.default_rng(seed).integers(0, 2, size=(DRAWS, count), dtype=np.int8)
    return 2.0 * signs.astype(float) - 1.0
