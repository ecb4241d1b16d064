"""Word overlap: the reranker that needs no model."""

from collections.abc import Sequence

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.reranking.ordering import read_texts, reordered
from harness.terms import stems
from harness.types import Query, Ranking


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Lexical:
    """score = distinct query terms that occur in the passage / distinct query terms; terms are stems without stop words.

    A floor to measure cross-encoders against. A query without a term scores 0 everywhere.
    """

    @property
    def calibrated(self) -> bool:
        """True: a share lies in [0, 1]."""
        return True

    @property
    def identity(self) -> str:
        """The recipe."""
        return "lexical overlap of stems"

    def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        """The share of the query's terms that each passage holds."""
        (terms,) = ({*found} for found in stems([query]))
        return [len(terms.intersection(found)) / len(terms) if terms else 0.0 for found in stems(passages)]

    def rerank(self, query: Query, ranking: Ranking) -> Ranking:
        """The chunks by share."""
        return reordered(ranking, self.scores(query.text, read_texts(ranking)))
