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
from harness.text import words
from harness.types import Document

IDENTIFIER = re.compile(r"(?<![\w-])[A-Z]{1,5}-\d{1,6}(?:-[A-Z0-9]{1,3})?(?![\w-])")
"""Part numbers, models and error codes: FH-4410-B, AQ-210, E-17."""

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
    blocks: tuple[Block, ...]
    """Its outline; empty for code and plain tables."""
    grids: tuple[Grid, ...]
    """Its tables."""

    @property
    def of(self) -> str:
        """` of the AQ-210`, ` with GW-12 firmware 3.2`, or nothing."""
        if not self.name:
            return ""
        version = " " in self.name and self.name[-1].isdigit()
        return f" with {self.name}" if version else f" of the {self.name}"


@dataclass(frozen=True)
class Statement:
    """A table row or paragraph with the title above it."""

    doc_id: str
    """Where it stands."""
    words: frozenset[str]
    """Its words and those of the title."""
    stems: frozenset[str]
    """The same, stemmed."""


class Material:
    """The sources, those in English apart, and everything that any document states, hidden and outdated ones included.

    Rules word their questions in English, so they draw on `english`; a language model draws on `sources`.
    """

    def __init__(self, documents: Sequence[Document], as_of: str) -> None:
        self.documents = {document.doc_id: document for document in documents}
        self._names = Counter(name for document in documents for name in set(IDENTIFIER.findall(_head(document))))
        self._heads = Counter(_head(document) for document in documents)
        found = (self._source(document, as_of) for document in documents)
        self.sources = tuple(source for source in found if source is not None)
        self.english = tuple(source for source in self.sources if is_english(source.document.text))

    def _source(self, document: Document, as_of: str) -> Source | None:
        persona = document.tenant or (document.acl[0] if document.acl else "")
        outdated = bool(document.valid_to) and not as_of
        if outdated or not sees(document, persona, as_of):
            return None
        blocks = outline(document).blocks
        return Source(document, persona, self._cited(document), self._name(document), blocks, grids(document, blocks))

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
    def statements(self) -> tuple[Statement, ...]:
        """All rows and paragraphs of all documents."""
        pieces = [(document.doc_id, piece) for document in self.documents.values() for piece in _pieces(document)]
        stemmed = stems([piece for _, piece in pieces])
        return tuple(
            Statement(doc_id, frozenset(words(piece)), frozenset(found))
            for (doc_id, piece), found in zip(pieces, stemmed, strict=True)
        )

    @cached_property
    def all_words(self) -> frozenset[str]:
        """Every word of the corpus."""
        return frozenset(word for document in self.documents.values() for word in words(f"{document.title} {document.text}"))

    def known(self, identifier: str) -> bool:
        """Whether an identifier stands anywhere; one with a blank in it is looked up as text."""
        if " " in identifier:
            return any(identifier in document.text for document in self.documents.values())
        return identifier.lower() in self.all_words

    def stated(self, subject: str, attribute: str) -> bool:
        """Whether some row or paragraph, title included, names the subject and any telling word of the attribute.

        Strict on purpose: a word in common is enough to take it as stated.
        """
        named = frozenset(words(subject)) - STOP_WORDS
        asked = frozenset(stems([attribute])[0]) - frozenset(stems([subject])[0])
        if not named or not asked:
            return False
        held = (self._holders.get(word, frozenset()) for word in named)
        return any(asked & self.statements[place].stems for place in frozenset.intersection(*held))

    @cached_property
    def _holders(self) -> Mapping[str, frozenset[int]]:
        """By word, the places of the statements that hold it."""
        places: dict[str, set[int]] = defaultdict(set)
        for place, statement in enumerate(self.statements):
            for word in statement.words:
                places[word].add(place)
        return {word: frozenset(found) for word, found in places.items()}


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


def _head(document: Document) -> str:
    return document.title.split(":")[0].strip() or document.doc_id


def _pieces(document: Document) -> Iterator[str]:
    """Rows with the header of every cell that says something, and paragraphs; each with the document's title."""
    blocks = outline(document).blocks
    for grid in grids(document, blocks):
        for row in grid.rows:
            filled = [f"{name} {cell}" for name, cell in zip(grid.header, row.cells, strict=False) if not is_empty(cell)]
            yield " ".join([document.title, *filled]).replace("_", " ")
    if document.mime_type in MARKDOWN_TYPES:
        yield from (f"{document.title} {document.text[block.start : block.end]}" for block in blocks if block.kind != "table")
    else:
        parts = document.text.split("\n")[1:] if document.mime_type in SEPARATORS else re.split(r"\n\s*\n", document.text)
        yield from (f"{document.title} {part}" for part in parts)


def is_empty(cell: str) -> bool:
    """Whether a cell says nothing: blank, a dash, n/a."""
    return cell.strip().lower() in ("", "-", "--", "\u2013", "\u2014", "n/a", "tbd", "?")
