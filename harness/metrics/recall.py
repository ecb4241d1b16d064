"""Recall: which share of the evidence is found within k hits, or within t tokens of passages."""

from functools import lru_cache
from typing import ClassVar

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.metrics.base import RankingMetric
from harness.metrics.coverage import NEVER, Found
from harness.text import count_tokens
from harness.types import Ranking


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Recall(RankingMetric):
    """Recall@k; equals trec_eval's recall_k when every document is one chunk."""

    family: ClassVar[str] = "recall"
    label: ClassVar[str] = "Recall@{k}"
    formula: ClassVar[str] = "evidence groups covered to tau by the union of the first k chunks / evidence groups"
    source: ClassVar[str] = "Cleverdon 1967; trec_eval recall_k; spans after Smith & Troynikov 2024 (chunking evaluation)"

    def value(self, found: Found) -> float:
        """Found groups / groups."""
        return found.share(self.k)


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class RecallAtBudget(RankingMetric):
    """Recall within a number of tokens: the fair comparison between chunk sizes, which a number of hits is not."""

    family: ClassVar[str] = "recall"
    separator: ClassVar[str] = "_at_budget_"
    label: ClassVar[str] = "Recall@{k} tokens"
    formula: ClassVar[str] = "evidence groups covered to tau by the leading chunks that fit into k tokens / evidence groups"
    source: ClassVar[str] = "tokens of harness.text.count_tokens; after Smith & Troynikov 2024 (chunking evaluation)"

    @property
    def depth(self) -> int:
        """Any hit may be short enough to fit."""
        return NEVER

    def value(self, found: Found) -> float:
        """Found groups / groups."""
        return found.share(hits_within(found.ranking, self.k))


def hits_within(ranking: Ranking, tokens: int) -> int:
    """How many leading hits fit into a number of tokens."""
    for place, hit in enumerate(ranking.hits):
        tokens -= _tokens(hit.chunk.text)
        if tokens < 0:
            return place
    return len(ranking)


_tokens = lru_cache(maxsize=2**16)(count_tokens)
