"""What drafts are made of: the documents somebody may see now, what they are called, and what they state."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from harness.chunking.outline import MARKDOWN_TYPES, Block, outline
from harness.golden.drafting.grid import SEPARATORS, Grid, grids
from harness.retrieval.filters import sees
from harness.terms import STOP_WORDS, stems
from harness.text import sentence_spans, words
from harness.types import Document, Span

IDENTIFIER = re.compile(r"(?<![\w-])[A-Z]{1,5}-\d{1,6}(?:-[A-Z0-9]{1,3})?(?![\w-])")
"""Part numbers, models and error codes: FH-4410-B, AQ-210, E-17."""
_CODE = re.compile(rf"{IDENTIFIER.pattern}|[a-z0-9]+(?:_[a-z0-9]+)+|[A-Z]+ /\S*")

_FEW = 40
_LEAST = 0.05
_DOCUMENT_WORDS = frozenset((
    "agreement", "annex", "catalogue", "contract", "documentation", "faq", "glossary", "guide", "handbook", "instructions",
    "list", "log", "manual", "notes", "policy", "program", "reference", "report", "rules", "terms",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """A document of which questions can be asked."""

    document: Document
    """The document."""
    persona: str
    """Who has to ask; empty is anybody."""
    cited: str
    """The document as words of a question: `the warranty policy`, `the page "Alarms"`."""
    name: str
    """The thing it describes, such as AQ-210; empty when its title names none."""
    grids: tuple[Grid, ...]
    """Its tables."""
    sentences: tuple[tuple[Span, str], ...]
    """The sentences of its paragraphs and list items, and each on one line without the mark of its item."""


class Material:
    """The sources, those in English apart, and what any document states, hidden and outdated ones included.

    Rules word their questions in English, so they draw on `english`; a language model draws on `sources`.
    """

    def __init__(self, documents: Sequence[Document], as_of: str) -> None:
        self.documents = {document.doc_id: document for document in documents}
        self.as_of = as_of
        self._names = Counter(name for document in documents for name in set(IDENTIFIER.findall(_head(document))))
        self._heads = Counter(_head(document) for document in documents)
        found = (self._source(document) for document in documents)
        self.sources = tuple(source for source in found if source is not None)
        self.english = tuple(source for source in self.sources if is_english(source.document.text))

    def _source(self, document: Document) -> Source | None:
        persona = document.tenant or (document.acl[0] if document.acl else "")
        outdated = bool(document.valid_to) and not self.as_of
        if outdated or not sees(document, persona, self.as_of):
            return None
        blocks, cited, name = outline(document).blocks, self._cited(document), self._name(document)
        return Source(document, persona, cited, name, grids(document, blocks), tuple(_sentences(document, blocks)))

    def _cited(self, document: Document) -> str:
        head, _, tail = (part.strip() for part in document.title.partition(":"))
        if not _DOCUMENT_WORDS & set(head.lower().split()):
            return f'the page "{document.title or document.doc_id}"'
        return f'the {lowered(head)} "{tail}"' if tail and self._heads[head] > 1 else f"the {lowered(head)}"

    def _name(self, document: Document) -> str:
        found = IDENTIFIER.findall(_head(document))
        if not found:
            return ""
        return str(found[0]) if self._names[found[0]] == 1 else _head(document)

    @cached_property
    def _statements(self) -> list[frozenset[str]]:
        """The stems of all rows and paragraphs of all documents."""
        return list(map(frozenset, stems([piece for document in self.documents.values() for piece in _pieces(document)])))

    @cached_property
    def _holders(self) -> Mapping[str, set[int]]:
        """By stem, the places of the statements that hold it."""
        places: dict[str, set[int]] = defaultdict(set)
        for place, statement in enumerate(self._statements):
            for stem in statement:
                places[stem].add(place)
        return dict(places)

    def known(self, identifier: str) -> bool:
        """Whether an identifier stands anywhere; one with a blank in it is looked up as text."""
        if " " in identifier:
            return any(identifier in document.text for document in self.documents.values())
        return stems([identifier])[0][0] in self._holders

    def stated(self, subject: str, attribute: str) -> bool:
        """Whether some row or paragraph, title included, names the subject and any telling word of the attribute.

        Strict on purpose: a word in common is enough to take it as stated.
        """
        named, asked = (frozenset(found) for found in stems([subject, attribute]))
        if not named or not asked - named:
            return False
        held = set.intersection(*(self._holders.get(stem, set()) for stem in named))
        return any(not (asked - named).isdisjoint(self._statements[place]) for place in held)


def is_english(text: str) -> bool:
    """Whether at least one word in twenty is an English stop word; texts of fewer than forty words are taken for English.

    English prose has 25 to 40 %, English parts lists 8 %, texts of other languages less than 3 %.
    """
    found = [word for word in words(text) if word.isalpha()]
    return len(found) < _FEW or sum(word in STOP_WORDS for word in found) >= _LEAST * len(found)


def lowered(text: str) -> str:
    """The text with a small first letter, unless its first word is an abbreviation or a name with digits."""
    first = text.split(" ", 1)[0]
    keeps = any(letter.isupper() or letter.isdigit() for letter in first[1:]) or (len(first) == 1 and first != "A")
    return text if keeps else text[:1].lower() + text[1:]


def according(source: Source, question: str) -> str:
    """The question with the name of its document in front."""
    return f"According to {source.cited}, {question[:1].lower()}{question[1:]}"


def is_code(text: str) -> bool:
    """Whether a label is an identifier rather than words: E-17, FH-4410-B, bad_span, GET /devices."""
    return bool(_CODE.fullmatch(text))


def is_empty(cell: str) -> bool:
    """Whether a cell says nothing: blank, a dash, n/a."""
    return cell.strip().lower() in ("", "-", "--", "\u2013", "\u2014", "n/a", "tbd", "?")


def _head(document: Document) -> str:
    return document.title.split(":")[0].strip() or document.doc_id


def _sentences(document: Document, blocks: Sequence[Block]) -> Iterator[tuple[Span, str]]:
    for block in blocks:
        if block.kind in ("prose", "list"):
            piece = document.text[block.start : block.end]
            for begin, end in sentence_spans(piece):
                span = Span(document.doc_id, block.start + begin, block.start + end)
                yield span, " ".join(piece[begin:end].removeprefix("- ").split())


def _pieces(document: Document) -> Iterator[str]:
    """Rows, also with the header of every cell that says something, and paragraphs; each with the document's title."""
    blocks = outline(document).blocks
    for grid in grids(document, blocks):
        for row in grid.rows:
            filled = [f"{name} {cell}" for name, cell in zip(grid.header, row.cells, strict=True) if not is_empty(cell)]
            yield " ".join([document.title, *filled]).replace("_", " ")
    if document.mime_type in MARKDOWN_TYPES:
        texts = [(block.kind, document.text[block.start : block.end]) for block in blocks]
        parts = [part for kind, text in texts for part in (text.split("\n") if kind == "table" else [text])]
    else:
        parts = document.text.split("\n") if document.mime_type in SEPARATORS else re.split(r"\n\s*\n", document.text)
    yield from (f"{document.title} {part}" for part in parts)
