"""BEIR folders: corpus.jsonl, queries.jsonl, qrels as TSV; with our own qrels_spans.jsonl where evidence is quotes.

Source: Thakur et al., 2021, arXiv:2104.08663. What BEIR has no field for is kept under `metadata.golden` of a query, so that
a set that we wrote comes back whole. Each thing stands in one place only: text and id in the query, evidence and split in
the judgments. So a folder that was corrected by hand is read as corrected.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.corpus.rows import SHAPE
from harness.errors import Problem
from harness.golden.formats.beir_files import HEAD, contradiction, read_qrels, sound_rows, write_lines
from harness.golden.formats.beir_spans import SPANS, Groups, read_spans, span_rows
from harness.golden.formats.foreign import Foreign, Options
from harness.golden.formats.shared import (
    CARD_LEFT,
    card_note,
    counted,
    dated,
    document_row,
    judgment_notes,
    parted,
    provenance,
    raise_all,
    renamed_note,
    safe_ids,
    without_blanks,
)
from harness.golden.golden_set import GoldenSet
from harness.golden.schema import KINDS
from harness.golden.writing import in_order
from harness.store import write_atomic
from harness.text import normalise

_QUERY = {
    "_id": str,
    "text": str,
    "type?": str,
    "answerable?": bool,
    "answers?": [str],
    "history?": [{"role": str, "content?": str, "text?": str}],
    "metadata?": {"golden?": dict},
}
_IN_QUERY = ("id", "question")
_IN_JUDGMENTS = ("evidence", "split")


def read(folder: Path, options: Options = Options(), spans: bool = True) -> Foreign:
    """Questions and documents of a BEIR folder.

    With `spans`, evidence is the spans that qrels_spans.jsonl holds of a query. Otherwise it is each relevant document as a
    whole: at one chunk per document the numbers are those of trec_eval. A query that does not say whether it is `answerable`
    is when it has evidence; `null` means that the right answer is to ask back. Queries of qrels/train.tsv and qrels/dev.tsv are for tuning. Queries without judgment that do
    not say whether they are answerable are left out.

    Raises:
        GoldenSetError: with every faulty line, judgment of an unknown query or document, judgment that contradicts
            another, and span that is not the quoted text.
    """
    problems: list[Problem] = []
    documents = {row.fields["_id"]: row.fields for row in sound_rows(folder / "corpus.jsonl", SHAPE, problems)}
    queries = sound_rows(folder / "queries.jsonl", _QUERY, problems)
    qrels, splits = read_qrels(folder, problems)
    quoted = read_spans(folder / SPANS, documents, problems) if spans and (folder / SPANS).is_file() else {}
    evidence = _whole(qrels, documents, problems) | quoted
    if not problems:
        problems += _unknown_queries({**qrels, **quoted}, {row.fields["_id"] for row in queries})
        problems += (fault for row in queries for fault in _said_twice(row.fields, qrels, splits, quoted) if spans)
    kept = [row.fields for row in queries if _is_judged(row.fields, evidence)]
    if not kept and not problems:
        problems.append(Problem("G001", "queries.jsonl", "no query has qrels.", "An empty set would pass every gate."))
    raise_all("BEIR folder", folder, problems)
    ids = safe_ids(fields["_id"] for fields in kept)
    rows = [
        _question(fields, ids[fields["_id"]], evidence.get(fields["_id"], []), splits.get(fields["_id"], ""), spans)
        for fields in kept
    ]
    sound, drafts = parted(rows)
    silent = {fields["_id"] for fields in kept if not evidence.get(fields["_id"]) and not (spans and _states(fields))}
    notes = [*renamed_note(ids), *_left_out(len(queries) - len(kept), kept, rows), *judgment_notes(qrels, len(silent))]
    return Foreign(sound, list(documents.values()), drafts, notes, "imported from BEIR form")


def _left_out(unjudged: int, kept: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if unjudged:
        yield f"{counted(unjudged, 'query has no judgment and was', 'queries have no judgment and were')} left out"
    refused = sum(bool(fields.get("answers")) and not row["answerable"] for fields, row in zip(kept, rows, strict=True))
    if refused:
        yield f"the answers of {counted(refused, 'query that has', 'queries that have')} to be refused were left out"


def _is_judged(fields: Mapping[str, Any], evidence: Mapping[str, Any]) -> bool:
    return fields["_id"] in evidence or _states(fields)


def _states(fields: Mapping[str, Any]) -> bool:
    """Whether a query says itself if it can be answered."""
    return "answerable" in fields or "golden" in fields.get("metadata", {})


def _unknown_queries(judged: Mapping[str, Any], known: set[str]) -> list[Problem]:
    return [
        Problem("G013", f"qrels {query}", f"query {query!r} is not in queries.jsonl.", fix="add it, or drop its judgments.")
        for query in judged
        if query not in known
    ]


def _said_twice(
    fields: Mapping[str, Any], qrels: Mapping[str, Mapping[str, int]], splits: Mapping[str, str], quoted: Mapping[str, Groups]
) -> Iterator[Problem]:
    """Where a folder that we wrote was changed in one place and says something else in another."""
    name, golden = fields["_id"], fields.get("metadata", {}).get("golden")
    if not golden:
        return
    where = f"queries.jsonl {name}"
    if "evidence" in golden and name in qrels:
        yield contradiction(where, "evidence stands in metadata.golden and in the judgments.")
    if name in splits and golden.get("split", splits[name]) != splits[name]:
        yield contradiction(where, f"split is {golden['split']!r} in metadata.golden and {splits[name]!r} by its qrels.")
    judged = {normalise(document) for document, grade in qrels.get(name, {}).items() if grade > 0}
    spans = {place["doc"] for group in quoted.get(name, ()) for place in group}
    if name in quoted and judged != spans:
        shown = ", ".join(map(repr, sorted(judged ^ spans)))
        yield contradiction(f"qrels {name}", f"qrels and {SPANS} differ in {shown}.")


def _whole(
    qrels: Mapping[str, Mapping[str, int]], documents: Mapping[str, Mapping[str, Any]], problems: list[Problem]
) -> dict[str, Groups]:
    evidence: dict[str, Groups] = {}
    for query, judged in qrels.items():
        relevant = [document for document, score in judged.items() if score > 0]
        unknown = [document for document in relevant if document not in documents]
        problems += [Problem("G013", f"qrels {query}", f"document {document!r} is not in corpus.jsonl.") for document in unknown]
        evidence[query] = [[{"doc": normalise(name)}] for name in relevant if name in documents]
    return evidence


def _question(fields: Mapping[str, Any], name: str, evidence: Groups, split: str, spans: bool) -> dict[str, Any]:
    if spans and (golden := fields.get("metadata", {}).get("golden")):
        judged = without_blanks({"evidence": evidence, "split": split})
        return {"answerable": False, **golden, **judged, "id": name, "question": fields["text"]}
    stated = fields.get("answerable", bool(evidence)) if spans else bool(evidence)
    history = [
        {"role": turn["role"], "content": turn.get("content") or turn.get("text", "")} for turn in fields.get("history", ())
    ]
    said = fields.get("type", "")
    kind = said if said in KINDS else "multi_turn" if history else "factoid"
    return {
        "id": name,
        "question": fields["text"],
        "kind": kind if stated else "unanswerable",
        "answerable": bool(stated),
        "split": split or "test",
        "evidence": evidence if stated else [],
        "answers": [answer for answer in fields.get("answers", ()) if stated and answer.strip()],
        "refusal_reason": "" if stated else "underspecified" if stated is None else "not_in_document",
        "history": history,
        "group": _group(fields, evidence),
        "provenance": provenance("BEIR form", fields["_id"], name),
        "tags": [said] if said and said not in (*KINDS, "answerable") else [],
    }


def _group(fields: Mapping[str, Any], evidence: Groups) -> str:
    metadata = fields.get("metadata", {})
    return str(
        metadata.get("article") or metadata.get("written_for_doc") or (evidence[0][0]["doc"] if evidence else fields["_id"])
    )


def write(rows: Sequence[Mapping[str, Any]], golden: GoldenSet, folder: Path) -> list[str]:
    """Writes corpus.jsonl, queries.jsonl, qrels/dev.tsv (tune), qrels/test.tsv and qrels_spans.jsonl; only the card is lost."""
    rows = dated(rows, golden)
    texts = {document.doc_id: document.text for document in golden.documents}
    judged = {question.question_id: question for question in golden.questions if question.evidence}
    spans = [span for row in rows if row["id"] in judged for span in span_rows(row, judged[row["id"]], texts)]
    write_lines(folder / "corpus.jsonl", map(document_row, golden.documents))
    write_lines(folder / "queries.jsonl", (_query(row, row["id"] in judged) for row in rows))
    for split, name in (("tune", "dev"), ("test", "test")):
        pairs = dict.fromkeys((span["query_id"], span["doc_id"]) for span in spans if judged[span["query_id"]].split == split)
        lines = [HEAD, *(f"{query}\t{document}\t1" for query, document in pairs)]
        write_atomic(folder / "qrels" / f"{name}.tsv", "".join(f"{line}\n" for line in lines))
    if spans:
        write_lines(folder / SPANS, spans)
    return card_note(golden, CARD_LEFT)


def _query(row: Mapping[str, Any], judged: bool) -> dict[str, Any]:
    """What the judgments say of a query is not said again."""
    left = (*_IN_QUERY, *(_IN_JUDGMENTS if judged else ()))
    golden = {name: value for name, value in without_blanks(row).items() if name not in left}
    return {"_id": row["id"], "text": row["question"], "metadata": {"golden": in_order(golden)}}
