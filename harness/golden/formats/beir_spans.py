"""Evidence as character spans, qrels_spans.jsonl: our own file beside the qrels of a BEIR folder.

A row has query_id, doc_id, start, end and text. What we write says more: `group` numbers the evidence that is needed
together, rows of one group are alternatives; `prefix`, `suffix` and `hint` (the start is stated) are what the question says
of the place; a row of a group without start, end and text is the whole document.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import Problem
from harness.golden.formats.beir_files import sound_rows
from harness.golden.formats.shared import quote_at
from harness.text import normalise
from harness.types import Question, Span

SPANS = "qrels_spans.jsonl"

Groups = Sequence[Sequence[Mapping[str, Any]]]
"""Evidence as questions.jsonl has it."""

_PLACE = ("start", "end", "text")
_AROUND = ("prefix", "suffix")
_SHAPE = {
    "query_id": str, "doc_id": str, "start?": int, "end?": int, "text?": str,
    "group?": int, "prefix?": str, "suffix?": str, "hint?": bool,
}  # fmt: skip


def read_spans(path: Path, documents: Mapping[str, Mapping[str, Any]], problems: list[Problem]) -> dict[str, Groups]:
    """Evidence by query; of rows without a group, those of a document that overlap are alternatives."""
    numbered: dict[str, dict[int, list[Mapping[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    loose: dict[str, set[Span]] = defaultdict(set)
    for row in sound_rows(path, _SHAPE, problems):
        fields = row.fields
        text = documents.get(fields["doc_id"], {}).get("text")
        if faults := list(_faults(row.where, fields, text)):
            problems += faults
        elif "group" not in fields:
            loose[fields["query_id"]].add(Span(fields["doc_id"], fields["start"], fields["end"]))
        elif (place := _place(fields, str(text))) not in numbered[fields["query_id"]][fields["group"]]:
            numbered[fields["query_id"]][fields["group"]].append(place)
    return {
        query: [
            *(numbered[query][group] for group in sorted(numbered[query])),
            *([_quote(span, documents) for span in group] for group in _grouped(sorted(loose[query]))),
        ]
        for query in {**numbered, **loose}
    }


def _faults(where: str, fields: Mapping[str, Any], text: str | None) -> Iterator[Problem]:
    missing = [name for name in _PLACE if name not in fields]
    if text is None:
        yield Problem("G013", where, f"document {fields['doc_id']!r} is not in corpus.jsonl.")
    elif missing:
        if "group" not in fields or len(missing) < len(_PLACE):
            yield Problem("G005", where, f"{', '.join(missing)} is missing.", fix="give start, end and text.")
    elif not 0 <= fields["start"] < fields["end"] or text[fields["start"] : fields["end"]] != fields["text"]:
        what = f"characters {fields['start']}-{fields['end']} of {fields['doc_id']!r} are not the quoted text."
        yield Problem("G014", where, what, fix="label again.")


def _place(fields: Mapping[str, Any], text: str) -> dict[str, Any]:
    if "text" not in fields:
        return {"doc": normalise(fields["doc_id"])}
    place = quote_at(fields["doc_id"], text, fields["start"], fields["end"])
    around = {name: fields[name] for name in _AROUND if name in fields}
    if fields.get("hint"):
        place["start"] = len(normalise(text[: fields["start"]]))
    elif around:
        place.pop("start", None)
    return {**place, **around}


def _quote(span: Span, documents: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return quote_at(span.doc_id, documents[span.doc_id]["text"], span.start, span.end)


def _grouped(spans: Sequence[Span]) -> Iterator[list[Span]]:
    group: list[Span] = []
    for span in spans:
        if group and (span.doc_id != group[-1].doc_id or span.start >= max(other.end for other in group)):
            yield group
            group = []
        group.append(span)
    if group:
        yield group


def span_rows(row: Mapping[str, Any], question: Question, texts: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The evidence of a question, as its row of questions.jsonl says it and as it was found."""
    for number, (places, group) in enumerate(zip(row.get("evidence", ()), question.evidence, strict=True), 1):
        for place, span in zip(places, group.alternatives, strict=True):
            base = {"query_id": question.question_id, "doc_id": span.doc_id}
            if "quote" not in place:
                yield {**base, "group": number}
                continue
            found = {"start": span.start, "end": span.end, "text": texts[span.doc_id][span.start : span.end]}
            said = {name: place[name] for name in _AROUND if name in place}
            yield {**base, **found, "group": number, **said, **({"hint": True} if "start" in place else {})}
