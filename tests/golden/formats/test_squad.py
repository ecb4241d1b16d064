"""Sets in SQuAD 2 form."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.errors import GoldenSetError
from harness.golden.formats import squad
from harness.golden.formats.foreign import store
from harness.types import Evidence, Span
from tests.contracts.golden_format import TextFormatContract
from tests.golden.formats.faults import problems


class TestSquad(TextFormatContract):
    name = "squad"
    file = "exported.json"
    held = frozenset({"id", "question", "answerable"})
    explained = frozenset({"evidence"})


def answer(text: str, start: int) -> dict[str, Any]:
    return {"text": text, "answer_start": start}


def qa(name: str = "q1", answers: list[dict[str, Any]] | None = None, **fields: Any) -> dict[str, Any]:
    return {"id": name, "question": "Which?", "answers": [answer("Alpha", 0)] if answers is None else answers, **fields}


def article(*qas: dict[str, Any], title: str = "My_Title", context: str = "Alpha beta. Alpha.") -> dict[str, Any]:
    return {"title": title, "paragraphs": [{"context": context, "qas": list(qas)}]}


def squad_file(folder: Path, *articles: Any) -> Path:
    path = folder / "squad.json"
    path.write_text(json.dumps({"version": "v2.0", "data": list(articles)}))
    return path


def test_the_spans_of_several_people_are_alternatives(tmp_path: Path) -> None:
    path = squad_file(tmp_path, article(qa(answers=[answer("Alpha", 12), answer("beta", 6), answer("Alpha", 12)])))
    golden = store(squad.read(path), tmp_path / "set")
    assert golden is not None
    assert golden.questions[0].evidence == (Evidence((Span("My_Title", 6, 10), Span("My_Title", 12, 17))),)
    assert golden.questions[0].answers == ("Alpha", "beta")
    assert golden.documents[0].title == "My Title"


def test_an_impossible_question_is_to_be_refused(tmp_path: Path) -> None:
    path = squad_file(tmp_path, article(qa(answers=[], is_impossible=True, plausible_answers=[answer("beta", 6)])))
    (row,) = squad.read(path).questions
    assert (row["answerable"], row["refusal_reason"], "evidence" in row) == (False, "not_in_document", False)


def test_a_question_without_answers_waits_for_some(tmp_path: Path) -> None:
    foreign = squad.read(squad_file(tmp_path, article(qa(answers=[]))))
    assert ([*foreign.questions], [row["id"] for row in foreign.drafts]) == ([], ["q1"])


def test_paragraphs_of_one_article_are_numbered_and_one_group(tmp_path: Path) -> None:
    both = {"title": "T", "paragraphs": [{"context": "Alpha", "qas": [qa(name)]} for name in ("q1", "q2")]}
    foreign = squad.read(squad_file(tmp_path, both))
    assert [row["_id"] for row in foreign.documents] == ["T::000", "T::001"]
    assert [row["group"] for row in foreign.questions] == ["T", "T"]


def test_all_answers_out_of_place_and_all_repeated_ids_are_reported(tmp_path: Path) -> None:
    wrong = [answer("beta", 5), answer("", 3), answer("Alpha", -18)]
    path = squad_file(tmp_path, article(qa(answers=wrong), qa()), article(title="My_Title"))
    with pytest.raises(GoldenSetError) as caught:
        squad.read(path)
    assert [f"{problem.code} {problem.where}" for problem in caught.value.problems] == [
        "G014 squad.json q1",
        "G014 squad.json q1",
        "G014 squad.json q1",
        "G006 squad.json",
        "G006 squad.json title",
    ]


def test_fields_of_wrong_types_are_named_by_their_place(tmp_path: Path) -> None:
    path = squad_file(tmp_path, article({"id": 7, "question": "Which?", "answers": [{"text": "x"}]}))
    assert list(problems(lambda: squad.read(path))) == [
        "G009 squad.json data[0].paragraphs[0].qas[0].id",
        "G005 squad.json data[0].paragraphs[0].qas[0].answers[0].answer_start",
    ]


def test_a_file_without_questions_is_no_set(tmp_path: Path) -> None:
    with pytest.raises(GoldenSetError, match="no questions"):
        store(squad.read(squad_file(tmp_path, article())), tmp_path / "set")
    assert not (tmp_path / "set").exists()


def test_a_refusal_stays_under_the_document_of_its_group(tmp_path: Path) -> None:
    refused = qa("u1", [], is_impossible=True)
    path = squad_file(tmp_path, article(qa(), title="A"), article(refused, title="B", context="Beta"))
    golden = store(squad.read(path), tmp_path / "set")
    assert golden is not None
    squad.write([], golden, tmp_path / "again.json")
    again = json.loads((tmp_path / "again.json").read_text())["data"]
    assert [(item["title"], [one["id"] for one in item["paragraphs"][0]["qas"]]) for item in again] == [
        ("A", ["q1"]),
        ("B", ["u1"]),
    ]


def test_fields_that_are_not_taken_over_are_named_with_their_number(tmp_path: Path) -> None:
    refused = qa("u1", [], is_impossible=True, plausible_answers=[{"text": "Beta", "answer_start": 0}])
    empty = qa("u2", [], is_impossible=True, plausible_answers=[])
    path = squad_file(tmp_path, article(qa("q1"), refused, empty, qa("q2", source="web")))
    assert list(squad.read(path).notes) == ["not taken over: plausible_answers (1), source (1)"]


def test_answers_of_a_refusal_are_not_taken_over(tmp_path: Path) -> None:
    path = squad_file(tmp_path, article(qa("q1"), qa("u1", is_impossible=True)))
    assert list(squad.read(path).notes) == ["not taken over: answers (1)"]
