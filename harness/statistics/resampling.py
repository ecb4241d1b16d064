"""Bootstrap draws: whole clusters with replacement, the same draws for every column of a report.

A resample is counted, not gathered: how often each cluster stands in it. The counts of all draws times the cluster sums
of all columns is one matrix product, which makes 288 intervals about as dear as three.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from harness.statistics.clusters import codes, sums

Table = NDArray[np.float64]
"""float64[rows, columns]."""

_BLOCK = 1_000_000
"""Indices drawn at a time."""


def picks(clusters: int, draws: int, seed: int) -> Iterator[NDArray[np.int32]]:
    """The clusters of each resample, int32[clusters]."""
    for block in _blocks(clusters, draws, seed):
        yield from block


def members(n: int, groups: Sequence[str] | None) -> list[NDArray[np.intp]]:
    """Places of the items of each cluster."""
    number = codes(n, groups)
    if number is None:
        return [np.array([place]) for place in range(n)]
    return np.split(np.argsort(number, kind="stable"), np.cumsum(np.bincount(number))[:-1])


def counts(clusters: int, draws: int, seed: int) -> Iterator[Table]:
    """How often each cluster stands in each resample, in blocks of float64[rows, clusters]."""
    for block in _blocks(clusters, draws, seed):
        rows = len(block)
        block += np.arange(0, rows * clusters, clusters, dtype=np.int32)[:, None]
        yield np.bincount(block.ravel(), minlength=rows * clusters).reshape(rows, clusters).astype(float)


def resample_weights(n: int, groups: Sequence[str] | None, draws: int, seed: int) -> Table:
    """float64[draws, n]: how often each item stands in each resample of whole clusters."""
    if not n:
        return np.zeros((draws, 0))
    number = codes(n, groups)
    table = np.concatenate([*counts(n if number is None else int(number.max()) + 1, draws, seed)])
    return table if number is None else table[:, number]


def bootstrap_means(table: Table, groups: Sequence[str] | None, draws: int, seed: int) -> Table:
    """float64[draws, columns]: the mean of each column of float64[n, columns] in each resample of whole clusters."""
    totals, sizes = sums(table, groups)
    return np.concatenate([_product(rows, totals) / _product(rows, sizes[:, None]) for rows in _kept(len(sizes), draws, seed)])


def _product(rows: Table, columns: Table) -> Table:
    """Matrix product; one column is summed directly, which on a busy machine is far quicker than waiting for BLAS threads."""
    if columns.shape[1] > 1:
        return rows @ columns
    product: Table = np.einsum("ij,j->i", rows, np.ascontiguousarray(columns[:, 0]))[:, None]
    return product


@lru_cache(maxsize=2)
def _kept(clusters: int, draws: int, seed: int) -> tuple[Table, ...]:
    """`counts`, kept for the next metric that has as many clusters."""
    return tuple(counts(clusters, draws, seed))


def _blocks(clusters: int, draws: int, seed: int) -> Iterator[NDArray[np.int32]]:
    random, rows = np.random.default_rng(seed), max(1, _BLOCK // max(1, clusters))
    for start in range(0, draws, rows):
        yield random.integers(0, clusters, size=(min(rows, draws - start), clusters), dtype=np.int32)
