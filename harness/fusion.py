"""From several rankings to one."""

from collections import defaultdict
from collections.abc import Sequence
from math import fsum
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.types import Chunk, Hit, Ranking


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class ReciprocalRankFusion:
    """score(chunk) = sum over rankings of 1 / (k + rank), ranks from 1; a ranking without the chunk adds 0.

    Cormack, Clarke and Büttcher, SIGIR 2009. Only ranks count, so the rankings' scales need not agree. A single ranking
    keeps its order and gets these scores too.
    """

    k: Annotated[int, Field(ge=1)] = 60
    """Larger levels the difference between the first ranks; 60 is the paper's."""

    def fuse(self, rankings: Sequence[Ranking]) -> Ranking:
        """One ranking of all chunks. The order of the rankings does not matter, to the last bit."""
        chunks: dict[str, Chunk] = {}
        shares: defaultdict[str, list[float]] = defaultdict(list)
        for ranking in rankings:
            for rank, hit in enumerate(ranking.hits, start=1):
                chunk_id = hit.chunk.chunk_id
                chunks.setdefault(chunk_id, hit.chunk)
                shares[chunk_id].append(1 / (self.k + rank))
        return Ranking.of(Hit(chunk, fsum(shares[chunk_id])) for chunk_id, chunk in chunks.items())
