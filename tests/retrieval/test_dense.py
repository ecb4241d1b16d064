from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from harness.embedding.hashing import Hashing
from harness.errors import StageError
from harness.protocols import Index, Vectors
from harness.retrieval.dense import Dense
from harness.types import Query, Ranking
from tests.builders import chunk
from tests.contracts.retriever import RetrieverContract


class TestDense(RetrieverContract):
    @pytest.fixture
    def retriever(self) -> Dense:
        return Dense()


@dataclass
class Table:
    """An embedder that looks its vectors up; queries stand under `? text`. It keeps the texts of every call."""

    vectors: dict[str, Sequence[float]]
    identity: str = "table"
    calls: list[list[str]] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        return np.array([self.vectors[text] for text in texts], dtype=np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed([f"? {text}" for text in texts])


def built(table: Table, *texts: str) -> Index:
    return Dense().index([chunk(f"{text}.md", 0, 10, text) for text in texts], table)


def names(ranking: Ranking) -> list[str]:
    return [hit.chunk.text for hit in ranking.hits]


def units(seed: int, count: int, dimension: int = 16) -> Vectors:
    rows = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize("k", [1, 10, 100, 500])
def test_it_finds_what_numpy_finds_by_brute_force(k: int) -> None:
    passages, queries = units(1, 500), units(2, 20)
    table = Table({f"p{row}": v for row, v in enumerate(passages)} | {f"? q{row}": v for row, v in enumerate(queries)})
    index = built(table, *[f"p{row}" for row in range(500)])
    for found, query in zip(index.search([Query(f"q{row}") for row in range(20)], k), queries, strict=True):
        products = passages.astype(np.float64) @ query.astype(np.float64)
        best = [row for row in np.argsort(-products)[:k] if products[row] > 0]
        assert names(found) == [f"p{row}" for row in best]
        assert [hit.score for hit in found.hits] == pytest.approx(products[best].tolist(), abs=1e-12)


def test_a_filter_finds_what_brute_force_over_the_allowed_finds() -> None:
    passages, query = units(3, 300), units(4, 1)[0]
    index = built(Table({f"p{row}": v for row, v in enumerate(passages)} | {"? q": query}), *[f"p{row}" for row in range(300)])
    allowed = range(0, 300, 3)
    (found,) = index.search([Query("q", allowed=frozenset(f"p{row}.md" for row in allowed))], 10)
    assert names(found) == [f"p{row}" for row in sorted(allowed, key=lambda row: -float(passages[row] @ query))[:10]]


def test_scores_are_cosines_by_hand() -> None:
    table = Table({"east": [1, 0], "north": [0, 1], "between": [0.6, 0.8], "? up": [0, 1]})
    (found,) = built(table, "east", "north", "between").search([Query("up")], 3)
    assert [(hit.chunk.text, round(hit.score, 6)) for hit in found.hits] == [("north", 1.0), ("between", 0.8)]


def test_fewer_chunks_than_k_give_no_phantom() -> None:
    table = Table({"a": [1, 0], "b": [0.6, 0.8], "? q": [1, 0]})
    assert names(built(table, "a", "b").search([Query("q")], 50)[0]) == ["a", "b"]


@pytest.mark.parametrize("k", [1, 5, 45])
def test_ties_at_the_end_of_the_ranking_go_by_chunk_id_whatever_k(k: int) -> None:
    """faiss alone answers with other rows for k = 5 and for k = 45 when fifty vectors are equal."""
    texts = [f"p{row}" for row in range(50)]
    index = built(Table({text: [0.6, 0.8] for text in texts} | {"? q": [1, 0]}), *texts)
    ids = [hit.chunk.chunk_id for hit in index.search([Query("q")], k)[0].hits]
    assert ids == sorted(chunk(f"{text}.md", 0, 10, text).chunk_id for text in texts)[:k]


@pytest.mark.parametrize("k", [1, 5, 40])
def test_cosines_that_differ_by_less_than_float32_can_tell_are_ordered_as_in_float64(k: int) -> None:
    """faiss sums in float32: in its order the best of nearly equal vectors may stand far below the k-th."""
    query = units(8, 1, 384)[0]
    near = query + np.float32(1e-6) * units(9, 400, 384)
    near /= np.linalg.norm(near, axis=1, keepdims=True)
    index = built(
        Table({f"p{row}": vector for row, vector in enumerate(near)} | {"? q": query}), *[f"p{row}" for row in range(400)]
    )
    products = (near.astype(np.float64) * query.astype(np.float64)).sum(axis=1)
    assert names(index.search([Query("q")], k)[0]) == [f"p{row}" for row in np.argsort(-products)[:k]]


def test_a_made_up_passage_is_embedded_as_a_passage_instead_of_the_query() -> None:
    table = Table({"a": [1, 0], "b": [0, 1], "? q": [1, 0], "made up": [0, 1]})
    index = built(table, "a", "b")
    found = index.search([Query("q", hypothetical="made up"), Query("q")], 1)
    assert [names(ranking) for ranking in found] == [["b"], ["a"]]


def test_all_queries_of_a_batch_are_embedded_in_one_call() -> None:
    table = Table({"a": [1, 0], "? q": [1, 0], "? r": [0, 1]})
    built(table, "a").search([Query("q"), Query("r"), Query("q")], 1)
    assert table.calls == [["a"], ["? q", "? r", "? q"]]


def test_another_embedder_than_the_one_that_built_the_index_is_an_error() -> None:
    table = Table({"a": [1, 0], "? q": [1, 0]})
    index = built(table, "a")
    table.identity = "table v2"
    with pytest.raises(StageError, match=r"built with the embedder 'table'.*'table v2'; build the index anew"):
        index.search([Query("q")], 1)


def test_query_vectors_of_another_dimension_are_an_error_with_both_numbers() -> None:
    index = built(Table({"a": [1, 0], "? q": [1, 0, 0]}), "a")
    with pytest.raises(StageError, match="query vectors of 3 dimensions, the index has 2"):
        index.search([Query("q")], 1)


@pytest.mark.parametrize("vector", [[3, 4], [0, 0], [float("nan"), 1]], ids=["too long", "zero", "nan"])
def test_a_vector_that_is_not_of_unit_length_is_an_error(vector: list[float]) -> None:
    """With inner products [10, 10] would beat [1, 0.05] for the query [1, 0]; NaN would never be found."""
    with pytest.raises(StageError, match=r"'table': vector 1 of 2 has length .*; unit length is needed"):
        built(Table({"a": [1, 0], "b": vector}), "a", "b")
    with pytest.raises(StageError, match="vector 0 of 1 has length"):
        built(Table({"a": [1, 0], "? q": vector}), "a").search([Query("q")], 1)


def test_a_missing_row_is_an_error() -> None:
    class Lossy(Table):
        def embed(self, texts: Sequence[str]) -> Vectors:
            return super().embed(texts)[1:]

    with pytest.raises(StageError, match=r"shape \(1, 2\) for 2 texts"):
        built(Lossy({"a": [1, 0], "b": [0, 1]}), "a", "b")


def test_the_index_remembers_whose_vectors_it_holds() -> None:
    assert Dense().index([chunk(text="pump")], Hashing(64)).identity == Hashing(64).identity


def test_more_chunks_than_a_block_are_embedded_in_order() -> None:
    texts = [f"word{number}" for number in range(600)]
    index = Dense().index([chunk(f"{text}.md", 0, 10, text) for text in texts], Hashing(2**13))
    assert [names(ranking)[0] for ranking in index.search([Query(text) for text in texts[::97]], 1)] == texts[::97]


def test_a_chunk_scores_as_its_best_vector_does_by_hand() -> None:
    """Cosines with [0, 1]: text 0, questions 0.6 and 0.8; the other chunk's text 0.7071."""
    table = Table({"a": [1, 0], "b": [0.70710678, 0.70710678], "why": [0.8, 0.6], "how": [0.6, 0.8], "? q": [0, 1]})
    index = Dense().index([chunk("a.md", text="a", questions=("why", "how")), chunk("b.md", text="b")], table)
    assert [(hit.chunk.text, round(hit.score, 4)) for hit in index.search([Query("q")], 5)[0].hits] == [("a", 0.8), ("b", 0.7071)]


def test_questions_are_embedded_as_passages_after_the_texts() -> None:
    table = Table({"a": [1, 0], "b": [1, 0], "why": [1, 0], "how": [1, 0], "who": [1, 0]})
    chunks = [chunk("a.md", text="a", questions=("why", "how")), chunk("b.md", text="b", questions=("who",))]
    steps: list[tuple[str, int, int]] = []
    Dense().index(chunks, table, lambda *step: steps.append(step))
    assert table.calls == [["a", "b"], ["why", "how", "who"]]
    assert steps == [("embed chunks", 0, 2), ("embed chunks", 2, 2), ("embed questions", 0, 3), ("embed questions", 3, 3)]


@pytest.mark.parametrize("k", [1, 5, 30, 200])
@pytest.mark.parametrize("share", [1.0, 0.3])
def test_with_questions_it_finds_what_brute_force_over_all_vectors_finds(k: int, share: float) -> None:
    """Some of 100 chunks have up to seven questions; a filter admits a share of the documents."""
    vectors, query = units(5, 500), units(6, 1)[0]
    owners = np.concatenate([np.arange(100), np.sort(np.random.default_rng(7).integers(0, 100, 400))])
    questions = {row: tuple(f"q{place}" for place in range(100, 500) if owners[place] == row) for row in range(100)}
    table = Table({f"p{row}": vectors[row] for row in range(100)} | {f"q{place}": vectors[place] for place in range(100, 500)})
    table.vectors["? q"] = query
    chunks = [chunk(f"{row}.md", text=f"p{row}", questions=questions[row]) for row in range(100)]
    allowed = range(int(100 * share))
    found = Dense().index(chunks, table).search([Query("q", allowed=frozenset(f"{row}.md" for row in allowed))], k)[0]
    best = {
        row: max(float(vectors[place].astype(float) @ query.astype(float)) for place in np.flatnonzero(owners == row))
        for row in allowed
    }
    expected = sorted((row for row in best if best[row] > 0), key=lambda row: -best[row])[:k]
    assert names(found) == [f"p{row}" for row in expected]
    assert [hit.score for hit in found.hits] == pytest.approx([best[row] for row in expected], abs=1e-12)
