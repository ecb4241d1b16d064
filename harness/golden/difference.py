"""What changed between two versions of a golden set: card, questions, evidence, documents.

Rows are compared as they are written, so a version that does not load can still be compared; its faults are told beside.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.corpus.files import corpus_digest
from harness.corpus.loader import load_corpus
from harness.errors import CorpusError, GoldenSetError, Problem
from harness.fingerprint import digest, fingerprint
from harness.golden.card import Card, read_card
from harness.golden.changed_text import text_change
from harness.golden.evidence import resolve
from harness.golden.golden_set import CORPUS, QUESTIONS, load
from harness.golden.pairing import paired_places, shown
from harness.jsonl import read_rows
from harness.types import Document, Span

_PLACES = ("evidence", "forbid")
_DEFAULTS = {"split": "test"}
_ABOUT = ("title", "mime_type", "version", "valid_from", "valid_to", "tenant", "acl", "author", "updated_at", "metadata")


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a set, as far as it can be read."""

    folder: Path
    """Where its files lie."""
    card: Card
    """What the card says; empty where it cannot be read."""
    digests: Mapping[str, str]
    """questions_sha256 and corpus_sha256, of the files, not of the card."""
    rows: Mapping[str, Mapping[str, Any]]
    """Fields of each question by id, retired ones included."""
    documents: Mapping[str, Document]
    """By doc_id; empty when the corpus does not load."""
    faults: tuple[Problem, ...]
    """Why it does not load; empty when it does."""

    @property
    def name(self) -> str:
        """Name of the set."""
        return self.card.name or self.folder.resolve().name

    @property
    def terms(self) -> str:
        """What the card says that changes scores, as `GoldenSet.terms`."""
        return fingerprint(self.name, self.card.version, self.card.as_of, self.card.coverage)


@dataclass(frozen=True, slots=True)
class Change:
    """One field of a question that says something else now."""

    field: str
    """Such as `question` or `evidence[0][1].quote`."""
    old: Any
    """Its value; None where there was none."""
    new: Any
    """Its value now; None where there is none."""


@dataclass(frozen=True, slots=True)
class Move:
    """Evidence whose quote is the same but stands elsewhere."""

    field: str
    """Such as `evidence[0][1]`."""
    old: str
    """Document and, where known, the first character."""
    new: str
    """The same now."""


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document that is in both versions."""

    characters: int
    """Characters taken away, put in or replaced."""
    ratio: float
    """Similarity of the texts, 0 to 1: twice what is common over what there is."""
    fields: tuple[str, ...]
    """What it says of itself that changed, such as valid_to."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything that changed."""

    added: tuple[str, ...]
    """Ids of new questions."""
    removed: tuple[str, ...]
    """Ids whose line is gone; a question that is no longer asked should stay, retired."""
    retired: tuple[str, ...]
    """Ids that are no longer asked."""
    edited: Mapping[str, tuple[Change, ...]]
    """By id, what each field said and says."""
    moved: Mapping[str, tuple[Move, ...]]
    """By id, evidence that stands elsewhere."""
    documents_added: tuple[str, ...]
    """New documents."""
    documents_removed: tuple[str, ...]
    """Documents that are gone."""
    documents_renamed: Mapping[str, str]
    """Old id to new id, the text the same."""
    documents_edited: Mapping[str, DocumentChange]
    """By id."""
    card: tuple[Change, ...]
    """What the card says that changes scores: as_of and coverage."""
    contents_changed: bool
    """Bytes of questions or corpus, or those words of the card, differ."""


def read_version(folder: Path) -> Version:
    """Reads what can be read of a folder; what cannot stands among the faults."""
    faults: tuple[Problem, ...] = ()
    try:
        load(folder)
    except GoldenSetError as error:
        faults = error.problems
    documents: Mapping[str, Document] = {}
    digests = {"questions_sha256": digest((folder / QUESTIONS).read_bytes())}
    try:
        digests["corpus_sha256"] = corpus_digest(folder / CORPUS)
        documents = {document.doc_id: document for document in load_corpus(folder / CORPUS)}
    except CorpusError as error:
        faults = faults or error.problems
    rows: dict[str, Mapping[str, Any]] = {}
    for row in read_rows(folder / QUESTIONS)[0]:
        if isinstance(row.fields.get("id"), str):
            rows.setdefault(row.fields["id"], row.fields)
    return Version(folder, read_card(folder, {})[0], digests, rows, documents, faults)


