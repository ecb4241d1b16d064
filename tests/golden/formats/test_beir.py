"""Sets in BEIR form."""

from pathlib import Path
from typing import Any

import pytest

from harness.errors import GoldenSetError
from harness.golden.formats import beir
from harness.golden.formats.foreign import store
from harness.golden.golden_set import GoldenSet
from harness.golden.schema import SHAPES
from harness.text import normalise
from harness.types import Evidence, Span, Turn
from tests.contracts.golden_format import TextFormatContract
from tests.golden.formats.beir_folders import CORPUS, HEAD, QRELS, QUERIES, beir_folder
from tests.golden.formats.faults import problems


class TestBeir(TextFormatContract):
    name = "beir"
    held = frozenset(name.removesuffix("?") for name in SHAPES)
    retired = True
    essential = ("corpus.jsonl", "queries.jsonl")


def golden(folder: Path, spans: bool = True) -> GoldenSet:
    stored = store(beir.read(folder, spans=spans), folder.parent / "stored")
    assert stored is not None
    return stored


def span(query: str, start: int, end: int, text: str) -> dict[str, Any]:
    return {"query_id": query, "doc_id": "d1", "start": start, "end": end, "text": text}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "source"


def test_relevant_documents_are_evidence_as_a_whole(folder: Path) -> None:
    found = golden(beir_folder(folder))
    assert [document.doc_id for document in found.documents] == ["d1", "d2"]
    assert found.questions[0].evidence == (Evidence((Span("d1", 0, 17),)),)
    assert found.questions[1].evidence == (Evidence((Span("d2", 0, 6),)),)


def test_spans_take_the_place_of_whole_documents(folder: Path) -> None:
    spans = [span("q1", 0, 5, "Alpha"), span("q1", 11, 16, "gamma")]
    assert golden(beir_folder(folder, qrels_spans=spans)).questions[0].evidence == (
        Evidence((Span("d1", 0, 5),)),
        Evidence((Span("d1", 11, 16),)),
    )


def test_a_query_without_spans_keeps_its_whole_document(folder: Path) -> None:
    questions = golden(beir_folder(folder, qrels_spans=[span("q1", 0, 5, "Alpha")])).questions
    assert questions[1].evidence == (Evidence((Span("d2", 0, 6),)),)


def test_spans_can_be_left_aside(folder: Path) -> None:
    source = beir_folder(folder, qrels_spans=[span("q1", 0, 5, "Alpha")])
    assert golden(source, spans=False).questions[0].evidence == (Evidence((Span("d1", 0, 17),)),)


def test_overlapping_spans_are_alternatives(folder: Path) -> None:
    spans = [span("q1", 0, 10, "Alpha beta"), span("q1", 6, 10, "beta"), span("q1", 6, 10, "beta")]
    evidence = golden(beir_folder(folder, qrels_spans=spans)).questions[0].evidence
    assert evidence == (Evidence((Span("d1", 0, 10), Span("d1", 6, 10))),)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [("Aha. No. Aha.", 9, 13), ("aXaXa", 2, 5), ("cafe\u0301 cafe\u0301", 6, 11), ("a\r\nb\r\nb", 6, 7)],
    ids=["repeated", "overlapping itself", "decomposed", "windows lines"],
)
def test_a_span_is_found_again_where_it_was(folder: Path, text: str, start: int, end: int) -> None:
    documents = [{"_id": "d1", "text": text}, CORPUS[1]]
    found = golden(beir_folder(folder, corpus=documents, qrels_spans=[span("q1", start, end, text[start:end])]))
    (place,) = found.questions[0].evidence[0].alternatives
    assert (place.start, found.documents[0].text[place.start : place.end]) == (
        len(normalise(text[:start])),
        normalise(text[start:end]),
    )


def test_what_the_queries_say_is_kept(folder: Path) -> None:
    said = {"type": "table", "answerable": True, "answers": ["x", " "], "history": [{"role": "user", "text": "Hi"}]}
    source = beir_folder(folder, queries=[{**QUERIES[0], **said}, QUERIES[1]], qrels_spans=[span("q1", 0, 5, "Alpha")])
    question = golden(source).questions[0]
    assert (question.kind, question.answers, question.history) == ("table", ("x",), (Turn("user", "Hi"),))


