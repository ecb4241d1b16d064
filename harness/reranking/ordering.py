"""From passage scores to a new ranking."""

from collections.abc import Sequence

from harness.errors import StageError
from harness.types import Hit, Ranking


def reordered(ranking: Ranking, scores: Sequence[float]) -> Ranking:
    """The same chunks with these scores, one per hit in the ranking's order.

    Raises:
        StageError: when a score is missing, too many or no number in [0, 1].
    """
    if len(scores) != len(ranking):
        raise StageError(f"the reranker gave {len(scores)} scores for {len(ranking)} passages; one each is needed")
    for hit, score in zip(ranking.hits, scores, strict=True):
        if not 0 <= score <= 1:
            raise StageError(f"the reranker scored passage {hit.chunk.chunk_id!r} with {score!r}; a number in [0, 1] is needed")
    return Ranking.of(Hit(hit.chunk, float(score)) for hit, score in zip(ranking.hits, scores, strict=True))


def read_texts(ranking: Ranking) -> list[str]:
    """What a reranker reads of each hit, in order."""
    return [hit.chunk.indexed_text for hit in ranking.hits]
