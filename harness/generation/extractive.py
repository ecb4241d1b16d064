"""Answers without a language model: the passages' own sentences, each with its citation."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass as record
from dataclasses import replace
from math import log
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.generation.citations import without_citations
from harness.generation.planted import without
from harness.generation.said import joined, marked
from harness.generation.units import ITEM_MARKS, Unit, introduces, units
from harness.terms import stems
from harness.text import REFUSAL, words
from harness.types import Answer, Chunk, Question, Ranking

# fmt: off
QUESTION_WORDS = frozenset((
    "what", "which", "who", "whom", "whose", "when", "where", "why", "how", "do", "doe", "did", "can", "could", "should",
    "would", "must", "may", "i", "we", "you", "my", "our", "your", "me", "us", "have", "has", "been", "am", "ani", "pleas",
    "tell", "give", "mani", "much",
))
# fmt: on
"""Stems of words that say that something is asked, not what."""
IDENTIFIER_WEIGHT = 2.0
"""What a question word with a digit counts: E-09 or 868 tells passages apart better than any other word."""
HEADING_WEIGHT = 0.5
"""What a question word counts that stands in the passage's heading only."""
RANK_DISCOUNT = 0.05
"""A sentence of the passage at place r (from 0) counts 1 / (1 + 0.05 r)."""
RUNNER_UP = 0.7
"""A further sentence needs this share of the best one's score."""


@record(frozen=True, slots=True)
class _Candidate:
    """A unit of a shown passage, with what it has in common with the question."""

    text: str
    chunk_id: str
    place: int
    own: frozenset[str]
    heading: frozenset[str]


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Extractive:
    """Takes the sentences that share the most with the question, verbatim, and cites each; offline and deterministic.

    Markers that a document has of its own, such as [2], are left out: in an answer they would cite what was not shown.

    Overlap = IDF mass of the question's stems found in the sentence (half for those in the heading only) / IDF mass of
    all of them; IDF over the sentences of the passages shown, ln(1 + (N - n + 0.5) / (n + 0.5)), doubled for words with digits.
    """

    max_sentences: Annotated[int, Field(ge=1, le=20)] = 2
    """Sentences in an answer at most."""
    min_overlap: Annotated[float, Field(ge=0, le=1)] = 0.2
    """Refuses when no sentence reaches this overlap."""
    skip_planted: bool = True
    """Whether paragraphs that talk to the model instead of the reader (`planted`) are never quoted."""

    def generate(self, question: Question, passages: Ranking) -> Answer:
        """The answer, or the refusal sentence with its reason; never raises for odd text."""
        scored = _scored(_asked(question.text), _candidates(self._quotable(passages)))
        best = max((overlap for _, overlap, _ in scored), default=0.0)
        if best <= 0 or best < self.min_overlap:
            return _refusal(f"extractive: best overlap {best:.2f}, min_overlap {self.min_overlap:.2f}")
        chosen = _choose([(score, found) for score, overlap, found in scored if overlap >= self.min_overlap], self.max_sentences)
        ids = tuple(dict.fromkeys(found.chunk_id for found in chosen))
        said = [marked(found.text, [found.chunk_id]) for found in chosen]
        return Answer(joined(said, [found.chunk_id for found in chosen]), citations=ids)

    def _quotable(self, passages: Ranking) -> list[Chunk]:
        chunks = [hit.chunk for hit in passages.hits]
        return [replace(chunk, text=without(chunk.text)) for chunk in chunks] if self.skip_planted else chunks


def _asked(text: str) -> list[str]:
    """The distinct stems of what is asked for; FH-5102-B is one, not three."""
    whole = [terms[0] for terms in stems(words(text)) if terms]
    return [term for term in dict.fromkeys(whole) if term not in QUESTION_WORDS]


def _candidates(passages: Sequence[Chunk]) -> list[_Candidate]:
    texts, owners = list[tuple[str, str]](), list[tuple[int, str]]()
    for place, chunk in enumerate(passages):
        for unit in _sayable(units(chunk)):
            texts.append((without_citations(unit.text).strip() or unit.text, unit.read))
            owners.append((place, chunk.chunk_id))
    own = [frozenset(terms) for terms in stems([read for _, read in texts])]
    headings = [frozenset(terms) for terms in stems([chunk.heading for chunk in passages])]
    return [
        _Candidate(text, chunk_id, place, terms, headings[place])
        for (text, _), (place, chunk_id), terms in zip(texts, owners, own, strict=True)
    ]


def _sayable(found: Sequence[Unit]) -> list[Unit]:
    """Without the introductions of lists: an introduction is said with its list, never alone."""
    leads = {unit.text for unit in found if introduces(unit.text)}
    said = {lead for lead in leads if any(unit.text.startswith(f"{lead} ") for unit in found)}
    return [unit for unit in found if unit.text not in said]


def _scored(asked: Sequence[str], found: Sequence[_Candidate]) -> list[tuple[float, float, _Candidate]]:
    """(score, overlap, candidate), best first; ties by place, then reading order."""
    frequency = Counter(term for candidate in found for term in candidate.own)
    idf = {term: _weight(term) * log(1 + (len(found) - frequency[term] + 0.5) / (frequency[term] + 0.5)) for term in asked}
    total = sum(idf.values())
    scored = [(_overlap(candidate, idf) / total if total else 0.0, candidate) for candidate in found]
    ranked = [(overlap / (1 + RANK_DISCOUNT * candidate.place), overlap, candidate) for overlap, candidate in scored]
    return sorted(ranked, key=lambda item: (-item[0], item[2].place, len(item[2].text)))


def _weight(term: str) -> float:
    return IDENTIFIER_WEIGHT if any(letter.isdigit() for letter in term) else 1.0


def _overlap(candidate: _Candidate, idf: dict[str, float]) -> float:
    own = sum(weight for term, weight in idf.items() if term in candidate.own)
    lent = sum(weight for term, weight in idf.items() if term in candidate.heading and term not in candidate.own)
    return own + HEADING_WEIGHT * lent if own else 0.0


def _choose(ranked: Sequence[tuple[float, _Candidate]], limit: int) -> list[_Candidate]:
    """The best ones that come near the first and say something new."""
    chosen: list[_Candidate] = []
    for score, candidate in ranked:
        if len(chosen) == limit or score < RUNNER_UP * ranked[0][0]:
            break
        if not any(_holds(candidate.text, other.text) or _holds(other.text, candidate.text) for other in chosen):
            chosen.append(candidate)
    return chosen


def _holds(whole: str, part: str) -> bool:
    """Whether the part stands in the whole, word for word or as an item of a list, where its final mark is gone."""
    return part in whole or any(f"{part.rstrip(ITEM_MARKS)}{mark}" in f"{whole}{mark}" for mark in ";；؛")


def _refusal(reason: str) -> Answer:
    return Answer(REFUSAL, refused=True, refusal_reason=reason)
