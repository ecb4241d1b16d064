"""Sets in BEIR form."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.errors import GoldenSetError
from harness.golden.imports import beir
from harness.types import Evidence, Span, Turn
from tests.golden.public import public

CORPUS = [{"_id": "d1", "title": "One", "text": "Alpha beta gamma.\n"}, {"_id": "d2", "title": "Two", "text": "Delta."}]
QUERIES = [{"_id": "q1", "text": "Which?"}, {"_id": "q2", "text": "Who?"}]
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td2\t2\n"


def _folder(folder: Path, qrels: dict[str, str] | None = None, **files: list[dict[str, Any]]) -> Path:
    for name, rows in {"corpus": CORPUS, "queries": QUERIES, **files}.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name, text in (qrels if qrels is not None else {"qrels.tsv": QRELS}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


def _span(query: str, start: int, end: int, text: str) -> dict[str, Any]:
    return {"query_id": query, "doc_id": "d1", "start": start, "end": end, "text": text}


def _codes(folder: Path) -> list[str]:
    with pytest.raises(GoldenSetError) as caught:
        beir(folder)
    return [f"{problem.code} {problem.where}" for problem in caught.value.problems]


def test_relevant_documents_are_evidence_as_a_whole(tmp_path: Path) -> None:
    golden = beir(_folder(tmp_path))
    assert [document.doc_id for document in golden.documents] == ["d1", "d2"]
    assert golden.questions[0].evidence == (Evidence((Span("d1", 0, 17),)),)
    assert golden.questions[1].evidence == (Evidence((Span("d2", 0, 6),)),)


def test_documents_are_kept_character_by_character(tmp_path: Path) -> None:
    text = "cafe\u0301\r\n"
    golden = beir(_folder(tmp_path, corpus=[{"_id": "d1", "text": text}, {"_id": "d2", "text": "x"}]))
    assert golden.documents[0].text == text


def test_spans_take_the_place_of_whole_documents(tmp_path: Path) -> None:
    spans = [_span("q1", 0, 5, "Alpha"), _span("q1", 11, 16, "gamma")]
    golden = beir(_folder(tmp_path, qrels_spans=spans))
    assert golden.questions[0].evidence == (Evidence((Span("d1", 0, 5),)), Evidence((Span("d1", 11, 16),)))


def test_overlapping_spans_are_alternatives(tmp_path: Path) -> None:
    spans = [_span("q1", 0, 10, "Alpha beta"), _span("q1", 6, 10, "beta"), _span("q1", 6, 10, "beta")]
    golden = beir(_folder(tmp_path, qrels_spans=spans))
    assert golden.questions[0].evidence == (Evidence((Span("d1", 0, 10), Span("d1", 6, 10))),)


def test_what_the_queries_say_is_kept(tmp_path: Path) -> None:
    said = {"type": "table", "answerable": True, "answers": ["x"], "history": [{"role": "user", "text": "Hi"}]}
    question = beir(_folder(tmp_path, queries=[{**QUERIES[0], **said}], qrels_spans=[_span("q1", 0, 5, "Alpha")])).questions[0]
    assert (question.kind, question.answers, question.history) == ("table", ("x",), (Turn("user", "Hi"),))


@pytest.mark.parametrize(("stated", "reason"), [(False, "not_in_document"), (None, "underspecified")])
def test_an_unanswerable_query_has_no_evidence(tmp_path: Path, stated: bool | None, reason: str) -> None:
    spans = [_span("q2", 0, 5, "Alpha")]
    question = beir(_folder(tmp_path, queries=[{**QUERIES[0], "answerable": stated}], qrels_spans=spans)).questions[0]
    assert (question.answerable, question.reason, question.evidence) == (False, reason, ())


def test_splits_come_from_the_names_of_the_qrels(tmp_path: Path) -> None:
    head = "query-id\tcorpus-id\tscore\n"
    files = {"qrels/train.tsv": f"{head}q1\td1\t1\n", "qrels/test.tsv": f"{head}q2\td2\t1\n"}
    assert [question.split for question in beir(_folder(tmp_path, files)).questions] == ["tune", "test"]


def test_queries_nobody_judged_are_left_out(tmp_path: Path) -> None:
    queries = [*QUERIES, {"_id": "q3", "text": "?"}, {"_id": "q4", "text": "?", "answerable": False}]
    assert [question.question_id for question in beir(_folder(tmp_path, queries=queries)).questions] == ["q1", "q2", "q4"]


def test_all_faults_are_reported_at_once(tmp_path: Path) -> None:
    folder = _folder(
        tmp_path,
        {"qrels.tsv": QRELS + "q1 d1 1\nq1\td1\tmany\n"},
        corpus=[*CORPUS, {"_id": 7, "text": "x"}, {"_id": "d1", "text": "again"}],
        qrels_spans=[_span("q1", 0, 99, "Alpha"), {**_span("q1", 0, 5, "Alpha"), "doc_id": "d9"}, {"query_id": "q1"}],
    )
    assert _codes(folder) == [
        "G009 corpus.jsonl:3 _id",
        "G006 corpus.jsonl:4 _id",
        "G002 qrels.tsv:5",
        "G002 qrels.tsv:6",
        "G005 qrels_spans.jsonl:3 doc_id",
        "G005 qrels_spans.jsonl:3 start",
        "G005 qrels_spans.jsonl:3 end",
        "G005 qrels_spans.jsonl:3 text",
        "G014 qrels_spans.jsonl:1",
        "G013 qrels_spans.jsonl:2",
    ]


def test_a_judged_document_must_be_in_the_corpus(tmp_path: Path) -> None:
    assert _codes(_folder(tmp_path, corpus=CORPUS[:1])) == ["G013 qrels q2"]


def test_a_folder_without_qrels_is_an_error(tmp_path: Path) -> None:
    assert _codes(_folder(tmp_path, {})) == ["G001 qrels"]


def test_the_digest_follows_questions_and_judgments(tmp_path: Path) -> None:
    first = beir(_folder(tmp_path))
    same, other = beir(_folder(tmp_path)), beir(_folder(tmp_path, {"qrels.tsv": QRELS.replace("q2\td2\t2", "q2\td1\t1")}))
    assert first.digest == same.digest != other.digest
    assert first.corpus_digest == same.corpus_digest == other.corpus_digest


@pytest.mark.public_data
def test_scifact_has_the_counts_of_its_description() -> None:
    quoted, whole = (beir(public("scifact"), spans=spans) for spans in (True, False))
    assert len(quoted.documents) == len(whole.documents) == 5183
    assert len(quoted.questions) == len(whole.questions) == 300
    assert sum(not question.answerable for question in quoted.questions) == 112
    assert sum(len(question.evidence) for question in quoted.questions) == 366
    assert sum(len(question.evidence) for question in whole.questions) == 339


@pytest.mark.public_data
def test_squad_has_the_counts_of_its_description() -> None:
    questions = beir(public("squad2_halfdev")).questions
    assert sum(question.answerable for question in questions) == 2910
    assert sum(not question.answerable for question in questions) == 3168
    assert sum(len(evidence.alternatives) for question in questions for evidence in question.evidence) == 5109
