"""Dense retrieval over every store of faiss: the same promises whatever the store, and what an approximate one misses."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.build.compose import compose
from harness.build.overrides import parse
from harness.errors import StageError
from harness.protocols import Retriever, Rows, Vectors, VectorStore
from harness.retrieval.dense import Dense, DenseIndex
from harness.retrieval.stores.faiss_flat import Flat
from harness.retrieval.stores.faiss_hnsw import Hnsw
from harness.retrieval.stores.faiss_ivf import Ivf
from harness.retrieval.stores.faiss_scalar import Quantized
from harness.types import Chunk, Filter, Origin, Query, Ranking
from tests.builders import chunk
from tests.contracts.retriever import RetrieverContract
from tests.contracts.vector_store import units
from tests.every_option import SLOTS, joined

STORES: dict[str, VectorStore] = {
    "flat": Flat(),
    "graph": Hnsw(m=32),
    "lists": Ivf(lists=16, nprobe=12),
    "float16": Quantized(),
    "int8": Quantized("int8"),
}
LEAST = {"flat": 1.0, "graph": 0.95, "lists": 0.8, "float16": 0.99, "int8": 0.95}
"""Share of the exact ten that a store finds at least among 2,000 random vectors, with and without filters."""


@pytest.mark.parametrize("name", STORES)
class TestDenseOverEveryStore(RetrieverContract):
    @pytest.fixture
    def retriever(self, name: str) -> Retriever:
        return Dense(STORES[name])


@dataclass
class Numbered:
    """An embedder whose texts are row numbers: `12` is passage 12, as a query query 12."""

    passages: Vectors
    queries: Vectors
    identity: str = "numbered"

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self.passages[[int(text) for text in texts]]

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.queries[[int(text) for text in texts]]


KINDS = ("prose", "table")
CHUNKS = [
    chunk(f"d{row // 2}", row, row + 1, str(row), kind=KINDS[row % 2], origin=Origin("acme" if row % 8 > 5 else ""))
    for row in range(2000)
]
ASKED = 30


@cache
def index(name: str) -> DenseIndex:
    """2,000 vectors of which a thousand have a twin."""
    half = units(1, 1000)
    return Dense(STORES[name]).index(CHUNKS, Numbered(np.concatenate([half, half]), units(2, ASKED)))


def texts(ranking: Ranking) -> list[str]:
    return [hit.chunk.text for hit in ranking.hits]


def queries(wanted: Filter) -> list[Query]:
    return [Query(str(row), allowed=wanted.allowed, persona=wanted.persona, kinds=wanted.kinds) for row in range(ASKED)]


def documents(step: int) -> frozenset[str]:
    return frozenset(f"d{number}" for number in range(0, 1000, step))


FILTERS = {
    "none": Filter(),
    "half of the documents": Filter(allowed=documents(2)),
    "2 % of the documents": Filter(allowed=documents(50)),
    "tables": Filter(kinds=frozenset({"table"})),
    "everybody's": Filter(persona=""),
    "acme's tables in some documents": Filter("acme", documents(3), frozenset({"table"})),
}


@pytest.mark.parametrize("wanted", FILTERS.values(), ids=FILTERS)
@pytest.mark.parametrize("name", STORES)
def test_of_2000_vectors_it_finds_ten_of_which_most_are_the_ten_nearest(name: str, wanted: Filter) -> None:
    found = index(name).search(queries(wanted), 10)
    exact = index("flat").search(queries(wanted), 10)
    assert [len(each) for each in found] == [len(each) for each in exact] == [10] * ASKED
    shares = [len({*texts(one)} & {*texts(other)}) / 10 for one, other in zip(found, exact, strict=True)]
    assert np.mean(shares) >= LEAST[name]


@pytest.mark.parametrize("wanted", FILTERS.values(), ids=FILTERS)
def test_the_exact_store_finds_what_brute_force_finds(wanted: Filter) -> None:
    half = units(1, 1000).astype(np.float64)
    admitted = [
        row
        for row, item in enumerate(CHUNKS)
        if (wanted.allowed is None or item.span.doc_id in wanted.allowed)
        and (wanted.kinds is None or item.kind in wanted.kinds)
        and (wanted.persona is None or item.origin.tenant in ("", wanted.persona))
    ]
    for place, ranking in enumerate(index("flat").search(queries(wanted), 7)):
        cosines = np.concatenate([half, half]) @ units(2, ASKED)[place].astype(np.float64)
        ordered = sorted(admitted, key=lambda row: (-round(cosines[row], 12), CHUNKS[row].chunk_id))
        assert texts(ranking) == [str(row) for row in ordered[:7]]


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("name", STORES)
def test_a_filter_that_admits_few_of_a_thousand_documents_gives_all_that_match(name: str, count: int) -> None:
    allowed = frozenset(f"d{number}" for number in range(7, 7 + count))
    found, exact = (index(each).search(queries(Filter(allowed=allowed)), 50) for each in (name, "flat"))
    assert sum(map(len, exact)) > ASKED * count // 2
    assert all(abs(len(one) - len(other)) <= (name == "int8") for one, other in zip(found, exact, strict=True))
    assert {hit.chunk.span.doc_id for ranking in found for hit in ranking.hits} == allowed


@pytest.mark.parametrize("name", ["flat", "float16", "int8"])
def test_twins_at_the_end_of_the_ranking_come_in_the_order_of_their_ids(name: str) -> None:
    """Each vector has a twin a thousand rows later, so that nine hits end in the middle of a pair."""
    nine, ten = (index(name).search(queries(Filter()), k) for k in (9, 10))
    for short, long in zip(nine, ten, strict=True):
        pairs = [sorted(hit.chunk.chunk_id for hit in long.hits[place : place + 2]) for place in range(0, 10, 2)]
        assert [hit.chunk.chunk_id for hit in long.hits] == [item for pair in pairs for item in pair]
        assert short.hits == long.hits[:9]


@pytest.mark.parametrize("name", STORES)
def test_the_same_questions_get_the_same_hits_twice_and_from_an_index_built_again(name: str) -> None:
    half = units(1, 1000)
    again = Dense(STORES[name]).index(CHUNKS, Numbered(np.concatenate([half, half]), units(2, ASKED)))
    asked = queries(FILTERS["half of the documents"])
    assert index(name).search(asked, 10) == index(name).search(asked, 10) == again.search(asked, 10)


def test_the_exact_store_says_nothing_of_recall() -> None:
    assert index("flat").statistics == {}


@pytest.mark.parametrize("name", ["graph", "lists", "float16", "int8"])
def test_another_store_reports_its_recall(name: str) -> None:
    assert index(name).statistics.keys() == {"recall_at_10_of_own_vectors"}
    assert LEAST[name] - 0.05 <= index(name).statistics["recall_at_10_of_own_vectors"] <= 1.0


@dataclass(frozen=True)
class Blind:
    """A store that never finds a row above a limit."""

    limit: int
    exact: bool = False

    def table(self, vectors: Vectors, entries: Sequence[Chunk]) -> "Blind":
        object.__setattr__(self, "vectors", vectors)
        return self

    def nearest(self, vector: NDArray[np.float32], admitted: Filter, depth: int) -> tuple[Rows, NDArray[np.float64]]:
        cosines = (self.vectors @ vector)[: self.limit].astype(np.float64)
        best = np.argsort(-cosines)[:depth]
        return best, cosines[best]


def of(store: Any, vectors: Vectors, asked: Vectors) -> DenseIndex:
    """An index of a chunk a row over a store of a test."""
    return Dense(store).index([chunk(f"{row}.md", text=str(row)) for row in range(len(vectors))], Numbered(vectors, asked))


def test_recall_is_the_mean_share_of_the_ten_nearest_others_that_are_found() -> None:
    """Of 40 vectors a store sees the first 30: what it can find of each vector's ten is counted by brute force."""
    vectors = units(3, 40, 8)
    cosines = vectors.astype(np.float64) @ vectors.T.astype(np.float64)
    np.fill_diagonal(cosines, -2)
    shares = [sum(row < 30 for row in np.argsort(-line)[:10]) / 10 for line in cosines]
    assert of(Blind(30), vectors, vectors).statistics == {"recall_at_10_of_own_vectors": round(float(np.mean(shares)), 4)}
    assert of(Blind(40), vectors, vectors).statistics == {"recall_at_10_of_own_vectors": 1.0}
    assert of(Blind(30, exact=True), vectors, vectors).statistics == {}


