"""Maximal marginal relevance: relevant passages that do not repeat each other."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.errors import ConfigError
from harness.protocols import Embedder, Reranker
from harness.reranking.descending import descending
from harness.reranking.ordering import read_texts
from harness.types import Query, Ranking


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class MMR:
    """Takes passages one by one, each time the one with the highest

        balance x relevance - (1 - balance) x highest cosine with a passage taken before

    (Carbonell and Goldstein 1998, SIGIR). Relevance is the score in [0, 1] of the reranker inside. The first passage keeps its
    score, and no later one scores as much as the one before it: a threshold on the best score means what it did.
    """

    reranker: SkipValidation[Reranker]
    """Says how relevant a passage is; it must give scores in [0, 1]."""
    embedder: SkipValidation[Embedder]
    """Says how alike two passages are."""
    balance: Annotated[float, Field(ge=0, le=1)] = 0.7
    """1 is relevance alone, 0 difference alone behind the first."""

    def __post_init__(self) -> None:
        if not self.reranker.calibrated:
            raise ConfigError(
                f"mmr weighs relevance against cosines, so the reranker inside must give scores in [0, 1]; "
                f"{type(self.reranker).__name__} gives none: reranker@reranker.reranker=cross_encoder or lexical"
            )

    @property
    def calibrated(self) -> bool:
        """True: the best passage has the score of the reranker inside."""
        return True

    @property
    def identity(self) -> str:
        """The parts' identities and the balance."""
        inner = getattr(self.reranker, "identity", type(self.reranker).__name__)
        return f"mmr balance={self.balance:g} of {inner}, by {self.embedder.identity}"

    def rerank(self, query: Query, ranking: Ranking) -> Ranking:
        """All passages in the order in which they were taken."""
        found = self.reranker.rerank(query, ranking)
        if not found.hits:
            return found
        vectors = self.embedder.embed(read_texts(found))
        relevance = np.array([hit.score for hit in found.hits])
        order = taken(relevance, (vectors @ vectors.T).astype(np.float64), self.balance)
        return descending([found.hits[place] for place in order], found.faults)


def taken(relevance: NDArray[np.float64], likeness: NDArray[np.float64], balance: float) -> Sequence[int]:
    """Places in the order in which they are taken; of equals the more relevant, which stands first.

    Args:
        relevance: float64[n], descending.
        likeness: float64[n, n].
        balance: as in MMR.
    """
    order = [0]
    nearest = likeness[0].copy()
    while len(order) < len(relevance):
        gain = balance * relevance - (1 - balance) * nearest
        gain[order] = -np.inf
        best = int(np.argmax(np.round(gain, 9)))
        order.append(best)
        nearest = np.maximum(nearest, likeness[best])
    return order