@pytest.mark.parametrize(
    ("said", "kind", "tags"),
    [
        ({"type": "claim"}, "factoid", ("claim",)),
        ({"type": "answerable"}, "factoid", ()),
        ({"history": [{"role": "user", "content": "Hi"}]}, "multi_turn", ()),
        ({"history": None, "answers": None, "metadata": None, "type": None}, "factoid", ()),
    ],
)
def test_a_type_that_is_no_kind_of_ours_becomes_a_tag(
    folder: Path, said: dict[str, Any], kind: str, tags: tuple[str, ...]
) -> None:
    question = golden(beir_folder(folder, queries=[{**QUERIES[0], **said}, QUERIES[1]])).questions[0]
    assert (question.kind, question.tags) == (kind, tags)


@pytest.mark.parametrize(("stated", "reason"), [(False, "not_in_document"), (None, "underspecified")])
def test_an_unanswerable_query_has_no_evidence(folder: Path, stated: bool | None, reason: str) -> None:
    question = golden(beir_folder(folder, queries=[{**QUERIES[0], "answerable": stated}, QUERIES[1]])).questions[0]
    assert (question.answerable, question.reason, question.evidence) == (False, reason, ())


def test_a_query_said_to_be_answerable_without_evidence_waits_for_some(folder: Path) -> None:
    foreign = beir.read(beir_folder(folder, queries=[*QUERIES, {"_id": "q3", "text": "?", "answerable": True}]))
    assert [row["id"] for row in foreign.drafts] == ["q3"]


def test_splits_come_from_the_names_of_the_qrels(folder: Path) -> None:
    files = {"qrels/train.tsv": f"{HEAD}q1\td1\t1\n", "qrels/test.tsv": f"{HEAD}q2\td2\t1\n"}
    assert [question.split for question in golden(beir_folder(folder, files)).questions] == ["tune", "test"]


def test_queries_nobody_judged_are_left_out_and_counted(folder: Path) -> None:
    queries = [*QUERIES, {"_id": "q3", "text": "?"}, {"_id": "q4", "text": "?", "answerable": False}]
    foreign = beir.read(beir_folder(folder, queries=queries))
    assert [row["id"] for row in foreign.questions] == ["q1", "q2", "q4"]
    assert list(foreign.notes) == ["1 queries have no judgment and were left out"]


def test_all_faults_are_reported_at_once(folder: Path) -> None:
    source = beir_folder(
        folder,
        {"qrels.tsv": QRELS + "q1 d1 1\nq1\td1\tmany\nq1\td1\t²\nq1\td1\t--1\n"},
        corpus=[*CORPUS, {"_id": 7, "text": "x"}, {"_id": "d1", "text": "again"}],
        queries=[*QUERIES, {"_id": "q3", "text": "?", "answerable": "yes"}, {"_id": "q4", "text": "?", "type": 3}],
        qrels_spans=[
            span("q1", 0, 99, "Alpha"),
            {**span("q1", 0, 5, "Alpha"), "doc_id": "d9"},
            {"query_id": "q1"},
            span("q1", -2, -1, "."),
        ],
    )
    assert list(problems(lambda: beir.read(source))) == [
        "G009 corpus.jsonl:3 _id",
        "G006 corpus.jsonl:4 _id",
        "G009 queries.jsonl:3 answerable",
        "G009 queries.jsonl:4 type",
        "G002 qrels.tsv:5",
        "G002 qrels.tsv:6",
        "G002 qrels.tsv:7",
        "G002 qrels.tsv:8",
        "G005 qrels_spans.jsonl:3 doc_id",
        "G005 qrels_spans.jsonl:3 start",
        "G005 qrels_spans.jsonl:3 end",
        "G005 qrels_spans.jsonl:3 text",
        "G014 qrels_spans.jsonl:1",
        "G013 qrels_spans.jsonl:2",
        "G014 qrels_spans.jsonl:4",
    ]