def test_rows_as_near_as_the_tenth_count_as_found() -> None:
    """Thirty equal vectors: any ten of them are the ten nearest."""
    same = np.repeat(units(4, 1, 8), 30, axis=0)
    assert of(Blind(11), same, same).statistics == {"recall_at_10_of_own_vectors": 1.0}
    assert of(Blind(4), same, same).statistics["recall_at_10_of_own_vectors"] == pytest.approx(0.4, abs=0.02)


def test_fewer_than_eleven_vectors_have_fewer_nearest_and_one_has_none() -> None:
    assert of(Blind(3), units(5, 3, 8), units(5, 3, 8)).statistics == {"recall_at_10_of_own_vectors": 1.0}
    assert of(Blind(1), units(5, 1, 8), units(5, 1, 8)).statistics == {}


@dataclass(frozen=True)
class Answering:
    """A store that answers what it was told to, whatever it is asked."""

    rows: Any
    scores: Any
    exact: bool = False
    depths: list[int] = field(default_factory=list)

    def table(self, vectors: Vectors, entries: Sequence[Chunk]) -> "Answering":
        return self

    def nearest(self, vector: NDArray[np.float32], admitted: Filter, depth: int) -> tuple[Rows, NDArray[np.float64]]:
        self.depths.append(depth)
        return np.array(self.rows), np.array(self.scores)


