"""Small to big: hits on children come back as their parents."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.build.experiment import build
from harness.build.overrides import parse
from harness.embedding.hashing import Hashing
from harness.errors import StageError
from harness.pipeline import Pipeline
from harness.retrieval.dense import Dense
from harness.retrieval.expanding import ExpandingIndex, parents
from harness.retrieval.sparse import BM25
from harness.store import Store
from harness.types import Chunk, Hit, Origin, Query, Ranking
from tests.builders import chunk, document
from tests.contracts.chunker import quick

PARENTS = [chunk(start=place * 10, end=place * 10 + 10) for place in range(4)]
"""Four windows of one document."""


def _child(parent: int, number: int) -> Chunk:
    around = PARENTS[parent]
    return chunk(start=around.span.start + number, end=around.span.end, parent=around.chunk_id, kind="sentence")


@dataclass
class Table:
    """An index whose scores are written down: per query text (parent, score) of each child, a parent of -1 standing alone."""

    rows: dict[str, list[tuple[int, float]]]
    asked: list[tuple[list[str], int]] = field(default_factory=list)

    def search(self, queries: Sequence[Query], k: int) -> list[Ranking]:
        self.asked.append(([query.text for query in queries], k))
        return [self.ranking(query.text).top(k) for query in queries]

    def ranking(self, text: str) -> Ranking:
        return Ranking.of(
            Hit(_child(parent, number) if parent >= 0 else chunk("alone.md"), score)
            for number, (parent, score) in enumerate(self.rows[text])
        )


def _searched(rows: list[tuple[int, float]], k: int) -> list[tuple[int, float]]:
    """(parent, score) of the hits; -1 is the chunk that stands alone."""
    index = ExpandingIndex(Table({"q": rows}), {item.chunk_id: item for item in PARENTS}, len(rows))
    (found,) = index.search([Query("q")], k)
    return [(PARENTS.index(hit.chunk) if hit.chunk in PARENTS else -1, hit.score) for hit in found.hits]


@pytest.mark.parametrize(
    ("children", "k", "found"),
    [
        ([(0, 9.0), (1, 8.0)], 2, [(0, 9.0), (1, 8.0)]),
        ([(0, 9.0), (0, 8.0), (1, 7.0)], 2, [(0, 9.0), (1, 7.0)]),
        ([(0, 9.0), (0, 8.0), (0, 7.0), (0, 6.0), (1, 5.0), (2, 4.0)], 3, [(0, 9.0), (1, 5.0), (2, 4.0)]),
        ([(0, 9.0), (-1, 8.0), (0, 7.0)], 3, [(0, 9.0), (-1, 8.0)]),
        ([(0, 9.0), (0, 8.0)], 1, [(0, 9.0)]),
        ([], 5, []),
    ],
)
def test_a_parent_has_the_rank_and_score_of_its_best_child(
    children: list[tuple[int, float]], k: int, found: list[tuple[int, float]]
) -> None:
    assert _searched(children, k) == found


def test_the_index_is_asked_for_twice_as_many_while_parents_repeat() -> None:
    table = Table({"q": [(0, 9.0 - place / 10) for place in range(6)] + [(1, 2.0), (2, 1.0)]})
    index = ExpandingIndex(table, {item.chunk_id: item for item in PARENTS}, 8)
    index.search([Query("q")], 2)
    assert [k for _, k in table.asked] == [4, 8]


def test_only_queries_that_need_more_are_asked_again() -> None:
    table = Table({"enough": [(0, 9.0), (1, 8.0), (2, 7.0)], "more": [(0, 9.0 - place / 10) for place in range(4)]})
    index = ExpandingIndex(table, {item.chunk_id: item for item in PARENTS}, 9)
    enough, more = index.search([Query("enough"), Query("more")], 1)
    assert [PARENTS.index(ranking.hits[0].chunk) for ranking in (enough, more)] == [0, 0]
    assert table.asked == [(["enough", "more"], 2)]
    table.asked.clear()
    index.search([Query("enough"), Query("more")], 2)
    assert table.asked == [(["enough", "more"], 4), (["more"], 8)]


def test_equal_scores_stand_in_the_order_of_the_parents_ids_however_deep_they_were_found() -> None:
    rows = [(parent, 1.0) for parent in (0, 1, 2, 3)]
    ordered = sorted(range(4), key=lambda place: PARENTS[place].chunk_id)
    assert [[place for place, _ in _searched(rows, k)] for k in (1, 2, 3, 4)] == [ordered[:k] for k in (1, 2, 3, 4)]


def test_no_query_no_ranking() -> None:
    table = Table({})
    assert ExpandingIndex(table, {}, 0).search([], 5) == []
    assert table.asked == []


scored = st.lists(st.tuples(st.integers(0, 3), st.sampled_from([1.0, 2.0, 3.0])), max_size=9)


@quick
@given(rows=st.lists(scored, min_size=1, max_size=4), k=st.integers(1, 5))
def test_a_batch_gives_what_each_query_gives_alone_and_what_all_hits_give(rows: list[list[tuple[int, float]]], k: int) -> None:
    table = Table({str(place): row for place, row in enumerate(rows)})
    index = ExpandingIndex(table, {item.chunk_id: item for item in PARENTS}, 9)
    queries = [Query(str(place)) for place in range(len(rows))]
    best = [
        sorted(
            ((max(score for place, score in row if place == parent), parent) for parent in {place for place, _ in row}),
            key=lambda pair: (-pair[0], PARENTS[pair[1]].chunk_id),
        )[:k]
        for row in rows
    ]
    batch = index.search(queries, k)
    assert batch == [index.search([query], k)[0] for query in queries]
    assert [[(hit.score, PARENTS.index(hit.chunk)) for hit in ranking.hits] for ranking in batch] == best


def _corpus() -> list[Chunk]:
    """Two windows in each of two documents, one with two sentences about the pump."""
    made: list[Chunk] = []
    for doc_id in ("a.md", "b.md"):
        for start, texts in ((0, ["The pump runs.", "The pump stops."]), (40, ["The seal holds.", "The valve opens."])):
            around = chunk(doc_id, start, start + 30, " ".join(texts), searched=False)
            places = [start, start + 15]
            made.append(around)
            made += [chunk(doc_id, at, at + 15, text, parent=around.chunk_id) for at, text in zip(places, texts, strict=True)]
    return made


@pytest.mark.parametrize("retriever", [BM25(), Dense()], ids=["bm25", "dense"])
def test_only_allowed_documents_are_found_and_only_their_windows_are_given(retriever: BM25 | Dense) -> None:
    made = _corpus()
    entries = [item for item in made if item.searched]
    index = ExpandingIndex(retriever.index(entries, Hashing()), parents(made), len(entries))
    one, all_of = index.search([Query("pump", allowed=frozenset({"b.md"})), Query("pump")], 3)
    assert {hit.chunk.span.doc_id for hit in one.hits} == {"b.md"}
    assert one.hits[0].chunk.text == "The pump runs. The pump stops."
    assert {hit.chunk.span.doc_id for hit in all_of.hits} == {"a.md", "b.md"}
    assert all(hit.chunk.parent == "" for hit in (*one.hits, *all_of.hits))


def test_the_parents_are_the_chunks_that_others_lead_to() -> None:
    made = [*_corpus(), chunk("c.md")]
    assert {item.text for item in parents(made).values()} == {
        "The pump runs. The pump stops.",
        "The seal holds. The valve opens.",
    }
    assert set(parents(made)) == {item.parent for item in made if item.parent}


def recipe(folder: Path) -> Pipeline:
    words = ["embedder=hashing", "retrievers=bm25"]
    return build(parse(words)[0], Store(folder / "stages.sqlite"), replay=True).pipeline


@pytest.mark.parametrize(("leads_to", "where"), [("b.md", "in 'b.md'"), ("", "that is not there")])
def test_a_chunk_that_leads_to_another_document_or_to_none_is_refused(leads_to: str, where: str, tmp_path: Path) -> None:
    """A child that its asker may see would show a text that the asker may not."""
    secret = chunk("b.md", 0, 30, searched=False)
    child = chunk("a.md", 0, 15, parent=secret.chunk_id if leads_to else "no-such-chunk")
    chunks = [secret, chunk("b.md", 0, 15, parent=secret.chunk_id), child]
    with pytest.raises(
        StageError, match=rf"the chunk {child.chunk_id} of 'a.md' leads to the chunk \S+ {where}; .*build the index anew"
    ):
        parents(chunks)
    documents = [document("a.md", "x" * 30), document("b.md", "x" * 30, tenant="acme")]
    with pytest.raises(StageError, match="leads to the chunk"):
        recipe(tmp_path).over(documents, chunks)


def test_what_is_given_for_a_child_says_of_whom_its_document_is(tmp_path: Path) -> None:
    documents = [document(name, "x" * 80, tenant="acme", acl=("ann",)) for name in ("a.md", "b.md")]
    made = [replace(item, origin=Origin()) for item in _corpus()]
    system = recipe(tmp_path).over(documents, made)
    (found,) = system.indexes["bm25"].search([Query("pump")], 3)
    assert {hit.chunk.origin for hit in found.hits} == {Origin("acme", ("ann",))}
