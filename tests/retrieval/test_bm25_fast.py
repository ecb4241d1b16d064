"""The postings themselves: what they hold, and how much memory that takes."""

import tracemalloc
from collections.abc import Callable, Sequence

import numpy as np
import pytest
import scipy.sparse  # noqa: F401  imported before memory is measured
from rank_bm25 import BM25Okapi

from harness.retrieval.bm25_fast import Counts, Postings
from tests.retrieval.test_sparse import random_texts


def counted(*blocks: Sequence[Sequence[str]]) -> Counts:
    counts = Counts()
    for block in blocks:
        counts.add(block)
    return counts


def held(make: Callable[[], object]) -> int:
    """Bytes that what is made holds on to."""
    tracemalloc.start()
    made = make()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert made
    return size


def test_tokens_are_numbered_as_they_come_and_given_back_as_they_were() -> None:
    counts = counted([["b", "a", "b"], []], [["c"]])
    assert counts.numbers == {"b": 0, "a": 1, "c": 2}
    assert counts.found.tolist() == [0, 1, 0, 2]
    assert counts.lengths.tolist() == [3, 0, 1]
    assert counts.lists == [["b", "a", "b"], [], ["c"]]


def test_blocks_change_nothing() -> None:
    texts = [text.split() for text in random_texts(7, 50)]
    whole, parts = counted(texts), counted(texts[:20], texts[20:21], texts[21:])
    assert whole.lists == parts.lists == texts
    query = ["w1", "w5", "w30"]
    assert np.array_equal(Postings(whole, "plus", 1.5, 0.75).scores(query), Postings(parts, "plus", 1.5, 0.75).scores(query))


@pytest.mark.parametrize("tokens", [[], ["unknown"]])
def test_nothing_known_scores_nothing(tokens: list[str]) -> None:
    assert Postings(counted([["a"], ["b"], ["c"]]), "plus", 1.5, 0.75).scores(tokens).tolist() == [0, 0, 0]


def test_an_index_takes_less_than_half_of_rank_bm25s_memory() -> None:
    texts = [text.split() for text in random_texts(8, 4000)]
    counts = counted(texts)
    assert held(lambda: Postings(counts, "okapi", 1.5, 0.75)) < 0.5 * held(lambda: BM25Okapi(texts))
