"""What every retriever must do. Subclass it and give the fixture `retriever`."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.embedding.hashing import Hashing
from harness.errors import StageError
from harness.protocols import Index, Retriever
from harness.types import Query, Ranking
from tests.builders import chunk

TEXTS = {
    "pump.md": "The pump FH-4410-B weighs twelve kilograms.",
    "valve.md": "The valve opens at four bar and closes at two bar.",
    "refund.md": "Refunds are paid within fourteen days of the return.",
    "return.md": "A return needs the receipt.",
    "warranty.md": "The warranty covers the pump for three years.",
    "cafe.md": "La naïveté du café.",
}
EMBEDDER = Hashing(4096)


def ids(ranking: Ranking) -> list[str]:
    return [hit.chunk.span.doc_id for hit in ranking.hits]


class RetrieverContract:
    @pytest.fixture
    def index(self, retriever: Retriever) -> Index:
        return retriever.index([chunk(name, 0, len(text), text) for name, text in TEXTS.items()], EMBEDDER)

    def test_it_is_a_retriever(self, retriever: Retriever) -> None:
        assert isinstance(retriever, Retriever)

    @pytest.mark.parametrize(("query", "first"), [("pump FH-4410-B", "pump.md"), ("bar valve", "valve.md"), ("café", "cafe.md")])
    def test_the_chunk_with_the_words_comes_first(self, index: Index, query: str, first: str) -> None:
        assert ids(index.search([Query(query)], 3)[0])[0] == first

    def test_there_is_one_ranking_per_query_in_their_order(self, index: Index) -> None:
        rankings = index.search([Query("receipt"), Query("valve bar"), Query("receipt")], 2)
        assert [ids(ranking)[0] for ranking in rankings] == ["return.md", "valve.md", "return.md"]

    def test_a_batch_gives_what_single_queries_give(self, index: Index) -> None:
        queries = [Query("pump"), Query("paid return"), Query("the warranty", allowed=frozenset({"warranty.md"}))]
        assert index.search(queries, 4) == [index.search([query], 4)[0] for query in queries]

    def test_no_queries_give_no_rankings(self, index: Index) -> None:
        assert index.search([], 5) == []

    @pytest.mark.parametrize("k", [1, 2, 5])
    def test_a_smaller_k_gives_the_head_of_a_larger_one(self, index: Index, k: int) -> None:
        query = [Query("pump return the receipt warranty")]
        assert index.search(query, k)[0] == index.search(query, 100)[0].top(k)

    def test_k_beyond_the_corpus_gives_each_chunk_at_most_once(self, index: Index) -> None:
        found = ids(index.search([Query("pump return the receipt bar café")], 1000)[0])
        assert 3 <= len(found) == len(set(found)) <= len(TEXTS)

    def test_what_shares_nothing_with_the_query_is_not_found(self, index: Index) -> None:
        assert index.search([Query("zebra xylophone")], 6)[0].hits == ()

    def test_all_scores_are_above_zero(self, index: Index) -> None:
        assert all(hit.score > 0 for hit in index.search([Query("the pump is paid")], 100)[0].hits)

    def test_only_allowed_documents_are_found_and_k_of_them(self, index: Index) -> None:
        allowed = frozenset({"warranty.md", "return.md", "absent.md"})
        assert set(ids(index.search([Query("pump receipt", allowed=allowed)], 2)[0])) == {"warranty.md", "return.md"}

    def test_an_asker_who_may_see_nothing_finds_nothing(self, index: Index) -> None:
        assert index.search([Query("pump", allowed=frozenset())], 5)[0].hits == ()

    def test_a_filter_does_not_change_scores(self, index: Index) -> None:
        free, filtered = index.search([Query("pump"), Query("pump", allowed=frozenset({"pump.md"}))], 6)
        assert filtered.hits == tuple(hit for hit in free.hits if hit.chunk.span.doc_id == "pump.md")

    def test_equal_chunks_come_in_the_order_of_their_ids_whatever_k(self, retriever: Retriever) -> None:
        same = [chunk("same.md", start, start + 1, "Nitrogen valve") for start in range(20)]
        other = [chunk("other.md", start, start + 1, f"Something else {start}") for start in range(30)]
        index = retriever.index([*same, *other], EMBEDDER)
        for k in (1, 3, 7, 20):
            found = index.search([Query("nitrogen")], k)[0]
            assert [hit.chunk.chunk_id for hit in found.hits] == sorted(item.chunk_id for item in same)[:k]

    def test_the_order_of_the_chunks_changes_nothing(self, retriever: Retriever) -> None:
        chunks = [chunk(name, 0, len(text), text) for name, text in TEXTS.items()]
        query = [Query("the return of the pump")]
        forward, backward = (retriever.index(order, EMBEDDER).search(query, 6) for order in (chunks, chunks[::-1]))
        assert ids(forward[0]) == ids(backward[0])

    def test_a_chunk_given_twice_is_indexed_once(self, retriever: Retriever) -> None:
        pump, valve = chunk("pump.md", text="pump"), chunk("valve.md", text="valve bar")
        query = [Query("pump")]
        assert retriever.index([pump, pump, valve], EMBEDDER).search(query, 5) == retriever.index([pump, valve], EMBEDDER).search(
            query, 5
        )

    def test_the_heading_is_searched_too(self, retriever: Retriever) -> None:
        titled = [chunk("a.md", text="It weighs a lot.", title="Compressor"), chunk("b.md", text="It is light."), chunk("c.md")]
        assert ids(retriever.index(titled, EMBEDDER).search([Query("compressor")], 1)[0]) == ["a.md"]

    def test_the_questions_of_a_chunk_are_searched_and_lead_to_it(self, retriever: Retriever) -> None:
        asked = chunk("a.md", text="It lasts 18 months.", questions=("How old does a battery get?", "When is it empty?"))
        index = retriever.index([asked, chunk("b.md", text="It is light."), chunk("c.md", text="red")], EMBEDDER)
        assert [hit.chunk for hit in index.search([Query("battery")], 3)[0].hits] == [asked]

    def test_k_distinct_chunks_are_found_however_many_questions_each_has(self, retriever: Retriever) -> None:
        many = [chunk("a.md", place, place + 1, "Valve", questions=("Nitrogen?",) * (1 + place % 4)) for place in range(20)]
        other = [chunk("b.md", place, place + 1, f"Something else {place}") for place in range(90)]
        index = retriever.index([*other, *many], EMBEDDER)
        assert [ids(index.search([Query("nitrogen")], k)[0]) for k in (1, 3, 8, 20, 100)] == [
            ["a.md"] * min(k, 20) for k in (1, 3, 8, 20, 100)
        ]

    def test_only_allowed_documents_are_found_by_their_questions(self, retriever: Retriever) -> None:
        chunks = [
            chunk(name, text=f"{name} text", questions=("Nitrogen?", "Argon?")) for name in ("a.md", "b.md", "c.md", "d.md")
        ]
        other = [chunk("e.md", place, place + 1, f"Something else {place}") for place in range(9)]
        index = retriever.index([*chunks, *other], EMBEDDER)
        assert set(ids(index.search([Query("nitrogen", allowed=frozenset({"b.md", "d.md", "e.md"}))], 5)[0])) == {"b.md", "d.md"}

    def test_no_chunks_are_an_error(self, retriever: Retriever) -> None:
        with pytest.raises(StageError, match="no chunk to index"):
            retriever.index([], EMBEDDER)

    def test_threads_may_search_at_once(self, index: Index) -> None:
        queries = [[Query(text)] for text in ("pump", "return", "valve bar", "café", "the receipt")] * 8
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(lambda batch: index.search(batch, 3), queries)) == [index.search(batch, 3) for batch in queries]

    def test_progress_ends_at_the_number_of_chunks(self, retriever: Retriever) -> None:
        seen: list[tuple[str, int, int]] = []
        retriever.index([chunk(text="one two"), chunk("b.md", text="three")], EMBEDDER, lambda *step: seen.append(step))
        assert seen[0][1:] == (0, 2)
        assert seen[-1][1:] == (2, 2)
