"""From quotes to spans: a quote is looked up in the cleaned document, and what cannot be placed is explained.

Offsets are only a hint. They break with the first edit of a document, silently; a quote that is gone says so.
"""

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher, get_close_matches
from typing import Any

from harness.shapes import Fault
from harness.text import normalise
from harness.types import Document, Span

_SEARCHED = 300_000
"""Characters of a document searched for the nearest text."""
_SHIFT = 40
"""Characters by which the nearest text may be longer or shorter than the quote."""


def resolve(place: Mapping[str, Any], documents: Mapping[str, Document], field: str) -> Span | Fault:
    """The span of `{doc, quote, start?, prefix?, suffix?}`; without a quote all of the document that is not blank around it.

    Codes: G013 unknown document, G014 stale offset, G015 quote not found, G018 id not in NFC, G029 ambiguous quote.
    """
    document = documents.get(place["doc"])
    if document is None:
        return _unknown_document(place["doc"], documents, field)
    if "quote" not in place:
        return whole(document)
    quote = normalise(place["quote"])
    starts = list(_occurrences(document.text, quote))
    if not starts:
        return _missing(document, quote, f"{field}.quote")
    fitting = [start for start in starts if _surrounded(document.text, start, start + len(quote), place)]
    if len(fitting) > 1 and place.get("start") in fitting:
        fitting = [place["start"]]
    if len(fitting) == 1:
        return Span(document.doc_id, fitting[0], fitting[0] + len(quote))
    return _ambiguous(document, place, starts, fitting, f"{field}.quote")


def whole(document: Document) -> Span:
    """A document from its first to its last character that is not blank: what chunks can cover."""
    text = document.text
    return Span(document.doc_id, len(text) - len(text.lstrip()), len(text.rstrip()))


def _occurrences(text: str, quote: str) -> Iterator[int]:
    start = text.find(quote)
    while start >= 0:
        yield start
        start = text.find(quote, start + 1)


def _surrounded(text: str, start: int, end: int, place: Mapping[str, Any]) -> bool:
    """Whether prefix and suffix stand right before and after, blanks not counted."""
    prefix, suffix = (normalise(place.get(name, "")).strip() for name in ("prefix", "suffix"))
    before = text[max(0, start - len(prefix) - 16) : start].rstrip() if prefix else ""
    after = text[end : end + len(suffix) + 16].lstrip() if suffix else ""
    return before.endswith(prefix) and after.startswith(suffix)


def _unknown_document(name: str, documents: Mapping[str, Document], field: str) -> Fault:
    if normalise(name) in documents:
        return Fault("G018", f"{field}.doc", f"{name!r} is not NFC-normalised.", fix=f"write {normalise(name)!r}.")
    near = get_close_matches(name, list(documents), 1, 0.5)
    closest = f" Closest: {near[0]!r}." if near else ""
    what = f"document {name!r} is not in the corpus.{closest}"
    return Fault("G013", f"{field}.doc", what, fix="give its path relative to corpus/.")


def _missing(document: Document, quote: str, field: str) -> Fault:
    """Says where the text is nearest and at which character it first differs."""
    what = f"quote {_short(quote)} not found in {document.doc_id!r}."
    text = document.text[:_SEARCHED]
    found = SequenceMatcher(None, text, quote, autojunk=False).find_longest_match()
    if found.size < min(6, len(quote)) and found.size < len(quote) / 3:
        return Fault("G015", field, f"{what} Nothing in the document is like it.", fix="copy the text from the document.")
    start = _start_of(text, quote, found.a - found.b)
    near, wanted = text[start : start + len(quote)], quote[max(0, found.b - found.a) :]
    at = next((place for place, (is_, asked) in enumerate(zip(near, wanted, strict=False)) if is_ != asked), len(near))
    has, asked = text[start + at : start + at + 1] or "the end", wanted[at : at + 1] or "nothing"
    what += f" Nearest: {_short(near)}. First difference at character {at}: the document has {has!r}, the quote {asked!r}."
    return Fault("G015", field, what, fix="copy the text from the document, or bring the document back.")


def _start_of(text: str, quote: str, guess: int) -> int:
    """Where a text like the quote begins, near a guess that blanks and hyphens may have shifted."""
    low = max(0, guess - _SHIFT)
    blocks = SequenceMatcher(None, text[low : guess + len(quote) + _SHIFT], quote, autojunk=False).get_matching_blocks()
    first = next((block for block in blocks if block.size >= 3), blocks[-1])
    return max(0, low + first.a - first.b) if first.size else max(0, guess)


def _ambiguous(document: Document, place: Mapping[str, Any], starts: list[int], fitting: list[int], field: str) -> Fault:
    shown = ", ".join(map(str, (fitting or starts)[:5]))
    if not fitting:
        what = f"stands in {document.doc_id!r} at {shown}, but not with this prefix and suffix."
        return Fault("G029", field, what, fix="copy what stands right before or after it.")
    if "start" in place:
        what = f"does not stand at {place['start']} in {document.doc_id!r} but at {shown}; the document changed since labelling."
        return Fault("G014", field, what, fix="give a prefix or suffix, or the right start.")
    what = f"{_short(place['quote'])} stands {len(fitting)} times in {document.doc_id!r} (at {shown})."
    return Fault("G029", field, what, "Only one of them is meant.", "add prefix, suffix or start, or quote more.")


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:80] + "...")
