"""RAGChecker JSON: {"results": [{query_id, query, gt_answer, response, retrieved_context}]}.

It holds no evidence: questions become drafts, and the documents are the retrieved contexts unless a corpus is given.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.golden.formats.foreign import Foreign, Options
from harness.golden.formats.shared import (
    DOCUMENTS_LOST,
    counted,
    lost,
    parted,
    provenance,
    raise_all,
    read_json,
    renamed_note,
    repeated_ids,
    safe_ids,
    with_text_ids,
)
from harness.golden.golden_set import GoldenSet
from harness.shapes import mismatches
from harness.store import write_json

_CONTEXT = {"doc_id": str, "text": str}
_RESULT = {"query_id": str, "query": str, "gt_answer": str, "retrieved_context?": [_CONTEXT]}


def read(path: Path, options: Options = Options()) -> Foreign:
    """Drafts of a RAGChecker file: question and reference answer, the evidence to be added by a person.

    Raises:
        GoldenSetError: with every field of a wrong type.
    """
    value = with_text_ids(read_json(path), ("query_id", "doc_id"))
    wrong = [fault.at(path.name) for fault in mismatches(value, {"results": [_RESULT]}) if fault.code != "G004"]
    raise_all("RAGChecker file", path, wrong)
    results = value["results"]
    raise_all("RAGChecker file", path, repeated_ids(path.name, (item["query_id"] for item in results)))
    ids = safe_ids(item["query_id"] for item in results)
    rows = [_draft(ids[item["query_id"]], item) for item in results]
    documents = [] if options.documents else list(_documents(results))
    notes = [*renamed_note(ids), f"the format holds no evidence: {counted(len(rows), 'draft needs', 'drafts need')} quotes"]
    questions, drafts = parted(rows)
    return Foreign(questions, documents, drafts, notes, "imported from RAGChecker form")


def _documents(results: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each passage once; further passages of one document get a number."""
    places = [place for item in results for place in item.get("retrieved_context", []) if place["text"].strip()]
    passages: dict[str, list[str]] = {}
    for name, text in dict.fromkeys((place["doc_id"], place["text"]) for place in places):
        passages.setdefault(name, []).append(text)
        yield {"_id": name if len(passages[name]) == 1 else f"{name}#{len(passages[name])}", "text": text}


def _draft(name: str, item: Mapping[str, Any]) -> dict[str, Any]:
    base = {"id": name, "question": item["query"], "kind": "factoid", "answerable": True}
    return {**base, "reference": item["gt_answer"], "provenance": provenance("RAGChecker form", item["query_id"], name)}


def write(rows: Sequence[Mapping[str, Any]], golden: GoldenSet, path: Path) -> list[str]:
    """Writes questions with their reference answers, no response and no retrieved context yet."""
    results = [
        {
            "query_id": question.question_id,
            "query": question.text,
            "gt_answer": question.reference or next(iter(question.answers), ""),
            "response": "",
            "retrieved_context": [],
        }
        for question in golden.questions
    ]
    write_json(path, {"results": results})
    answered = sum(not question.reference and bool(question.answers) for question in golden.questions)
    notes = ["evidence: the format has no field for truth in documents", DOCUMENTS_LOST]
    notes += [f"that the reference of {counted(answered, 'question')} is the first accepted answer"] if answered else []
    return [*notes, *lost(rows, golden, ("id", "question", "reference", "evidence"))]
