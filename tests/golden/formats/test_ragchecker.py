"""Files in RAGChecker form."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.errors import CorpusError, GoldenSetError
from harness.golden.formats import ragchecker
from harness.golden.formats.foreign import store
from harness.golden.golden_set import load
from tests.contracts.golden_format import Exported, TextFormatContract
from tests.golden.folders import row, write
from tests.golden.formats.faults import problems


class TestRagchecker(TextFormatContract):
    name = "ragchecker"
    file = "exported.json"
    held = frozenset({"id", "question", "reference"})
    explained = frozenset({"evidence"})
    documents = False

    def test_documents_come_back_whole(self, storable: Exported, tmp_path: Path) -> None:
        """All became drafts: the corpus is kept for them."""
        corpus = tmp_path / "mine" / "corpus"
        assert store(self.read(storable), tmp_path / "back", corpus) is None
        assert (tmp_path / "back" / "corpus" / "aq.md").read_bytes() == (corpus / "aq.md").read_bytes()

    def test_exporting_what_was_imported_gives_the_same_bytes(self, storable: Exported, tmp_path: Path) -> None:
        """The drafts, not questions, are what came back."""
        store(self.read(storable), tmp_path / "back", tmp_path / "mine" / "corpus")
        drafts = [json.loads(line) for line in (tmp_path / "back" / "drafts.jsonl").read_text().splitlines()]
        assert [draft["id"] for draft in drafts] == [question.question_id for question in storable.golden.questions]
        assert all(draft["reviewed"] is False for draft in drafts)


def result(name: str = "q1", **fields: Any) -> dict[str, Any]:
    return {"query_id": name, "query": "Which?", "gt_answer": "That.", **fields}


def ragchecker_file(folder: Path, *results: dict[str, Any]) -> Path:
    path = folder / "checked.json"
    path.write_text(json.dumps({"results": list(results)}))
    return path


def test_questions_become_drafts_and_contexts_documents(tmp_path: Path) -> None:
    places = [{"doc_id": "d1", "text": "Alpha"}, {"doc_id": "d1", "text": "Beta"}, {"doc_id": "d1", "text": " "}]
    path = ragchecker_file(tmp_path, result(retrieved_context=places, response="x"), result("q2", retrieved_context=places[:1]))
    foreign = ragchecker.read(path)
    assert list(foreign.documents) == [{"_id": "d1", "text": "Alpha"}, {"_id": "d1#2", "text": "Beta"}]
    assert [(draft["id"], draft["reference"]) for draft in foreign.drafts] == [("q1", "That."), ("q2", "That.")]
    assert store(foreign, tmp_path / "set") is None
    assert not (tmp_path / "set" / "golden_set.yaml").exists()


def test_documents_of_drafts_are_checked_too(tmp_path: Path) -> None:
    places = [{"doc_id": "", "text": "Alpha"}]
    with pytest.raises((CorpusError, GoldenSetError)):
        store(ragchecker.read(ragchecker_file(tmp_path, result(retrieved_context=places))), tmp_path / "set")
    assert not (tmp_path / "set").exists()


def test_ids_used_twice_and_fields_of_wrong_types_are_refused(tmp_path: Path) -> None:
    assert "used 2 times" in problems(lambda: ragchecker.read(ragchecker_file(tmp_path, result(), result())))["G006 checked.json"]
    found = problems(lambda: ragchecker.read(ragchecker_file(tmp_path, {"query_id": 1.5, "query": "x"})))
    assert set(found) == {"G009 checked.json results[0].query_id", "G005 checked.json results[0].gt_answer"}


def test_a_first_answer_stands_in_for_a_missing_reference_and_is_said_to(tmp_path: Path) -> None:
    rows = [row(answers=["6 months", "half a year"])]
    notes = ragchecker.write(rows, load(write(tmp_path / "mine", rows)), tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text())["results"][0]["gt_answer"] == "6 months"
    assert "that the reference of 1 question is the first accepted answer" in notes


def test_numbers_as_ids_become_text(tmp_path: Path) -> None:
    path = ragchecker_file(tmp_path, result(7, retrieved_context=[{"doc_id": 1, "text": "Alpha"}]))  # type: ignore[arg-type]
    foreign = ragchecker.read(path)
    assert (foreign.drafts[0]["id"], foreign.documents[0]["_id"]) == ("7", "1")
    assert foreign.notes == ["the format holds no evidence: 1 draft needs quotes"]
