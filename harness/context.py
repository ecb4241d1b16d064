"""From a ranking to the passages that the generator is shown."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.llm.tokens import counter
from harness.text import words
from harness.types import Chunk, Hit, Ranking


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class TopPassages:
    """The best passages that say something new and fit the budget.

    A passage is left out when its words are nearly those of a better one (Jaccard similarity of the sets of words,
    Broder 1997), when its span lies inside a better one's, or when it would break the budget; the next one is then
    tried. The first passage is always shown.

    Language models read the middle of a long context less well than its ends (Liu et al. 2023, arXiv 2307.03172): `both_ends`
    shows the best passage first, the second last, the third second, and so on inwards. The ranking itself stays as it is.
    """

    max_tokens: Annotated[int, Field(ge=1)] = 3000
    """Budget for headings and texts, in tokens of `tokenizer`."""
    tokenizer: str = ""
    """Who counts: empty is words and marks; a model of litellm's table; or the path of a tokenizer.json."""
    order: Literal["best_first", "both_ends"] = "best_first"
    """In which order a model is shown the passages."""
    near_duplicate: Annotated[float, Field(gt=0, le=1)] = 0.9
    """Jaccard similarity from which two passages say the same; 1 drops only equal sets of words."""

    def check(self) -> None:
        """Finds a tokenizer that cannot count before anything is asked.

        Raises:
            ConfigError: when its file cannot be read, its package is missing or its model is unknown.
        """
        counter(self.tokenizer)

    def build(self, ranking: Ranking, shown: int) -> Ranking:
        """At most `shown` passages with their scores, in the ranking's order."""
        tokens = counter(self.tokenizer)
        kept: list[Hit] = []
        kept_words: list[frozenset[str]] = []
        left = self.max_tokens
        for hit in ranking.hits:
            if len(kept) == shown:
                break
            cost, found = tokens(hit.chunk.indexed_text), frozenset(words(hit.chunk.text))
            if kept and (cost > left or self._is_repeated(hit.chunk, found, kept, kept_words)):
                continue
            kept.append(hit)
            kept_words.append(found)
            left -= cost
        return Ranking(tuple(kept), both_ends(len(kept)) if self.order == "both_ends" else ())

    def _is_repeated(self, chunk: Chunk, found: frozenset[str], kept: list[Hit], kept_words: list[frozenset[str]]) -> bool:
        near = any(_jaccard(found, other) >= self.near_duplicate for other in kept_words)
        return near or any(_inside(chunk, hit.chunk) for hit in kept)


def both_ends(count: int) -> tuple[int, ...]:
    """Places 0, 2, 4, ... and then ... 5, 3, 1: the best at both ends."""
    return (*range(0, count, 2), *reversed(range(1, count, 2)))


def _jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    """Shared words / all words; 0 for two passages without words."""
    return len(first & second) / len(first | second) if first or second else 0.0


def _inside(inner: Chunk, outer: Chunk) -> bool:
    a, b = inner.span, outer.span
    return (a.doc_id, inner.version) == (b.doc_id, outer.version) and b.start <= a.start and a.end <= b.end
