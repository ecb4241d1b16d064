"""BEIR folders: corpus.jsonl, queries.jsonl, qrels as TSV; with our own qrels_spans.jsonl where evidence is quotes.

Source: Thakur et al., 2021, arXiv:2104.08663. What BEIR has no field for is kept under `metadata.golden` of a query, so that
a set that we wrote comes back whole.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import Problem
from harness.golden.formats.beir_files import HEAD, read_qrels, sound_rows, write_lines
from harness.golden.formats.foreign import Foreign, Options
from harness.golden.formats.shared import (
    card_note,
    document_row,
    parted,
    provenance,
    quote_at,
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
from harness.types import Span

SPANS = "qrels_spans.jsonl"
"""Evidence as character spans: query_id, doc_id, start, end, text."""

Groups = Sequence[Sequence[Mapping[str, Any]]]
"""Evidence as questions.jsonl has it."""

_DOCUMENT = {"_id": str, "text": str, "title?": str, "metadata?": dict}
_QUERY = {
    "_id": str,
    "text": str,
    "type?": str,
    "answerable?": bool,
    "answers?": [str],
    "history?": [{"role": str, "content?": str, "text?": str}],
    "metadata?": {"golden?": dict},
}
_SPAN = {"query_id": str, "doc_id": str, "start": int, "end": int, "text": str}


def read(folder: Path, options: Options = Options(), spans: bool = True) -> Foreign:
    """Questions and documents of a BEIR folder.

    With `spans`, evidence is the spans that qrels_spans.jsonl holds of a query; overlapping ones of a document are
    alternatives. Otherwise it is each relevant document as a whole: at one chunk per document the numbers are those of
    trec_eval. A query that does not say whether it is `answerable` is when it has evidence; `null` means that the right
    answer is to ask back. Queries of qrels/train.tsv and qrels/dev.tsv are for tuning. Queries without judgment that do
    not say whether they are answerable are left out.

    Raises:
        GoldenSetError: with every faulty line, judgment of an unknown query or document, judgment that contradicts
            another, and span that is not the quoted text.
    """
    problems: list[Problem] = []
    documents = {row.fields["_id"]: row.fields for row in sound_rows(folder / "corpus.jsonl", _DOCUMENT, problems)}
    queries = sound_rows(folder / "queries.jsonl", _QUERY, problems)
    qrels, splits = read_qrels(folder, problems)
    quoted = _quoted(folder / SPANS, documents, problems) if spans and (folder / SPANS).is_file() else {}
    evidence = _whole(qrels, documents, problems) | quoted
    problems += _unknown_queries({**qrels, **quoted}, {row.fields["_id"] for row in queries}) if not problems else []
    kept = [row.fields for row in queries if _is_judged(row.fields, evidence)]
    if not kept and not problems:
        problems.append(Problem("G001", "queries.jsonl", "no query has qrels.", "An empty set would pass every gate."))
    raise_all("BEIR folder", folder, problems)
    ids = safe_ids(fields["_id"] for fields in kept)
    rows = [
        _question(fields, ids[fields["_id"]], evidence.get(fields["_id"], ()), splits.get(fields["_id"], "test"), spans)
        for fields in kept
    ]
    sound, drafts = parted(rows)
    left = [f"{len(queries) - len(kept)} queries have no judgment and were left out"] if len(kept) < len(queries) else []
    return Foreign(sound, list(documents.values()), drafts, [*renamed_note(ids), *left], "imported from BEIR form")


def _is_judged(fields: Mapping[str, Any], evidence: Mapping[str, Any]) -> bool:
    return fields["_id"] in evidence or "answerable" in fields or "golden" in fields.get("metadata", {})


def _unknown_queries(judged: Mapping[str, Any], known: set[str]) -> list[Problem]:
    return [
        Problem("G013", f"qrels {query}", f"query {query!r} is not in queries.jsonl.", fix="add it, or drop its judgments.")
        for query in judged
        if query not in known
    ]


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


def _quoted(path: Path, documents: Mapping[str, Mapping[str, Any]], problems: list[Problem]) -> dict[str, Groups]:
    found: dict[str, set[Span]] = defaultdict(set)
    for row in sound_rows(path, _SPAN, problems):
        document = documents.get(row.fields["doc_id"])
        start, end = row.fields["start"], row.fields["end"]
        if document is None:
            problems.append(Problem("G013", row.where, f"document {row.fields['doc_id']!r} is not in corpus.jsonl."))
        elif not 0 <= start < end or document["text"][start:end] != row.fields["text"]:
            what = f"characters {start}-{end} of {row.fields['doc_id']!r} are not the quoted text."
            problems.append(Problem("G014", row.where, what, fix="label again."))
        else:
            found[row.fields["query_id"]].add(Span(row.fields["doc_id"], start, end))
    return {
        query: [
            [quote_at(span.doc_id, documents[span.doc_id]["text"], span.start, span.end) for span in group]
            for group in _grouped(sorted(spans))
        ]
        for query, spans in found.items()
    }


def _grouped(spans: Sequence[Span]) -> Iterator[list[Span]]:
    group: list[Span] = []
    for span in spans:
        if group and (span.doc_id != group[-1].doc_id or span.start >= max(other.end for other in group)):
            yield group
            group = []
        group.append(span)
    if group:
        yield group


def _question(fields: Mapping[str, Any], name: str, evidence: Groups, split: str, spans: bool) -> dict[str, Any]:
    if spans and (golden := fields.get("metadata", {}).get("golden")):
        return {"answerable": False, **golden, "id": name, "question": fields["text"]}
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
        "split": split,
        "evidence": evidence if stated else [],
        "answers": [answer for answer in fields.get("answers", ()) if answer.strip()],
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
    texts = {document.doc_id: document.text for document in golden.documents}
    queries = [{"_id": row["id"], "text": row["question"], "metadata": {"golden": in_order(without_blanks(row))}} for row in rows]
    spans = [(question, span) for question in golden.questions for group in question.evidence for span in group.alternatives]
    write_lines(folder / "corpus.jsonl", map(document_row, golden.documents))
    write_lines(folder / "queries.jsonl", queries)
    for split, name in (("tune", "dev"), ("test", "test")):
        pairs = dict.fromkeys((question.question_id, span.doc_id) for question, span in spans if question.split == split)
        lines = [HEAD, *(f"{query}\t{document}\t1" for query, document in pairs)]
        write_atomic(folder / "qrels" / f"{name}.tsv", "".join(f"{line}\n" for line in lines))
    write_lines(folder / SPANS, (_span(question.question_id, span, texts[span.doc_id]) for question, span in spans))
    return card_note(golden)


def _span(query: str, span: Span, text: str) -> dict[str, Any]:
    place = {"doc_id": span.doc_id, "start": span.start, "end": span.end}
    return {"query_id": query, **place, "text": text[span.start : span.end]}
