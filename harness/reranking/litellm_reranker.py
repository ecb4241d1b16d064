"""Rerankers of providers and servers through litellm."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite
from typing import Any

from pydantic.dataclasses import dataclass

from harness.llm.calling import Retryable
from harness.llm.prices import most_searches, most_tokens
from harness.llm.remote import STRICT, Remote
from harness.reranking.ordering import read_texts, reordered
from harness.spending import charge
from harness.types import Query, Ranking, Usage


@dataclass(frozen=True, config=STRICT)
class LiteLLMReranker(Remote):
    """Cohere, Voyage, Jina and compatible servers: they score each passage for the query, in [0, 1].

    Each pair of query and passage is paid for once: scores are kept by pair, as for every reranker that scores passages. A reply
    that leaves a passage out, scores one twice or one that was not sent is asked for again, and an error in the end.
    """

    @property
    def calibrated(self) -> bool:
        """True: relevance_score lies in [0, 1]. Where to set a threshold is still to be tuned on a golden set."""
        return True

    @property
    def calls_per_question(self) -> int:
        """Requests for one question."""
        return 1

    def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        """Relevance of each passage in [0, 1].

        Raises:
            ConfigError: when the environment variable of the key is unset.
            ExhaustedError: when the budget is spent, or the provider's rate limit outlasts the attempts.
            StageError: when the attempts fail otherwise, or the provider refuses the request.
        """
        if not passages:
            return []
        arguments = {"query": query, "documents": list(passages), "top_n": len(passages), "return_documents": False}
        most = Usage(most_tokens([*passages, *[query] * len(passages)]), 0, 1)
        found, took = self.ask("rerank", arguments, most, partial(_read, len(passages)), most_searches(query, passages))
        charge(took)
        return found

    def rerank(self, query: Query, ranking: Ranking) -> Ranking:
        """The chunks by relevance."""
        return reordered(ranking, self.scores(query.text, read_texts(ranking)))


def _read(count: int, reply: Any, took: Usage) -> tuple[list[float], Usage]:
    rows = [item for item in getattr(reply, "results", None) or [] if isinstance(item, Mapping)]
    found: dict[Any, Any] = {row.get("index"): row.get("relevance_score") for row in rows}
    if len(rows) != count or set(found) != set(range(count)):
        raise Retryable(f"the reply scores passages {[row.get('index') for row in rows]}, of {count} each is needed once")
    scores = [found[place] for place in range(count)]
    if bad := [score for score in scores if not isinstance(score, int | float) or not isfinite(score) or not 0 <= score <= 1]:
        raise Retryable(f"the reply holds a relevance_score of {bad[0]!r}; a number in [0, 1] is needed")
    return [float(score) for score in scores], took
