"""SQuAD 2 JSON: articles of paragraphs with questions; answers are spans, `is_impossible` ones are to be refused.

Source: Rajpurkar et al., 2018, arXiv:1806.03822. A paragraph becomes a document; the spans of several annotators are alternatives.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import Problem
from harness.golden.formats.foreign import Foreign, Options
from harness.golden.formats.shared import (
    counted,
    dropped_note,
    lost,
    parted,
    provenance,
    quote_at,
    raise_all,
    read_json,
    renamed_note,
    repeated_ids,
    safe_ids,
)
from harness.golden.golden_set import GoldenSet
from harness.shapes import mismatches
from harness.store import write_json
from harness.types import Question

_ANSWER = {"text": str, "answer_start": int}
_QA = {"id": str, "question": str, "answers": [_ANSWER], "is_impossible?": bool}
_SHAPE = {"data": [{"title": str, "paragraphs": [{"context": str, "qas": [_QA]}]}]}


def read(path: Path, options: Options = Options()) -> Foreign:
    """Questions and paragraphs of a SQuAD file.

    Raises:
        GoldenSetError: with every field of a wrong type and every answer that is not at its place.
    """
    value = read_json(path)
    wrong = [fault.at(path.name) for fault in mismatches(value, _SHAPE) if fault.code != "G004"]
    raise_all("SQuAD file", path, wrong)
    paragraphs = list(_paragraphs(value["data"]))
    problems = [
        fault for name, _, place in paragraphs for qa in place["qas"] for fault in _misplaced(path, name, place["context"], qa)
    ]
    problems += repeated_ids(path.name, (qa["id"] for _, _, place in paragraphs for qa in place["qas"]))
    problems += repeated_ids(f"{path.name} title", (name for name, _, _ in paragraphs))
    raise_all("SQuAD file", path, problems)
    ids = safe_ids(qa["id"] for _, _, place in paragraphs for qa in place["qas"])
    rows = [
        _question(ids[qa["id"]], qa, name, title, place["context"]) for name, title, place in paragraphs for qa in place["qas"]
    ]
    documents = [{"_id": name, "title": title.replace("_", " "), "text": place["context"]} for name, title, place in paragraphs]
    questions, drafts = parted(rows)
    left = [_left(qa) for _, _, place in paragraphs for qa in place["qas"]]
    return Foreign(questions, documents, drafts, [*renamed_note(ids), *dropped_note(left)], "imported from SQuAD form")


def _left(qa: Mapping[str, Any]) -> dict[str, Any]:
    """Fields that are not taken over; answers are not where the question is to be refused."""
    taken = ("id", "question", "is_impossible", *(() if qa.get("is_impossible") else ("answers",)))
    return {name: value for name, value in qa.items() if name not in taken}


def _paragraphs(articles: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Document id, title and paragraph; an article of one paragraph is named by its title alone."""
    for article in articles:
        title = article["title"]
        for number, paragraph in enumerate(article["paragraphs"]):
            yield title if len(article["paragraphs"]) == 1 else f"{title}::{number:03}", title, paragraph


def _misplaced(path: Path, name: str, context: str, qa: Mapping[str, Any]) -> Iterator[Problem]:
    for answer in qa["answers"]:
        start, text = answer["answer_start"], answer["text"]
        if not text or start < 0 or context[start : start + len(text)] != text:
            what = f"answer {text[:60]!r} does not stand at {start} in {name!r}."
            yield Problem("G014", f"{path.name} {qa['id']}", what, fix="mend answer_start.")


def _question(name: str, qa: Mapping[str, Any], document: str, title: str, context: str) -> dict[str, Any]:
    base = {"id": name, "question": qa["question"], "group": title, "provenance": provenance("SQuAD form", qa["id"], name)}
    if qa.get("is_impossible", False):
        return {**base, "kind": "unanswerable", "answerable": False, "refusal_reason": "not_in_document"}
    spans = sorted({(answer["answer_start"], answer["answer_start"] + len(answer["text"])) for answer in qa["answers"]})
    alternatives = [quote_at(document, context, start, end) for start, end in spans]
    answers = list(dict.fromkeys(answer["text"] for answer in qa["answers"]))
    evidence = [alternatives] if alternatives else []
    return {**base, "kind": "factoid", "answerable": True, "evidence": evidence, "answers": answers}


def write(rows: Sequence[Mapping[str, Any]], golden: GoldenSet, path: Path) -> list[str]:
    """Writes one article of one paragraph per document; answers are the quotes of the evidence that lies in it."""
    texts = {document.doc_id: document.text for document in golden.documents}
    asked: dict[str, list[dict[str, Any]]] = {name: [] for name in texts}
    for question in golden.questions:
        home = _home(question, texts)
        asked[home].append(_qa(question, home, texts[home]))
    data = [{"title": name, "paragraphs": [{"context": text, "qas": asked[name]}]} for name, text in texts.items()]
    write_json(path, {"version": "v2.0", "data": data})
    elsewhere = sum(len({span.doc_id for item in q.evidence for span in item.alternatives}) > 1 for q in golden.questions)
    several = sum(len(question.evidence) > 1 for question in golden.questions)
    together = counted(several, "question needs", "questions need")
    notes = [f"which evidence is needed together: {together} several"] if several else []
    notes += [f"evidence in further documents of {counted(elsewhere, 'question')}"] if elsewhere else []
    notes += ["all of documents but their id and text"]
    return [*notes, *lost(rows, golden, ("id", "question", "answerable", "evidence"))]


def _home(question: Question, texts: Mapping[str, str]) -> str:
    """The document under which a question stands: that of its first evidence, else of its group, else the first one."""
    if question.evidence:
        return question.evidence[0].alternatives[0].doc_id
    return question.group if question.group in texts else next(iter(texts))


def _qa(question: Question, home: str, text: str) -> dict[str, Any]:
    spans = sorted({span for group in question.evidence for span in group.alternatives if span.doc_id == home})
    answers = [{"text": text[span.start : span.end], "answer_start": span.start} for span in spans]
    return {"id": question.question_id, "question": question.text, "answers": answers, "is_impossible": not question.answerable}
