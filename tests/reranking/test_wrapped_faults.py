"""A reranker around another one keeps the count of what was mended in the inner one's order, and a run computes it."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from harness.cli.measures import _counts_faults
from harness.embedding.hashing import Hashing
from harness.protocols import Reranker
from harness.reranking.calibrated import Calibrated
from harness.reranking.lexical import Lexical
from harness.reranking.listwise import Listwise
from harness.reranking.logits import Logits
from harness.reranking.mmr import MMR
from harness.types import Hit, Query, Ranking
from tests.builders import ranking
from tests.contracts.reranker import BANANA, BERLIN, PARIS, QUERY


@dataclass(frozen=True)
class Mending:
    """A reranker of a plugin that has mended two places of a model's order."""

    calibrated: bool = True
    identity: str = "mending"
    counts_faults: bool = True

    def rerank(self, query: Query, ranking: Ranking) -> Ranking:
        return Ranking(tuple(Hit(hit.chunk, 0.9 / (place + 1)) for place, hit in enumerate(ranking.hits)), faults=2)


AROUND = {
    "logits": lambda inner: Logits(inner),
    "calibrated": lambda inner: Calibrated(inner, getattr(inner, "identity", "")),
    "mmr": lambda inner: MMR(inner, Hashing()),
    "mmr of calibrated": lambda inner: MMR(Calibrated(inner, getattr(inner, "identity", "")), Hashing()),
}


@pytest.mark.parametrize("name", AROUND)
def test_the_faults_of_the_reranker_inside_are_kept(name: str) -> None:
    assert AROUND[name](Mending()).rerank(QUERY, ranking(BANANA, BERLIN, PARIS)).faults == 2


@pytest.mark.parametrize("name", AROUND)
def test_a_run_counts_faults_where_the_reranker_inside_has_them_and_nowhere_else(name: str) -> None:
    assert _counts_faults(AROUND[name](Mending()))
    assert not _counts_faults(AROUND[name](Lexical()))


def test_faults_are_asked_of_an_attribute_that_a_plugin_can_have_too() -> None:
    listwise: Any = Listwise(SimpleNamespace(identity="m"))  # type: ignore[arg-type]
    found: list[Reranker] = [listwise, Mending(), Mending(counts_faults=False), Lexical()]
    assert [_counts_faults(each) for each in found] == [True, True, False, False]
    assert _counts_faults(SimpleNamespace(inner=Mending()))
