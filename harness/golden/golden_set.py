"""A golden set: questions, the documents they are asked of, and the evidence as spans of those documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.corpus.files import corpus_digest
from harness.corpus.loader import load_corpus
from harness.errors import CorpusError, GoldenSetError, Problem
from harness.fingerprint import digest, fingerprint, plain
from harness.golden.card import Card, check_counts, read_card
from harness.golden.questions import read_question
from harness.golden.schema import repeated
from harness.jsonl import read_rows
from harness.types import Document, Question

QUESTIONS = "questions.jsonl"
CORPUS = "corpus"

_NO_CONTENT = frozenset({"unit", "places", "copy_of", "copies"})
"""Fields of a document that say where it stands in a file, and what it repeats."""
_WHERE_SAID = frozenset({"series", "deleted_at"})
"""Fields that count where they are set, so that digests from before they existed hold for documents without them."""


def document_digest(document: Document) -> str:
    """Twelve hex digits of SHA-256 over a document's text and what it says of itself, wherever its bytes came from."""
    told = plain(replace(document, source=""))
    kept = {name: value for name, value in told.items() if name not in _NO_CONTENT and (value or name not in _WHERE_SAID)}
    return fingerprint(kept)[:12]


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """Questions with their evidence resolved; retired questions are not among them."""

    name: str
    """Name on the card."""
    version: int
    """Version on the card."""
    questions: tuple[Question, ...]
    """In the order of the file."""
    documents: tuple[Document, ...]
    """Sorted by doc_id."""
    digest: str
    """SHA-256 of the bytes of questions.jsonl."""
    corpus_digest: str
    """SHA-256 over the files of corpus/."""
    as_of: str = ""
    """ISO date on which questions without one are asked."""
    coverage: float = 0.9
    """Share of a quote that must be retrieved for it to count as found."""
    purpose: str = ""
    """What it is for."""
    licence: str = ""
    """Terms of corpus and questions."""
    languages: tuple[str, ...] = ()
    """Languages of the questions."""
    question_digests: Mapping[str, str] = field(default_factory=dict)
    """question_id to twelve hex digits of SHA-256 over its fields as they were read."""

    @property
    def document_digests(self) -> dict[str, str]:
        """doc_id to twelve hex digits of SHA-256 over its text and what it says of itself."""
        return {item.doc_id: document_digest(item) for item in self.documents}

    @property
    def terms(self) -> str:
        """SHA-256 of what the card says that changes scores: name, version, as_of and coverage."""
        return fingerprint(self.name, self.version, self.as_of, self.coverage)

    def asked(self, split: str = "all") -> tuple[Question, ...]:
        """Questions of a split: tune, test or all."""
        return tuple(question for question in self.questions if split in ("all", question.split))

    def question(self, question_id: str) -> Question:
        """One question.

        Raises:
            GoldenSetError: when there is none of that id.
        """
        for question in self.questions:
            if question.question_id == question_id:
                return question
        raise GoldenSetError(f"golden set {self.name!r} has no question {question_id!r}; see its {QUESTIONS}")


def load(folder: Path) -> GoldenSet:
    """Reads a folder with golden_set.yaml, questions.jsonl and corpus/.

    Raises:
        GoldenSetError: with every problem of card, corpus, questions and evidence.
    """
    documents, problems = _documents(folder / CORPUS)
    digests = _digests(folder, bool(documents))
    card, faults = read_card(folder, digests)
    rows, broken = read_rows(folder / QUESTIONS)
    problems += [*faults, *broken, *repeated(rows)]
    questions = []
    for row in rows:
        question, faults = read_question(row, documents, card.as_of)
        problems += faults
        questions += [question] if question else []
    if rows and not broken and all(row.fields.get("retired") is True for row in rows):
        problems.append(Problem("G001", QUESTIONS, "all questions are retired.", "An empty set would pass every gate."))
    if not problems:
        problems = check_counts(card, questions, tuple(documents.values()))
    if problems:
        raise GoldenSetError(f"the golden set {str(folder)!r} has {len(problems)} problem(s):", problems)
    asked = {row.fields["id"]: fingerprint(row.fields)[:12] for row in rows if not row.fields.get("retired")}
    return _golden_set(card, questions, documents, digests, asked)


def _golden_set(
    card: Card,
    questions: Sequence[Question],
    documents: Mapping[str, Document],
    digests: Mapping[str, str],
    asked: Mapping[str, str],
) -> GoldenSet:
    return GoldenSet(
        name=card.name,
        version=card.version,
        questions=tuple(questions),
        documents=tuple(documents.values()),
        digest=digests["questions_sha256"],
        corpus_digest=digests["corpus_sha256"],
        as_of=card.as_of,
        coverage=card.coverage,
        purpose=card.purpose,
        licence=card.licence,
        languages=card.languages,
        question_digests=asked,
    )


def _documents(folder: Path) -> tuple[dict[str, Document], list[Problem]]:
    try:
        return {document.doc_id: document for document in load_corpus(folder)}, []
    except CorpusError as error:
        return {}, list(error.problems) or [Problem("C001", CORPUS, str(error))]


def _digests(folder: Path, readable: bool) -> dict[str, str]:
    path = folder / QUESTIONS
    found = {"questions_sha256": digest(path.read_bytes())} if path.is_file() else {}
    return found | ({"corpus_sha256": corpus_digest(folder / CORPUS)} if readable else {})
