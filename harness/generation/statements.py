"""An answer cut into sentences, each with the citations that belong to it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from harness.generation.citations import Citation, find
from harness.text import sentence_spans

_BLANK_BEFORE_STOP = re.compile(r" (?=[.,;:!?؟،](?:\s|$)|[。！？：；])")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence or list line of an answer: text[start:end] with its markers."""

    start: int
    """First character, its own markers included."""
    end: int
    """One past the last character, its own markers included."""
    text: str
    """The sentence without markers, whitespace collapsed."""
    ids: tuple[str, ...]
    """What it cites, distinct, in order."""


def statements(text: str) -> list[Statement]:
    """The sentences of an answer in order.

    A marker belongs to the sentence it stands in or follows (`It is 5 m. [a]`); one that opens a line, or follows a
    sentence that has its own (`[a] It is 5 m. [b] It floats.`), belongs to the sentence after it. Markers without any
    sentence are left out.
    """
    citations = find(text)
    masked = _mask(text, citations)
    spans = sentence_spans(masked)
    owned: list[list[Citation]] = [[] for _ in spans]
    for citation, owner in zip(citations, _owners(text, citations, spans), strict=True):
        if owner is not None:
            owned[owner].append(citation)
    return [_statement(masked, span, mine) for span, mine in zip(spans, owned, strict=True)]


def _statement(masked: str, span: tuple[int, int], mine: Sequence[Citation]) -> Statement:
    words = _BLANK_BEFORE_STOP.sub("", " ".join(masked[span[0] : span[1]].split()))
    ids = tuple(dict.fromkeys(cited for citation in mine for cited in citation.ids))
    start = min([span[0], *(citation.start for citation in mine)])
    end = max([span[1], *(citation.end for citation in mine)])
    return Statement(start, end, words, ids)


def _mask(text: str, citations: Sequence[Citation]) -> str:
    """The text with every marker blanked, so that all offsets stay."""
    pieces, position = list[str](), 0
    for citation in citations:
        pieces += [text[position : citation.start], " " * (citation.end - citation.start)]
        position = citation.end
    return "".join([*pieces, text[position:]])


def _owners(text: str, citations: Sequence[Citation], spans: Sequence[tuple[int, int]]) -> list[int | None]:
    """For every citation the number of its sentence; None where there is no sentence at all."""
    starts = [start for start, _ in spans]
    breaks = [match.start() for match in re.finditer("\n", text)]
    owners: list[int | None] = []
    served: set[int | None] = set()
    for citation in citations:
        before = bisect_right(starts, citation.start) - 1
        after = before + 1 if before + 1 < len(spans) else None
        inside = before >= 0 and (after is None or citation.start < spans[before][1])
        opens = before < 0 or (after is not None and not inside and before in served)
        if after is not None and not inside and not opens:
            opens = _has(breaks, spans[before][1], citation.start) and not _has(breaks, citation.end, starts[after])
        owners.append(after if opens else before)
        served |= {owners[-1]} if inside or opens else set()
    return owners


def _has(positions: Sequence[int], low: int, high: int) -> bool:
    return bisect_left(positions, low) < bisect_left(positions, high)
