"""AutoRAG folders."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from harness.errors import GoldenSetError, StoreError
from harness.golden.formats import autorag
from harness.golden.formats.foreign import store
from harness.golden.golden_set import load
from tests.contracts.golden_format import GoldenFormatContract
from tests.golden.folders import FILTER, refusal, row, write
from tests.golden.formats.faults import problems


class TestAutorag(GoldenFormatContract):
    name = "autorag"
    held = frozenset({"id", "question", "answerable", "answers"})
    explained = frozenset({"evidence"})
    essential = ("qa.parquet", "corpus.parquet")


CORPUS = [{"doc_id": "d1", "contents": "Alpha."}, {"doc_id": "d2", "contents": "Beta."}]


def asked(truth: Any = None, **fields: Any) -> dict[str, Any]:
    base = {"qid": "q1", "query": "Which?", "retrieval_gt": [["d1"]] if truth is None else truth, "generation_gt": ["That"]}
    return {**base, **fields}


def folder(path: Path, *questions: dict[str, Any], corpus: list[dict[str, Any]] | None = None) -> Path:
    import pyarrow
    from pyarrow import parquet

    path.mkdir(exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(list(questions) or [asked()]), path / "qa.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(corpus or CORPUS), path / "corpus.parquet")
    return path


@pytest.mark.parametrize(
    ("truth", "evidence"),
    [
        ([["d1"], ["d2"]], [["d1"], ["d2"]]),
        ([["d1", "d2"]], [["d1", "d2"]]),
        (["d1", "d2"], [["d1"], ["d2"]]),
        ("d1", [["d1"]]),
        ([["d1"], ["d1"]], [["d1"]]),
        ([["d1", "d1"]], [["d1"]]),
        ([["d2", "d1"], ["d1"]], [["d1"]]),
        ([["d1", ""]], [["d1"]]),
    ],
)
def test_groups_are_needed_and_their_documents_alternatives(tmp_path: Path, truth: Any, evidence: list[list[str]]) -> None:
    foreign = autorag.read(folder(tmp_path / "source", asked(truth)))
    assert foreign.questions[0]["evidence"] == [[{"doc": name} for name in group] for group in evidence]
    assert store(foreign, tmp_path / "set") is not None


@pytest.mark.parametrize("truth", [[[""]], [[]], [], ""])
def test_nothing_to_find_means_a_refusal(tmp_path: Path, truth: Any) -> None:
    (found,) = autorag.read(folder(tmp_path, asked(truth))).questions
    assert (found["answerable"], found["refusal_reason"]) == (False, "not_in_document")


@pytest.mark.parametrize(("given", "answers"), [(["a", " ", "b"], ["a", "b"]), ("a", ["a"]), (None, None), ([None, "a"], ["a"])])
def test_answers_are_texts_that_say_something(tmp_path: Path, given: Any, answers: list[str] | None) -> None:
    assert autorag.read(folder(tmp_path, asked(generation_gt=given))).questions[0].get("answers") == answers


def test_numbers_as_ids_become_text(tmp_path: Path) -> None:
    foreign = autorag.read(folder(tmp_path, asked([[1]], qid=7), corpus=[{"doc_id": 1, "contents": "Alpha."}]))
    assert (foreign.questions[0]["id"], foreign.documents[0]["_id"]) == ("7", "1")


def test_metadata_that_json_cannot_hold_becomes_text(tmp_path: Path) -> None:
    day = datetime(2025, 1, 2)
    said = {"last_modified_datetime": day, "path": "a.pdf", "seen": day, "score": float("nan"), "title": "T"}
    golden = store(autorag.read(folder(tmp_path / "source", corpus=[{**CORPUS[0], "metadata": said}])), tmp_path / "set")
    assert golden is not None
    assert golden.documents[0].title == "T"
    assert golden.documents[0].metadata == {"path": "a.pdf", "seen": "2025-01-02 00:00:00", "score": "NaN"}


def test_all_judgments_of_unknown_documents_and_repeated_ids_are_reported(tmp_path: Path) -> None:
    source = folder(tmp_path, asked([["d9"]]), asked([["d1", "d8"]]))
    assert list(problems(lambda: autorag.read(source))) == ["G013 qa.parquet q1", "G006 qa.parquet"]


def test_a_missing_column_is_named_with_those_there(tmp_path: Path) -> None:
    source = folder(tmp_path, {"qid": "q1", "question": "Which?"})
    with pytest.raises(GoldenSetError, match=r"no column query, retrieval_gt, generation_gt; it has qid, question"):
        autorag.read(source)


@pytest.mark.parametrize("text", [None, 7, b"Alpha"])
def test_contents_that_are_no_text_are_refused_with_the_document(tmp_path: Path, text: Any) -> None:
    foreign = autorag.read(folder(tmp_path / "source", corpus=[{"doc_id": "d1", "contents": text}]))
    assert list(problems(lambda: store(foreign, tmp_path / "set"))) == ["G009 document 'd1' text"]


def test_what_documents_say_of_themselves_comes_back(tmp_path: Path) -> None:
    mine = load(write(tmp_path / "mine"))
    autorag.write([row()], mine, tmp_path / "out")
    golden = store(autorag.read(tmp_path / "out"), tmp_path / "set")
    assert golden is not None
    for was, is_ in zip(mine.documents, golden.documents, strict=True):
        assert (is_.title, is_.mime_type, is_.tenant, is_.valid_from, is_.valid_to) == (
            was.title,
            was.mime_type,
            was.tenant,
            was.valid_from,
            was.valid_to,
        )


def test_what_is_lost_beside_fields_is_said(tmp_path: Path) -> None:
    rows = [row(reference="6 months"), refusal(id="u1")]
    notes = autorag.write(rows, load(write(tmp_path / "mine", rows)), tmp_path / "out")
    assert notes[:2] == [
        "quotes: evidence is whole documents",
        "that the answer of 1 question is a reference",
    ]


def test_two_quotes_of_one_document_are_one_document(tmp_path: Path) -> None:
    rows = [row(evidence=[[FILTER], [{"doc": "aq.md", "quote": "The probe lasts 9 months."}]])]
    autorag.write(rows, load(write(tmp_path / "mine", rows)), tmp_path / "out")
    assert autorag.read(tmp_path / "out").questions[0]["evidence"] == [[{"doc": "aq.md"}]]


def test_a_blocked_target_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot write"):
        autorag.write([row()], load(write(tmp_path / "mine")), tmp_path / "file" / "out")


def test_fields_that_are_not_taken_over_are_named_with_their_number(tmp_path: Path) -> None:
    corpus = [{"doc_id": "d1", "contents": "Alpha.", "path": "a.pdf"}, {"doc_id": "d2", "contents": "Beta.", "path": ""}]
    questions = [asked(query_type="x"), asked([[""]], qid="q2", query_type="y"), asked(qid="q3", query_type=None)]
    foreign = autorag.read(folder(tmp_path, *questions, corpus=corpus))
    assert list(foreign.notes) == ["not taken over: query_type (2), generation_gt (1), path (1)"]


@pytest.mark.parametrize(
    ("metadata", "notes"),
    [
        ({"last_modified_datetime": "2025-01-01", "author": "Ann"}, ["not taken over: last_modified_datetime (1)"]),
        ({"author": "Ann"}, []),
        ("author: Ann", ["not taken over: metadata (1)"]),
    ],
)
def test_metadata_that_is_not_taken_over_is_named(tmp_path: Path, metadata: Any, notes: list[str]) -> None:
    corpus = [{"doc_id": "d1", "contents": "Alpha.", "metadata": metadata}]
    assert list(autorag.read(folder(tmp_path, corpus=corpus)).notes) == notes
