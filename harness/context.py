"""From a ranking to the passages that the generator is shown."""

from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.text import count_tokens, words
from harness.types import Chunk, Hit, Ranking


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class TopPassages:
    """The best passages that say something new and fit the budget.

    A passage is left out when its words are nearly those of a better one (Jaccard similarity of the sets of words,
    Broder 1997), when its span lies inside a better one's, or when it would break the budget; the next one is then
    tried. The first passage is always shown.
    """

    max_tokens: Annotated[int, Field(ge=1)] = 3000
    """Budget for headings and texts, in tokens of `harness.text.count_tokens`."""
    near_duplicate: Annotated[float, Field(gt=0, le=1)] = 0.9
    """Jaccard similarity from which two passages say the same; 1 drops only equal sets of words."""

    def build(self, ranking: Ranking, shown: int) -> Ranking:
        """At most `shown` passages with their scores, in the ranking's order."""
        kept: list[Hit] = []
        kept_words: list[frozenset[str]] = []
        left = self.max_tokens
        for hit in ranking.hits:
            if len(kept) == shown:
                break
            cost, found = count_tokens(hit.chunk.indexed_text), frozenset(words(hit.chunk.text))
            if kept and (cost > left or self._is_repeated(hit.chunk, found, kept, kept_words)):
                continue
            kept.append(hit)
            kept_words.append(found)
            left -= cost
        return Ranking.of(kept)

    def _is_repeated(self, chunk: Chunk, found: frozenset[str], kept: list[Hit], kept_words: list[frozenset[str]]) -> bool:
        near = any(_jaccard(found, other) >= self.near_duplicate for other in kept_words)
        return near or any(_inside(chunk, hit.chunk) for hit in kept)


def _jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    """Shared words / all words; 0 for two passages without words."""
    return len(first & second) / len(first | second) if first or second else 0.0


def _inside(inner: Chunk, outer: Chunk) -> bool:
    a, b = inner.span, outer.span
    return (a.doc_id, inner.version) == (b.doc_id, outer.version) and b.start <= a.start and a.end <= b.end