@pytest.mark.parametrize(
    ("files", "queries", "codes"),
    [
        ({}, QUERIES, ["G001 qrels"]),
        ({"qrels.tsv": f"{HEAD}q1\td9\t1\n"}, QUERIES, ["G013 qrels q1"]),
        ({"qrels.tsv": f"{HEAD}q9\td1\t1\n"}, QUERIES, ["G013 qrels q9"]),
        ({"qrels.tsv": HEAD}, QUERIES, ["G001 queries.jsonl"]),
        ({"qrels.tsv": f"{HEAD}q1\td1\t1\nq1\td1\t0\n"}, QUERIES, ["G006 qrels.tsv:3"]),
        ({"qrels/dev.tsv": f"{HEAD}q1\td1\t1\n", "qrels/test.tsv": f"{HEAD}q1\td1\t1\n"}, QUERIES, ["G006 test.tsv:2"]),
    ],
    ids=["none", "unknown document", "unknown query", "empty", "contradiction", "in both splits"],
)
def test_judgments_that_cannot_hold_are_refused(folder: Path, files: dict[str, str], queries: Any, codes: list[str]) -> None:
    assert list(problems(lambda: beir.read(beir_folder(folder, files, queries=queries)))) == codes


def test_a_first_line_that_is_no_header_is_a_judgment(folder: Path) -> None:
    foreign = beir.read(beir_folder(folder, {"qrels.tsv": "q1\td1\t1\n\nq2\td2\t1.0\n"}))
    assert [row["id"] for row in foreign.questions] == ["q1", "q2"]


def test_qrels_that_are_not_utf8_are_named(folder: Path) -> None:
    source = beir_folder(folder)
    (source / "qrels.tsv").write_bytes(HEAD.encode() + b"q\xe9\td1\t1\n")
    assert list(problems(lambda: beir.read(source))) == ["G016 qrels.tsv"]


def test_documents_that_differ_only_by_their_form_of_letters_are_one_id(folder: Path) -> None:
    corpus = [*CORPUS, {"_id": "caf\u00e9", "text": "x"}, {"_id": "cafe\u0301", "text": "y"}]
    found = problems(lambda: golden(beir_folder(folder, corpus=corpus)))
    assert list(found) == ["G006 document 'cafe\u0301' _id"]


def test_documents_that_differ_by_case_are_two(folder: Path) -> None:
    corpus = [*CORPUS, {"_id": "D1", "text": "x"}]
    assert [document.doc_id for document in golden(beir_folder(folder, corpus=corpus)).documents] == ["D1", "d1", "d2"]


def test_ids_with_windows_paths_are_kept(folder: Path) -> None:
    source = beir_folder(folder, {"qrels.tsv": f"{HEAD}q1\tC:\\docs\\a.md\t1\n"}, corpus=[{"_id": "C:\\docs\\a.md", "text": "x"}])
    assert golden(source).questions[0].evidence[0].alternatives[0].doc_id == "C:\\docs\\a.md"


def test_half_a_character_is_named_with_its_document(folder: Path) -> None:
    found = problems(lambda: golden(beir_folder(folder, corpus=[{"_id": "d1", "text": "x\ud800"}, CORPUS[1]])))
    assert list(found) == ["G021 document 'd1' text"]


def test_half_a_character_in_a_question_is_named(folder: Path) -> None:
    found = problems(lambda: golden(beir_folder(folder, queries=[{"_id": "q1", "text": "x\ud800"}, QUERIES[1]])))
    assert list(found) == ["G021 question 'q1' question"]


def test_the_digest_follows_questions_and_judgments(tmp_path: Path) -> None:
    other = {"qrels.tsv": QRELS.replace("q2\td2\t2", "q2\td1\t1")}
    one, same, changed = (
        golden(beir_folder(tmp_path / name / "source", qrels))
        for name, qrels in (("one", None), ("same", None), ("changed", other))
    )
    assert one.digest == same.digest != changed.digest
    assert one.corpus_digest == same.corpus_digest == changed.corpus_digest


def test_a_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GoldenSetError, match=r"corpus\.jsonl"):
        beir.read(tmp_path / "nowhere")
