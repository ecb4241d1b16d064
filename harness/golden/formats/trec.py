"""TREC folders: topics.tsv (id, tab, text), qrels.txt; judgments name whole documents.

Every relevant document of a query is evidence that is needed; a query without one is unanswerable.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import GoldenSetError, Problem
from harness.golden.formats.foreign import Foreign, Options
from harness.golden.formats.shared import (
    DOCUMENTS_LOST,
    counted,
    judgment_notes,
    lost,
    provenance,
    raise_all,
    renamed_note,
    safe_ids,
)
from harness.golden.formats.trec_files import read_qrels
from harness.golden.golden_set import GoldenSet
from harness.store import write_atomic
from harness.text import normalise

TOPICS = "topics.tsv"
QRELS = "qrels.txt"


def read(folder: Path, options: Options = Options()) -> Foreign:
    """Questions of a TREC folder; its documents are those of `options`.

    Raises:
        GoldenSetError: with every faulty line and every relevant document that is not in the corpus.
    """
    topics, problems = _topics(folder / TOPICS)
    try:
        qrels = read_qrels(folder / QRELS)
    except GoldenSetError as error:
        if not problems:
            raise
        raise_all("TREC folder", folder, [*problems, *error.problems])
    known = {document.doc_id for document in options.documents}
    relevant = {query: [doc for doc, grade in judged.items() if grade > 0] for query, judged in qrels.items()}
    for query, names in relevant.items():
        problems += [_unknown(query, name) for name in names if options.documents and normalise(name) not in known]
        problems += [] if query in topics else [Problem("G002", f"{QRELS} {query}", f"is judged, but not in {TOPICS}.")]
    raise_all("TREC folder", folder, problems)
    ids = safe_ids(query for query in topics if query in qrels)
    rows = [_question(query, name, topics[query], relevant[query]) for query, name in ids.items()]
    left = len(topics) - len(ids)
    unjudged = counted(left, "topic has no judgment and was", "topics have no judgment and were")
    silent = sum(not relevant[query] for query in ids)
    notes = [*renamed_note(ids), *([f"{unjudged} left out"] if left else []), *judgment_notes(qrels, silent)]
    return Foreign(rows, (), (), notes, "imported from TREC form")


def _topics(path: Path) -> tuple[dict[str, str], list[Problem]]:
    try:
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise GoldenSetError(f"cannot read {str(path)!r}: {error}; write a query a line: id, tab, text") from error
    topics: dict[str, str] = {}
    problems = []
    for number, line in enumerate(lines, 1):
        name, _, text = line.rstrip("\r").partition("\t")
        if not line.strip():
            continue
        if name in topics:
            problems.append(Problem("G006", f"{TOPICS}:{number}", f"{name!r} is used twice.", fix="rename one."))
        elif not name.strip() or not text.strip():
            problems.append(Problem("G002", f"{TOPICS}:{number}", f"got {line[:80]!r}.", fix="write id, tab, text."))
        topics[name] = text
    return topics, problems


def _unknown(query: str, name: str) -> Problem:
    return Problem("G013", f"{QRELS} {query}", f"document {name!r} is not in the corpus.", fix="name the right corpus.")


def _question(query: str, name: str, text: str, relevant: Sequence[str]) -> dict[str, Any]:
    base = {"id": name, "question": text, "provenance": provenance("TREC form", query, name)}
    if not relevant:
        return {**base, "kind": "unanswerable", "answerable": False, "refusal_reason": "not_in_document", "group": name}
    evidence = [[{"doc": normalise(document)}] for document in relevant]
    return {**base, "kind": "factoid", "answerable": True, "evidence": evidence, "group": normalise(relevant[0])}


def write(rows: Sequence[Mapping[str, Any]], golden: GoldenSet, folder: Path) -> list[str]:
    """Writes topics.tsv and qrels.txt; an unanswerable question is judged against one document as not relevant.

    Raises:
        GoldenSetError: for document ids with blanks, which TREC files cannot hold; nothing is written.
    """
    judged = [
        (question.question_id, name, 1)
        for question in golden.questions
        for name in sorted({span.doc_id for group in question.evidence for span in group.alternatives})
    ]
    first = golden.documents[0].doc_id
    judged += [(question.question_id, first, 0) for question in golden.questions if not question.evidence]
    qrels = "".join(f"{query} 0 {_word(name)} {grade}\n" for query, name, grade in judged)
    topics = {question.question_id: " ".join(question.text.split()) for question in golden.questions}
    write_atomic(folder / TOPICS, "".join(f"{name}\t{text}\n" for name, text in topics.items()))
    write_atomic(folder / QRELS, qrels)
    broken = sum(topics[question.question_id] != question.text for question in golden.questions)
    notes = ["quotes: evidence is whole documents", "which documents are alternatives", DOCUMENTS_LOST]
    notes += [f"line breaks and runs of blanks in {counted(broken, 'question')}"] if broken else []
    return [*notes, *lost(rows, golden, ("id", "question", "answerable", "evidence"))]


def _word(name: str) -> str:
    if len(name.split()) != 1:
        raise GoldenSetError(f"document id {name!r} holds blanks, which TREC files cannot; rename the document")
    return name
