"""From several rankings to one."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from math import fsum
from statistics import pstdev
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, field_validator
from pydantic.dataclasses import dataclass

from harness.types import Chunk, Hit, Ranking

_EQUAL = 1e-9
"""Share of the largest score up to which a difference is one of rounding."""


def by_turns(rankings: Sequence[Ranking]) -> Ranking:
    """The heads of all rankings, then their seconds, and so on; each chunk at its best place. The scores only say the order.

    For the parts of a question: rank fusion would put what stands amid the rankings of all parts before what heads that of one.
    """
    ordered = [hit.chunk for tier in zip_longest(*(ranking.hits for ranking in rankings)) for hit in tier if hit is not None]
    unique = {chunk.chunk_id: chunk for chunk in ordered}
    return Ranking.of(Hit(chunk, 1 / place) for place, chunk in enumerate(unique.values(), start=1))


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class ReciprocalRankFusion:
    """score(chunk) = sum over rankings of 1 / (k + rank), ranks from 1; a ranking without the chunk adds 0.

    Cormack, Clarke and Büttcher, SIGIR 2009. Only ranks count, so the rankings' scales need not agree. A single ranking
    keeps its order and gets these scores too.
    """

    k: Annotated[int, Field(ge=1)] = 60
    """Larger levels the difference between the first ranks; 60 is the paper's."""

    def fuse(self, rankings: Mapping[str, Ranking]) -> Ranking:
        """One ranking of all chunks. The order of the rankings does not matter, to the last bit."""
        chunks: dict[str, Chunk] = {}
        shares: defaultdict[str, list[float]] = defaultdict(list)
        for ranking in rankings.values():
            for rank, hit in enumerate(ranking.hits, start=1):
                chunk_id = hit.chunk.chunk_id
                chunks.setdefault(chunk_id, hit.chunk)
                shares[chunk_id].append(1 / (self.k + rank))
        return Ranking.of(Hit(chunk, fsum(shares[chunk_id])) for chunk_id, chunk in chunks.items())


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class WeightedFusion:
    """score(chunk) = sum over rankings of weight x normalised score.

    minmax: (score - lowest) / (highest - lowest), so 0 to 1. z: (score - lowest) / standard deviation, the z-score counted from the
    lowest. A ranking without the chunk adds 0, as its last hit does. Where all scores of a ranking are equal, its hits have 1. In the manner of Bruch et al. 2023 (arXiv 2210.11934). Unlike ranks, scores keep how far apart hits are; a single
    outlier then moves all others.
    """

    normalise: Literal["minmax", "z"] = "minmax"
    """How a ranking's scores are brought to one scale."""
    weights: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = Field(default_factory=dict)
    """By retriever; one that is not named has 1."""

    @field_validator("normalise", mode="before")
    @classmethod
    def _scaled(cls, value: Any) -> Any:
        if value in ("none", "raw", "sum", "", None):
            raise ValueError(
                f"{value!r} would add raw scores: BM25's have no upper bound and change with the query, a cosine stays below 1, so "
                "the sum is BM25's ranking with noise. Choose minmax or z, or fuser=rrf, which needs no scores"
            )
        return value

    def fuse(self, rankings: Mapping[str, Ranking]) -> Ranking:
        """One ranking of all chunks. The order of the rankings does not matter, to the last bit."""
        scaled = {name: self._normalised(ranking) for name, ranking in rankings.items() if ranking.hits}
        chunks = {hit.chunk.chunk_id: hit.chunk for ranking in rankings.values() for hit in ranking.hits}
        return Ranking.of(
            Hit(chunk, fsum(self.weights.get(name, 1.0) * found.get(chunk_id, 0.0) for name, found in scaled.items()))
            for chunk_id, chunk in chunks.items()
        )

    def _normalised(self, ranking: Ranking) -> dict[str, float]:
        scores = [hit.score for hit in ranking.hits]
        if max(scores) - min(scores) <= _EQUAL * max(map(abs, scores)):
            return dict.fromkeys((hit.chunk.chunk_id for hit in ranking.hits), 1.0)
        spread = max(scores) - min(scores) if self.normalise == "minmax" else pstdev(scores)
        return {hit.chunk.chunk_id: (hit.score - min(scores)) / spread for hit in ranking.hits}
