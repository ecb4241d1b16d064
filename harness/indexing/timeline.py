"""A dated history of a corpus: what was added, changed, withdrawn and restored before it became what it is now.

A line of timeline.jsonl is `{"date": "2026-04-14", "action": "change", "doc": "prices.md", "was": {"84 EUR": "79 EUR"}}`: the words of
the document after that day, and what stood there before. A document without `add` has been there from the beginning. All events
together lead to the corpus as it stands, so every day before can be had by going back.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256

from harness.types import Document, Span

ACTIONS = ("add", "change", "withdraw", "restore")
"""What can happen to a document."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a document."""

    date: str
    """ISO date; what happened holds from that day on."""
    action: str
    """add, change, withdraw, restore."""
    doc_id: str
    """The document."""
    was: Mapping[str, str] = field(default_factory=dict)
    """Of a change: words as they stand after it to the words in their place before."""
    where: str = ""
    """File and line."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Characters of a document that were others before."""

    start: int
    """First character."""
    end: int
    """The one after the last."""
    before: str
    """What stood there."""


@dataclass(frozen=True)
class Standing:
    """A document as it stood on a day."""

    document: Document
    """With the text of that day."""
    edits: tuple[tuple[Edit, ...], ...] = ()
    """What was undone, the latest change first; each holds offsets of the text that it was undone in."""

    def span(self, final: Span) -> Span:
        """A place of the final document on that day; one that touches changed words holds all that stood there before."""
        start, end = final.start, final.end
        for edits in self.edits:
            start, end = _moved(start, edits), _moved(end, edits, ends=True)
        return replace(final, start=start, end=end)

    def words(self, final: Span) -> str:
        """What stood there on that day."""
        span = self.span(final)
        return self.document.text[span.start : span.end]


@dataclass(frozen=True)
class Timeline:
    """The events of a corpus, oldest first."""

    events: tuple[Event, ...]
    """In the order of the file, which is that of their dates."""

    @cached_property
    def by_document(self) -> dict[str, tuple[Event, ...]]:
        """doc_id to its events, oldest first."""
        found: dict[str, list[Event]] = defaultdict(list)
        for event in self.events:
            found[event.doc_id].append(event)
        return {doc_id: tuple(events) for doc_id, events in found.items()}

    @property
    def days(self) -> tuple[str, ...]:
        """Days on which something happened, ascending."""
        return tuple(sorted({event.date for event in self.events}))


def replay(timeline: Timeline, documents: Iterable[Document], day: str) -> tuple[Document, ...]:
    """The documents as they stood at the end of an ISO date, in their order."""
    return tuple(standing.document for standing in standings(timeline, documents, day).values())


def standings(timeline: Timeline, documents: Iterable[Document], day: str) -> dict[str, Standing]:
    """By doc_id the documents that were there at the end of an ISO date, as they stood then."""
    found = ((document.doc_id, _standing(document, timeline, day)) for document in documents)
    return {doc_id: standing for doc_id, standing in found if standing}


def _standing(document: Document, timeline: Timeline, day: str) -> Standing | None:
    events = timeline.by_document.get(document.doc_id, ())
    later = [event for event in events if event.date > day]
    there = later[0].action in ("change", "withdraw") if later else not events or events[-1].action != "withdraw"
    if not there:
        return None
    standing = Standing(document)
    for event in reversed(later):
        standing = undone(standing, event) if event.was else standing
    return standing


def undone(standing: Standing, event: Event) -> Standing:
    """A document as it stood before a change, given as it stood after it."""
    document = standing.document
    edits = edits_of(document.text, event)
    text, at = [], 0
    for edit in edits:
        text += [document.text[at : edit.start], edit.before]
        at = edit.end
    before = "".join([*text, document.text[at:]])
    digest = sha256(before.encode()).hexdigest()
    places = tuple((_moved(offset, edits), number) for offset, number in document.places)
    document = replace(document, text=before, content_hash=digest, places=places)
    return Standing(document, (*standing.edits, edits))


def edits_of(text: str, event: Event) -> tuple[Edit, ...]:
    """Where the words of a change stand in the text after it, ascending."""
    found = ((text.index(now), now, before) for now, before in event.was.items())
    return tuple(Edit(start, start + len(now), before) for start, now, before in sorted(found))


def _moved(offset: int, edits: Sequence[Edit], ends: bool = False) -> int:
    """An offset in the text before the edits; one inside changed words goes to their begin, or, where it `ends`, to their end."""
    shift = 0
    for edit in edits:
        if offset >= edit.end:
            shift += len(edit.before) - (edit.end - edit.start)
        elif offset > edit.start:
            return edit.start + shift + (len(edit.before) if ends else 0)
    return offset + shift
