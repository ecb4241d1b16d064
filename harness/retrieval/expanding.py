"""Small to big: the index finds a small chunk, the asker is shown the larger one that it belongs to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from harness.errors import StageError
from harness.protocols import Index
from harness.types import Chunk, Hit, Query, Ranking


def parents(chunks: Sequence[Chunk]) -> dict[str, Chunk]:
    """By chunk_id the chunks that others lead to.

    Raises:
        StageError: when a chunk leads to one of another document, whose readers may be others, or to none.
    """
    named = {chunk.parent for chunk in chunks if chunk.parent}
    found = {chunk.chunk_id: chunk for chunk in chunks if chunk.chunk_id in named}
    for chunk in chunks:
        if chunk.parent and (chunk.parent not in found or found[chunk.parent].span.doc_id != chunk.span.doc_id):
            where = f"in {found[chunk.parent].span.doc_id!r}" if chunk.parent in found else "that is not there"
            raise StageError(
                f"the chunk {chunk.chunk_id} of {chunk.span.doc_id!r} leads to the chunk {chunk.parent} {where}; "
                "a chunk leads to one of its own document only: mend the chunker, or build the index anew"
            )
    return found


@dataclass(frozen=True)
class ExpandingIndex:
    """An index whose hits on children are given as hits on their parents, each with its best child's score."""

    inner: Index
    """The index over children and all chunks without a parent."""
    parents: Mapping[str, Chunk]
    """By chunk_id what children lead to."""
    size: int
    """Chunks in the index."""

    @property
    def statistics(self) -> Mapping[str, float]:
        """What the index over children says of itself."""
        return getattr(self.inner, "statistics", {})

    @property
    def notices(self) -> tuple[str, ...]:
        """What weakens the index over children."""
        return tuple(getattr(self.inner, "notices", ()))

    def search(self, queries: Sequence[Query], k: int) -> list[Ranking]:
        """One ranking of at most k distinct hits per query, the same as over all that the index finds.

        The index is asked for 2k, and for twice as many again while fewer than k parents are known for sure: as long as
        its last hit scores as much as the k-th parent, an equal one may follow that stands before it.
        """
        found: dict[int, Ranking] = {}
        depth = 2 * k
        while len(found) < len(queries):
            waiting = [place for place in range(len(queries)) if place not in found]
            for place, hits in zip(waiting, self.inner.search([queries[place] for place in waiting], depth), strict=True):
                ranking = self._expand(hits)
                if len(hits) < depth or depth >= self.size or _settled(ranking, hits, k):
                    found[place] = ranking.top(k)
            depth *= 2
        return [found[place] for place in range(len(queries))]

    def _expand(self, ranking: Ranking) -> Ranking:
        return Ranking.of(self._parent(hit) for hit in ranking.hits)

    def _parent(self, hit: Hit) -> Hit:
        return replace(hit, chunk=self.parents[hit.chunk.parent]) if hit.chunk.parent else hit


def _settled(ranking: Ranking, hits: Ranking, k: int) -> bool:
    """Whether no hit below the last one can change the first k."""
    return len(ranking) >= k and ranking.hits[k - 1].score > hits.hits[-1].score
