"""Proposed evidence for a question that has none: of each passage the sentence or row that fits it best."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from math import log
from typing import Any

from harness.chunking.markdown import Markdown
from harness.chunking.outline import MARKDOWN_TYPES
from harness.embedding.hashing import Hashing
from harness.golden.drafting.candidates import place_of
from harness.golden.drafting.masking import MASKS
from harness.protocols import Index
from harness.retrieval.filters import sees, visible
from harness.retrieval.sparse import BM25
from harness.terms import stems
from harness.text import sentence_spans
from harness.types import Chunk, Document, Query, Span

PROPOSED = 3
"""Quotes proposed for a question at most."""
_SIZE = 256
_SEARCHED = 10
_PROSE = MARKDOWN_TYPES | {"text/plain", "text/x-rst"}


class Searcher:
    """BM25 over the documents of a golden set, and how telling each word is; built when first asked."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents

    @cached_property
    def _chunks(self) -> list[Chunk]:
        chunker = Markdown(size=_SIZE, overlap=0.0)
        return [chunk for document in self._documents.values() for chunk in chunker.chunk(document)]

    @cached_property
    def _index(self) -> Index:
        return BM25().index(self._chunks, Hashing())

    @cached_property
    def _holders(self) -> Counter[str]:
        """Passages by stem."""
        return Counter(stem for found in stems([chunk.text for chunk in self._chunks]) for stem in set(found))

    def search(self, question: str, persona: str, as_of: str) -> list[Chunk]:
        """Passages that an asker may see, best first."""
        allowed = visible(tuple(self._documents.values()), persona, as_of)
        (ranking,) = self._index.search([Query(MASKS.sub(" ", question), allowed=allowed)], _SEARCHED)
        return [hit.chunk for hit in ranking.hits]

    def proposals(self, question: str, passages: Iterable[Chunk], persona: str, as_of: str) -> list[dict[str, Any]]:
        """Quotes of the first passages that stand in the documents and that the asker may see, each passage's best piece.

        They are alternatives of each other: a person keeps the right ones.
        """
        asked = frozenset(stems([MASKS.sub(" ", question)])[0])
        found: list[dict[str, Any]] = []
        for passage in passages:
            document = self._documents.get(passage.span.doc_id)
            if document is None or not sees(document, persona, as_of) or not _stands(passage, document):
                continue
            span = self._best(asked, passage, document)
            place = place_of(span, self._documents) if span else None
            if place is not None and place not in found:
                found.append(place)
            if len(found) == PROPOSED:
                break
        return found

    def _best(self, asked: frozenset[str], passage: Chunk, document: Document) -> Span | None:
        """The piece with most of the question's words, rare ones counting more; the first of several; None when none has any."""
        cuts = sentence_spans(passage.text) if document.mime_type in _PROSE else _lines(passage.text)
        pieces = [(begin, end) for begin, end in cuts if not _is_frame(passage.text[begin:end])]
        weights = [self._weight(asked & frozenset(found)) for found in stems([passage.text[slice(*piece)] for piece in pieces])]
        if not any(weights):
            return None
        begin, end = pieces[weights.index(max(weights))]
        return Span(passage.span.doc_id, passage.span.start + begin, passage.span.start + end)

    def _weight(self, common: frozenset[str]) -> float:
        return sum(log(1 + len(self._chunks) / self._holders[stem]) for stem in sorted(common) if self._holders[stem])


def _stands(passage: Chunk, document: Document) -> bool:
    return document.text[passage.span.start : passage.span.end] == passage.text


def _lines(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(r"\S.*\S|\S", text)]


def _is_frame(piece: str) -> bool:
    """A heading or the rule of a table."""
    return piece.startswith("#") or not any(letter.isalnum() for letter in piece)