def compare(old: Version, new: Version) -> Difference:
    """What changed from the old version to the new one. Documents are compared only when both corpora load."""
    shared = [name for name in old.rows if name in new.rows]
    retired = [name for name in shared if _asked(old.rows[name]) and not _asked(new.rows[name])]
    places = {name: list(_places(old, new, name)) for name in shared}
    moved = {name: tuple(item for item in found if isinstance(item, Move)) for name, found in places.items()}
    edited = {
        name: (*(item for item in found if isinstance(item, Change)), *_fields(old.rows[name], new.rows[name]))
        for name, found in places.items()
    }
    renamed, both = _renamed(old.documents, new.documents), bool(old.documents) and bool(new.documents)
    card = tuple(_card(old.card, new.card))
    return Difference(
        added=tuple(name for name in new.rows if name not in old.rows),
        removed=tuple(name for name in old.rows if name not in new.rows),
        retired=tuple(retired),
        edited={name: changes for name, changes in edited.items() if changes},
        moved={name: moves for name, moves in moved.items() if moves},
        documents_added=_missing(new.documents, old.documents, renamed.values()) if both else (),
        documents_removed=_missing(old.documents, new.documents, renamed) if both else (),
        documents_renamed=renamed,
        documents_edited=dict(_documents(old.documents, new.documents)),
        card=card,
        contents_changed=bool(card) or old.digests != new.digests,
    )


def _asked(fields: Mapping[str, Any]) -> bool:
    return fields.get("retired") is not True


def _card(old: Card, new: Card) -> Iterator[Change]:
    for name in ("as_of", "coverage"):
        if getattr(old, name) != getattr(new, name):
            yield Change(name, getattr(old, name), getattr(new, name))


def _fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    """Fields other than places that differ, in the order in which they are written."""
    before, after = {**_DEFAULTS, **old}, {**_DEFAULTS, **new}
    for field in dict.fromkeys((*after, *before)):
        retiring = field == "retired" and after.get(field) is True
        if field not in _PLACES and not retiring and (before.get(field) or None) != (after.get(field) or None):
            yield Change(field, before.get(field), after.get(field))


def _places(old: Version, new: Version, name: str) -> Iterator[Change | Move]:
    """Evidence and forbidden places that differ: another quote is a change, the same quote elsewhere a move."""
    for field in _PLACES:
        for place, before, after in paired_places(old.rows[name].get(field), new.rows[name].get(field), field):
            found = _place(old, new, place, before, after)
            if found is not None:
                yield found


def _place(old: Version, new: Version, field: str, before: Any, after: Any) -> Change | Move | None:
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return Change(field, shown(before), shown(after)) if before != after else None
    if before.get("quote") != after.get("quote"):
        return Change(f"{field}.quote", shown(before), shown(after))
    doc, other = before.get("doc"), after.get("doc")
    if doc != other:
        there = doc in new.documents or not new.documents
        return Change(f"{field}.doc", doc, other) if there else Move(field, str(doc), str(other))
    start, end = _start(before, old.documents), _start(after, new.documents)
    if start is None or end is None:
        return Move(field, str(doc), str(other)) if before != after else None
    if start == end:
        return None
    if old.documents[str(doc)].text == new.documents[str(doc)].text:
        return Change(f"{field}.start", start, end)
    return Move(field, f"{doc} {start:,}", f"{other} {end:,}")


def _start(place: Mapping[str, Any], documents: Mapping[str, Document]) -> int | None:
    """Where a place begins; None when it cannot be found."""
    texts = all(isinstance(place.get(name, ""), str) for name in ("doc", "quote", "prefix", "suffix"))
    found = resolve(place, documents, "") if texts and "doc" in place and documents else None
    return found.start if isinstance(found, Span) else None


def _missing(names: Sequence[str] | Mapping[str, Document], others: Mapping[str, Document], renamed: Any) -> tuple[str, ...]:
    known = set(renamed)
    return tuple(sorted(name for name in names if name not in others and name not in known))


def _renamed(old: Mapping[str, Document], new: Mapping[str, Document]) -> dict[str, str]:
    """Documents whose text is now found under another id, where it is clear under which."""
    gone, come = _by_text(old, new), _by_text(new, old)
    pairs = [(names[0], come[text][0]) for text, names in gone.items() if len(names) == len(come.get(text, ())) == 1]
    return dict(sorted(pairs))


def _by_text(documents: Mapping[str, Document], others: Mapping[str, Document]) -> dict[str, list[str]]:
    """Ids by text, of those documents alone that the others lack."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, document in documents.items():
        if name not in others:
            found[document.text].append(name)
    return found


def _documents(old: Mapping[str, Document], new: Mapping[str, Document]) -> Iterator[tuple[str, DocumentChange]]:
    for name in sorted(old.keys() & new.keys()):
        before, after = old[name], new[name]
        fields = tuple(field for field in _ABOUT if getattr(before, field) != getattr(after, field))
        if fields or before.text != after.text:
            yield name, DocumentChange(*text_change(before.text, after.text), fields)
