"""Query expansion by the corpus's own glossary: `the MTBF` becomes `the MTBF (mean time between failures)`.

Nothing is looked up anywhere else, and no model is asked. What a document defines is used only for an asker who may see it.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass as record
from dataclasses import field, replace
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.querying.glossary_abbreviations import is_short
from harness.querying.glossary_book import Book, Entry, is_word
from harness.querying.glossary_definitions import definitions
from harness.querying.glossary_synonyms import synonyms
from harness.types import Chunk, Document, Query, Question


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Glossary:
    """Puts what an abbreviation stands for beside it, the abbreviation beside its long form of several words, and the user's own
    synonyms.
    """

    most: Annotated[int, Field(ge=1, le=50)] = 4
    """Expansions of a query at most, from its start on."""
    file: str = ""
    """The user's own synonyms, a YAML or CSV file, relative to where the command is started; empty is none."""

    def __post_init__(self) -> None:
        synonyms(self.file)

    def learn(self, documents: Sequence[Document], chunks: Sequence[Chunk]) -> "LearnedGlossary":
        """The step with the definitions of these documents, each with the documents that hold it."""
        said: dict[tuple[str, str], set[str]] = defaultdict(set)
        for document in documents:
            for pair in definitions(document):
                said[pair].add(document.doc_id)
        entries = [Entry(*pair, None) for pair in synonyms(self.file)]
        for (term, meaning), doc_ids in said.items():
            entries.append(Entry(term, meaning, frozenset(doc_ids)))
            if is_short(term) and not is_word(meaning):
                entries.append(Entry(meaning, term, frozenset(doc_ids)))
        return LearnedGlossary(self, Book(entries, documents))

    def transform(self, question: Question, queries: Sequence[Query]) -> Sequence[Query]:
        """The queries with the user's own synonyms alone: nothing was learned yet."""
        return self.learn((), ()).transform(question, queries)


@record(frozen=True)
class LearnedGlossary:
    """A glossary that knows a corpus."""

    recipe: Glossary
    """The settings."""
    book: Book = field(repr=False)
    """What was learned."""

    def learn(self, documents: Sequence[Document], chunks: Sequence[Chunk]) -> "LearnedGlossary":
        """The same step over another corpus; nothing of this one is kept."""
        return self.recipe.learn(documents, chunks)

    def transform(self, question: Question, queries: Sequence[Query]) -> Sequence[Query]:
        """The queries, expanded by what their asker may see; their own words stay as they are."""
        return [self._expanded(query) for query in queries]

    def _expanded(self, query: Query) -> Query:
        text, shift, notes = query.text, 0, []
        for end, entries in self.book.found(query, self.recipe.most):
            added = f" ({', '.join(entry.other for entry in entries)})"
            text = text[: end + shift] + added + text[end + shift :]
            shift += len(added)
            notes += [_note(entry, query.allowed) for entry in entries]
        return replace(query, text=text, notes=(*query.notes, *notes))


def _note(entry: Entry, allowed: frozenset[str] | None) -> str:
    source = "the file of synonyms" if entry.doc_ids is None else min(entry.sources(allowed))
    return f"glossary: {entry.term} = {entry.other}, from {source}"
