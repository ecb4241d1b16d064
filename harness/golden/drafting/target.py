"""The golden set that drafts are for, as far as it exists: its documents, its questions, retired ones too, and its drafts."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.corpus.loader import load_corpus
from harness.golden.card import NAME, read_card
from harness.golden.drafts import read_lines
from harness.golden.golden_set import CORPUS, QUESTIONS
from harness.types import Document


@dataclass(frozen=True, slots=True)
class Target:
    """What drafts have to fit to."""

    name: str
    """Name of the folder."""
    documents: Mapping[str, Document]
    """By doc_id."""
    as_of: str
    """ISO date of questions without one; empty when the card names none."""
    questions: tuple[Mapping[str, Any], ...]
    """Lines of questions.jsonl, retired ones included."""
    drafts: tuple[Mapping[str, Any], ...]
    """Lines of the review file."""

    @property
    def earlier(self) -> tuple[Mapping[str, Any], ...]:
        """Questions and drafts."""
        return (*self.questions, *self.drafts)


def read_target(folder: Path, review: Path) -> Target:
    """The set in a folder with a corpus/; questions, card and review file may be missing yet.

    Raises:
        CorpusError: when a document cannot be read.
        GoldenSetError: when a line of the questions or of the review file cannot be read.
    """
    documents = {document.doc_id: document for document in load_corpus(folder / CORPUS)}
    as_of = read_card(folder, {})[0].as_of if (folder / NAME).is_file() else ""
    return Target(folder.resolve().name, documents, as_of, read_lines(folder / QUESTIONS), read_lines(review))
