"""AutoRAG folders: qa.parquet (qid, query, retrieval_gt, generation_gt) and corpus.parquet (doc_id, contents, metadata).

`retrieval_gt` is a list of groups that are all needed, each a list of document ids of which any will do: our evidence
without its quotes.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.corpus.metadata import TEXTS
from harness.errors import GoldenSetError, Problem
from harness.golden.formats.foreign import Foreign, Options
from harness.golden.formats.shared import (
    counted,
    document_row,
    dropped_note,
    lost,
    needed,
    parted,
    provenance,
    raise_all,
    renamed_note,
    repeated_ids,
    safe_ids,
    writing,
)
from harness.golden.golden_set import GoldenSet
from harness.text import normalise
from harness.types import Question

QA, CORPUS = "qa.parquet", "corpus.parquet"
_DATE = "last_modified_datetime"


def read(folder: Path, options: Options = Options()) -> Foreign:
    """Questions and documents of an AutoRAG folder.

    Raises:
        GoldenSetError: when a file or column is missing, and with every judgment of an unknown document.
    """
    asked = _table(folder / QA, ("qid", "query", "retrieval_gt", "generation_gt"))
    rows = _table(folder / CORPUS, ("doc_id", "contents"))
    documents = [_document(row) for row in rows]
    known = {row["_id"] for row in documents}
    groups = {str(row["qid"]): _groups(row["retrieval_gt"]) for row in asked}
    problems = [
        Problem("G013", f"{QA} {query}", f"document {name!r} is not in {CORPUS}.", fix="name a document of the corpus.")
        for query, found in groups.items()
        for name in (name for group in found for name in group)
        if name not in known
    ]
    problems += repeated_ids(QA, (str(row["qid"]) for row in asked))
    raise_all("AutoRAG folder", folder, problems)
    ids = safe_ids(groups)
    questions, drafts = parted(_question(row, ids[str(row["qid"])], groups[str(row["qid"])]) for row in asked)
    left = [*(_left(row, groups[str(row["qid"])]) for row in asked), *map(_left_of_document, rows)]
    return Foreign(questions, documents, drafts, [*renamed_note(ids), *dropped_note(left)], "imported from AutoRAG form")


def _left(row: Mapping[str, Any], groups: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Fields that are not taken over; answers are not where there is nothing to find."""
    taken = {"qid": None, "query": None, "retrieval_gt": None, "generation_gt": [] if groups else _answers(row)}
    return {**row, **taken}


def _left_of_document(row: Mapping[str, Any]) -> dict[str, Any]:
    said = row.get("metadata")
    fields = {**row, "doc_id": None, "contents": None}
    return fields if said and not isinstance(said, dict) else {**fields, "metadata": None, _DATE: (said or {}).get(_DATE)}


def _table(path: Path, columns: Sequence[str]) -> list[dict[str, Any]]:
    from pyarrow import ArrowException, parquet

    try:
        rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
        names = parquet.read_schema(path).names
    except (OSError, ValueError, ArrowException) as error:
        raise GoldenSetError(f"cannot read {str(path)!r} as parquet: {error}") from error
    if missing := [name for name in columns if name not in names]:
        raise GoldenSetError(f"{str(path)!r} has no column {', '.join(missing)}; it has {', '.join(names)}")
    return rows


def _groups(value: Any) -> list[list[str]]:
    """Two lists deep, whatever depth was written; empty texts mean that there is nothing to find."""
    outer = value if isinstance(value, list) else [value]
    groups = [item if isinstance(item, list) else [item] for item in outer]
    return needed([normalise(str(name)) for name in group if name] for group in groups)


def _document(row: Mapping[str, Any]) -> dict[str, Any]:
    said = row.get("metadata")
    fields = said.items() if isinstance(said, dict) else ()
    metadata = {name: value for name, value in fields if value not in (None, "", []) and name != _DATE}
    title = str(metadata.pop("title", ""))
    return {"_id": normalise(str(row["doc_id"])), "title": title, "text": row["contents"], "metadata": metadata}


def _question(row: Mapping[str, Any], name: str, groups: Sequence[Sequence[str]]) -> dict[str, Any]:
    base = {"id": name, "question": row["query"], "provenance": provenance("AutoRAG form", str(row["qid"]), name)}
    if not groups:
        return {**base, "kind": "unanswerable", "answerable": False, "refusal_reason": "not_in_document", "group": name}
    evidence = [[{"doc": document} for document in group] for group in groups]
    answers = _answers(row)
    return {**base, "kind": "factoid", "answerable": True, "evidence": evidence, "answers": answers, "group": groups[0][0]}


def _answers(row: Mapping[str, Any]) -> list[str]:
    said = row["generation_gt"] if isinstance(row["generation_gt"], list) else [row["generation_gt"]]
    return [str(text) for text in said if text is not None and str(text).strip()]


def write(rows: Sequence[Mapping[str, Any]], golden: GoldenSet, folder: Path) -> list[str]:
    """Writes qa.parquet and corpus.parquet; a question to be refused has an empty `retrieval_gt`.

    Raises:
        StoreError: when the disk is full or the folder cannot be written.
    """
    import pyarrow
    from pyarrow import parquet

    text, texts = pyarrow.string(), pyarrow.list_(pyarrow.string())
    asked = {"qid": text, "query": text, "retrieval_gt": pyarrow.list_(texts), "generation_gt": texts}
    said = pyarrow.struct({_DATE: pyarrow.timestamp("s"), **dict.fromkeys((*TEXTS, "mime_type"), text), "acl": texts})
    corpus = {"doc_id": text, "contents": text, "metadata": said}
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        questions = pyarrow.Table.from_pylist([_asked(question) for question in golden.questions], pyarrow.schema(asked))
        documents = pyarrow.Table.from_pylist([_row(row) for row in map(document_row, golden.documents)], pyarrow.schema(corpus))
        parquet.write_table(questions, folder / QA)
        parquet.write_table(documents, folder / CORPUS)
    return [*_notes(golden), *lost(rows, golden, ("id", "question", "answerable", "evidence", "answers"))]


def _asked(question: Question) -> dict[str, Any]:
    return {
        "qid": question.question_id,
        "query": question.text,
        "retrieval_gt": needed((span.doc_id for span in group.alternatives) for group in question.evidence),
        "generation_gt": list(question.answers) or [question.reference],
    }


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"doc_id": row["_id"], "contents": row["text"], "metadata": {**row["metadata"], "title": row["title"]}}


def _notes(golden: GoldenSet) -> list[str]:
    """What is lost beside fields of questions."""
    referred = sum(bool(question.reference) and not question.answers for question in golden.questions)
    free = sum(bool(document.metadata) for document in golden.documents)
    notes = ["quotes: evidence is whole documents"]
    notes += [f"that the answer of {counted(referred, 'question')} is a reference"] if referred else []
    return [*notes, *([f"free metadata of {counted(free, 'document')}"] if free else [])]
