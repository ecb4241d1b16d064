"""Evidence in a document that is not searched because another says the same, character by character."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from harness.corpus.duplicates import exact_copies
from harness.types import Document, Evidence, Question


def found_in_copies(
    questions: Iterable[Question], documents: Sequence[Document], searched: Sequence[Document]
) -> tuple[Question, ...]:
    """The questions, with the same place of the searched exact copy as another alternative for evidence that is left out.

    Near copies are no stand-ins: evidence that was left out with one stays unreachable, and is reported so.

    Args:
        questions: with their evidence resolved in `documents`.
        documents: the whole corpus.
        searched: what the policy on duplicates left of it.
    """
    kept = {document.doc_id for document in searched}
    stand_ins = {name: copy for name, copy in exact_copies(documents).items() if name not in kept and copy in kept}
    if not stand_ins:
        return tuple(questions)
    return tuple(
        replace(question, evidence=tuple(_widened(item, stand_ins) for item in question.evidence)) for question in questions
    )


def _widened(evidence: Evidence, stand_ins: Mapping[str, str]) -> Evidence:
    spans = evidence.alternatives
    added = (replace(span, doc_id=stand_ins[span.doc_id]) for span in spans if span.doc_id in stand_ins)
    return Evidence(tuple(dict.fromkeys((*spans, *added))))
