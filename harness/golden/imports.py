"""Foreign sets as golden sets: BEIR folders (corpus.jsonl, queries.jsonl, qrels as TSV)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from harness.errors import GoldenSetError, Problem
from harness.fingerprint import digest, fingerprint
from harness.golden.golden_set import GoldenSet
from harness.golden.jsonl import Row, read_rows
from harness.golden.shapes import mismatches
from harness.types import Document, Evidence, Question, Span, Turn

SPANS = "qrels_spans.jsonl"
_TUNING = ("train", "dev")
_TEXT = {"_id": str, "text": str}
_QUERY = {**_TEXT, "answers?": [str], "history?": [{"role": str}]}
_SPAN = {"query_id": str, "doc_id": str, "start": int, "end": int, "text": str}


def beir(folder: Path, spans: bool = True) -> GoldenSet:
    """A golden set of a BEIR folder; documents are kept character by character, so that offsets hold.

    With `spans`, and qrels_spans.jsonl in the folder, evidence is those spans; overlapping ones of a document are
    alternatives. Without, evidence is each relevant document as a whole and `answerable` is whether there is one: then
    the numbers are those of trec_eval. Queries of qrels/train.tsv and qrels/dev.tsv are for tuning. Queries without
    qrels are left out unless they say whether they are answerable.

    Raises:
        GoldenSetError: with every faulty line, judgment of an unknown document and span past the end of its document.
    """
    problems: list[Problem] = []
    documents = {row.fields["_id"]: _document(row.fields) for row in _rows(folder / "corpus.jsonl", _TEXT, problems)}
    queries = _rows(folder / "queries.jsonl", _QUERY, problems)
    qrels, splits = _qrels(folder, problems)
    if spans and (folder / SPANS).is_file():
        evidence = _quoted(folder / SPANS, documents, problems)
    else:
        spans, evidence = False, _whole(qrels, documents, problems)
    questions = tuple(
        _question(row.fields, evidence.get(row.fields["_id"], ()), splits, spans)
        for row in queries
        if row.fields["_id"] in qrels or "answerable" in row.fields
    )
    if not questions and not problems:
        problems.append(Problem("G001", "queries.jsonl", "no query has qrels.", "An empty set would pass every gate."))
    if problems:
        raise GoldenSetError(f"the BEIR folder {str(folder)!r} has {len(problems)} problem(s):", problems[:100])
    ordered = tuple(documents[name] for name in sorted(documents))
    marks = fingerprint(questions), digest((folder / "corpus.jsonl").read_bytes())
    return GoldenSet(folder.resolve().name, 1, questions, ordered, *marks, purpose="imported from BEIR form")


def _rows(path: Path, shape: Mapping[str, Any], problems: list[Problem]) -> list[Row]:
    """The sound rows of a file; other fields than those of the shape are no concern of ours. An _id is used once."""
    rows, faults = read_rows(path)
    problems += faults
    sound: dict[str, Row] = {}
    for row in rows:
        wrong = [fault.at(row.where) for fault in mismatches(row.fields, shape) if fault.code != "G004"]
        name = row.fields.get("_id", row.where)
        if not wrong and name in sound:
            wrong = [Problem("G006", f"{row.where} _id", f"{name!r} already used on {sound[name].where}.", fix="rename one.")]
        problems += wrong
        sound |= {} if wrong else {name: row}
    return list(sound.values())


def _document(fields: Mapping[str, Any]) -> Document:
    title = fields.get("title") or ""
    text = fields["text"] if fields["text"].strip() else title
    return Document(fields["_id"], text, title=title, content_hash=sha256(text.encode("utf-8", "surrogatepass")).hexdigest())


def _qrels(folder: Path, problems: list[Problem]) -> tuple[dict[str, dict[str, int]], dict[str, str]]:
    """Relevance by query and document, and the split of each query."""
    files = [path for path in (folder / "qrels.tsv", *sorted((folder / "qrels").glob("*.tsv"))) if path.is_file()]
    if not files:
        problems.append(Problem("G001", "qrels", "no qrels.tsv and no qrels/*.tsv.", fix="give a folder in BEIR form."))
    qrels: dict[str, dict[str, int]] = defaultdict(dict)
    splits: dict[str, str] = {}
    for path in files:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()[1:], 2):
            query, document, score = (*line.split("\t"), "", "", "")[:3]
            if not document or not score.strip().lstrip("-").isdigit():
                what = f"got {line[:80]!r}."
                problems.append(
                    Problem("G002", f"{path.name}:{number}", what, fix="write query-id, corpus-id, score apart by tabs.")
                )
                continue
            qrels[query][document] = int(score)
            splits[query] = "tune" if path.stem in _TUNING else "test"
    return dict(qrels), splits


def _whole(
    qrels: Mapping[str, Mapping[str, int]], documents: Mapping[str, Document], problems: list[Problem]
) -> dict[str, tuple[Evidence, ...]]:
    evidence = {}
    for query, judged in qrels.items():
        relevant = [document for document, score in judged.items() if score > 0]
        unknown = [document for document in relevant if document not in documents]
        problems += [Problem("G013", f"qrels {query}", f"document {document!r} is not in corpus.jsonl.") for document in unknown]
        evidence[query] = tuple(Evidence((_all_of(documents[name]),)) for name in relevant if name in documents)
    return evidence


def _all_of(document: Document) -> Span:
    """The document from its first to its last character that is not blank: what chunks can cover."""
    text = document.text
    return Span(document.doc_id, len(text) - len(text.lstrip()), len(text.rstrip()))


def _quoted(path: Path, documents: Mapping[str, Document], problems: list[Problem]) -> dict[str, tuple[Evidence, ...]]:
    found: dict[str, set[Span]] = defaultdict(set)
    for row in _rows(path, _SPAN, problems):
        document = documents.get(row.fields["doc_id"])
        start, end = row.fields["start"], row.fields["end"]
        if document is None:
            problems.append(Problem("G013", row.where, f"document {row.fields['doc_id']!r} is not in corpus.jsonl."))
        elif document.text[start:end] != row.fields["text"]:
            what = f"characters {start}-{end} of {document.doc_id!r} are not the quoted text."
            problems.append(Problem("G014", row.where, what, fix="label again."))
        else:
            found[row.fields["query_id"]].add(Span(document.doc_id, start, end))
    return {query: tuple(_grouped(sorted(spans))) for query, spans in found.items()}


def _grouped(spans: Sequence[Span]) -> Iterator[Evidence]:
    group: list[Span] = []
    for span in spans:
        if group and (span.doc_id != group[-1].doc_id or span.start >= max(other.end for other in group)):
            yield Evidence(tuple(group))
            group = []
        group.append(span)
    if group:
        yield Evidence(tuple(group))


def _question(fields: Mapping[str, Any], evidence: tuple[Evidence, ...], splits: Mapping[str, str], spans: bool) -> Question:
    stated = fields.get("answerable", True) if spans else bool(evidence)
    answerable = stated is True
    return Question(
        fields["_id"],
        fields["text"],
        kind=(fields.get("type") or "factoid") if answerable else "unanswerable",
        evidence=evidence if answerable else (),
        answers=tuple(fields.get("answers") or ()),
        answerable=answerable,
        reason="" if answerable else "underspecified" if stated is None else "not_in_document",
        history=tuple(Turn(turn["role"], turn.get("content") or turn.get("text", "")) for turn in fields.get("history") or ()),
        split=splits.get(fields["_id"], "test"),
        group=evidence[0].alternatives[0].doc_id if evidence else fields["_id"],
    )
