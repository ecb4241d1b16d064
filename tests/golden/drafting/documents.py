"""Documents to draft from, and what is drafted from them."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from harness.golden.drafting.candidates import Candidate
from harness.golden.drafting.material import Material
from harness.types import Document

TODAY = "2026-06-30"
TYPES = {"md": "text/markdown", "csv": "text/csv", "py": "text/x-python", "tsv": "text/tab-separated-values"}


def document(doc_id: str, text: str, title: str = "", **fields: Any) -> Document:
    """A document of the type of its suffix."""
    mime_type = TYPES[doc_id.rpartition(".")[2]]
    return Document(doc_id, text, title or doc_id, mime_type, content_hash=sha256(text.encode()).hexdigest(), **fields)


def material(*documents: Document) -> Material:
    """What can be drafted from on TODAY."""
    return Material(documents, TODAY)


def asked(rule: Callable[[Material], Iterator[Candidate]], *documents: Document) -> dict[str, Candidate]:
    """The candidates of a rule by question."""
    return {candidate.question: candidate for candidate in rule(material(*documents))}


def quotes(candidate: Candidate, *documents: Document) -> list[list[str]]:
    """The texts of its evidence, group by group."""
    texts: Mapping[str, str] = {item.doc_id: item.text for item in documents}
    return [[texts[span.doc_id][span.start : span.end] for span in group] for group in candidate.evidence]