def answered(rows: Any, scores: Any, wanted: Filter | None = None, k: int = 3) -> Ranking:
    """What an index of four chunks makes of a store's answer."""
    vectors = np.eye(4, dtype=np.float32)
    given = Query("0") if wanted is None else Query("0", allowed=wanted.allowed)
    return of(Answering(rows, scores), vectors, vectors).search([given], k)[0]


def test_padding_is_never_a_hit() -> None:
    assert texts(answered([2, -1, 1, -1], [0.9, 0.8, 0.5, -3e38])) == ["2", "1"]


def test_an_answer_that_is_not_in_order_is_put_in_order() -> None:
    assert texts(answered([0, 1, 2], [0.2, 0.9, 0.5])) == ["1", "2", "0"]


def test_scores_of_zero_and_below_are_no_hits() -> None:
    assert texts(answered([0, 1, 2], [0.2, 0.0, -0.5])) == ["0"]


@pytest.mark.parametrize(
    ("rows", "scores", "fault"),
    [
        ([0, 4], [0.9, 0.5], "rows outside of the 4 that it holds"),
        ([0, -2], [0.9, 0.5], "rows outside of the 4"),
        ([0, 0], [0.9, 0.5], "a row twice"),
        ([0, 1], [0.9, float("nan")], "a score that is no number"),
        ([0, 1], [0.9, float("inf")], "a score that is no number"),
        ([0, 1], [0.9], r"\(2,\) rows and \(1,\) scores"),
        ([[0, 1]], [[0.9, 0.5]], r"\(1, 2\) rows"),
    ],
)
def test_what_is_no_answer_is_an_error_that_names_the_store(rows: Any, scores: Any, fault: str) -> None:
    with pytest.raises(StageError, match=rf"Answering\(.*answered with {fault}"):
        answered(rows, scores)


def test_a_store_that_ignores_the_filter_is_found_out() -> None:
    with pytest.raises(StageError, match="a row that the filter does not admit"):
        answered([0, 1], [0.9, 0.5], Filter(allowed=frozenset({"1.md", "2.md"})))


def test_scores_of_another_store_are_its_own_rounded_to_six_decimals() -> None:
    """So that equal vectors, which some stores give scores that differ in the last bit, are ties."""
    hits = answered([3, 1], [0.12345649, 0.1234561]).hits
    ids = [chunk(f"{text}.md", text=text).chunk_id for text in "13"]
    assert [(hit.chunk.chunk_id, hit.score) for hit in hits] == [(item, 0.123456) for item in sorted(ids)]


def test_a_filter_that_admits_nothing_asks_no_store() -> None:
    store, vectors = Answering([0], [0.9]), np.eye(4, dtype=np.float32)
    assert of(store, vectors, vectors).search([Query("0", allowed=frozenset())], 3)[0].hits == ()
    assert store.depths == []


def test_a_store_is_asked_deeper_while_its_last_score_is_as_good_as_the_last_hit() -> None:
    """Of 100 equal vectors any may be the best by id: 2 x 1 + 8 rows, then 28, 64 and all."""
    same = np.repeat(units(6, 1, 8), 100, axis=0)
    store = Blind(100)
    asked: list[int] = []
    made = of(store, same, same)
    table = made._table
    made._table = _Counted(table, asked)
    (found,) = made.search([Query("0")], 1)
    assert asked == [10, 28, 64, 100]
    assert [hit.chunk.chunk_id for hit in found.hits] == [min(chunk(f"{row}.md", text=str(row)).chunk_id for row in range(100))]


@dataclass
class _Counted:
    table: Any
    asked: list[int]

    def nearest(self, vector: NDArray[np.float32], admitted: Filter, depth: int) -> tuple[Rows, NDArray[np.float64]]:
        self.asked.append(depth)
        found: tuple[Rows, NDArray[np.float64]] = self.table.nearest(vector, admitted, depth)
        return found


@pytest.mark.parametrize("retrievers", ["dense", "hybrid"])
@pytest.mark.parametrize("store", SLOTS["store"])
def test_the_store_of_the_config_is_the_one_that_dense_retrieval_uses(store: str, retrievers: str) -> None:
    config = joined({"store": store, "retrievers": retrievers})
    assert config["retrievers"]["dense"]["store"] == config["store"]


def test_a_setting_of_the_store_reaches_dense_retrieval() -> None:
    config = compose(parse(["store=faiss_hnsw", "store.ef_search=200"])[0])
    assert config["retrievers"]["dense"]["store"]["ef_search"] == 200
