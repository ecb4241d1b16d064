"""A golden set as a typed Hugging Face table."""

from typing import TYPE_CHECKING, Any

from harness.golden.golden_set import GoldenSet
from harness.types import Question, Span

if TYPE_CHECKING:
    from datasets import Dataset


def to_dataset(golden_set: GoldenSet) -> "Dataset":
    """One row per question; evidence is a list of groups of {doc_id, start, end}. Same content, same fingerprint."""
    from datasets import Dataset, Features, List, Value

    text, texts = Value("string"), List(Value("string"))
    span = {"doc_id": text, "start": Value("int32"), "end": Value("int32")}
    features = {
        **dict.fromkeys(("id", "question", "kind", "reference", "reason", "persona", "as_of", "split", "group"), text),
        **dict.fromkeys(("answers", "tags"), texts),
        **dict.fromkeys(("answerable", "conflict"), Value("bool")),
        "evidence": List(List(span)),
        "forbid": List(span),
        "history": List({"role": text, "content": text}),
    }
    return Dataset.from_list([_row(question) for question in golden_set.questions], features=Features(features))


def _row(question: Question) -> dict[str, Any]:
    return {
        "id": question.question_id,
        "question": question.text,
        "kind": question.kind,
        "reference": question.reference,
        "reason": question.reason,
        "persona": question.persona,
        "as_of": question.as_of,
        "split": question.split,
        "group": question.group,
        "answers": list(question.answers),
        "tags": list(question.tags),
        "answerable": question.answerable,
        "conflict": question.conflict,
        "evidence": [[_span(span) for span in evidence.alternatives] for evidence in question.evidence],
        "forbid": [_span(span) for span in question.forbid],
        "history": [{"role": turn.role, "content": turn.content} for turn in question.history],
    }


def _span(span: Span) -> dict[str, Any]:
    return {"doc_id": span.doc_id, "start": span.start, "end": span.end}
