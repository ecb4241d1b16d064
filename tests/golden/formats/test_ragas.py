"""Files of ragas samples."""

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest

from harness.golden.formats import ragas
from harness.golden.formats.foreign import Foreign, Options, store
from harness.golden.golden_set import load
from tests.builders import document
from tests.contracts.golden_format import TextFormatContract
from tests.golden.folders import row, write
from tests.golden.formats.beir_folders import json_lines
from tests.golden.formats.faults import problems

CORPUS = Options(documents=(document("a.md", "Alpha beta. Alpha."), document("b.md", "Beta. aXaXa.")))


class TestRagas(TextFormatContract):
    name = "ragas"
    file = "exported.jsonl"
    held = frozenset({"question", "reference", "persona"})
    explained = frozenset({"evidence", "answerable"})
    documents = False
    refusals = False
    key = "question"


def read(folder: Path, *samples: dict[str, Any], options: Options = CORPUS) -> Foreign:
    path = folder / "samples.jsonl"
    path.write_text(json_lines(*({"user_input": "Which?", **sample} for sample in samples)))
    return ragas.read(path, options)


def evidence(foreign: Foreign) -> Any:
    return [row.get("evidence") for row in (*foreign.questions, *foreign.drafts)]


def test_a_context_is_found_in_all_documents_that_hold_it(tmp_path: Path) -> None:
    assert evidence(read(tmp_path, {"reference_contexts": ["beta. Alpha"]}, {"reference_contexts": ["eta"]})) == [
        [[{"doc": "a.md", "quote": "beta. Alpha"}]],
        [[{"doc": "a.md", "quote": "eta"}, {"doc": "b.md", "quote": "eta"}]],
    ]


@pytest.mark.parametrize(("ids", "docs"), [(["b.md"], ["b.md"]), (["nowhere"], ["a.md", "b.md"]), ([7], ["a.md", "b.md"])])
def test_an_id_says_which_document_is_meant(tmp_path: Path, ids: list[Any], docs: list[str]) -> None:
    ((group,),) = evidence(read(tmp_path, {"reference_contexts": ["eta"], "reference_context_ids": ids}))
    assert [place["doc"] for place in group] == docs


@pytest.mark.parametrize(("quote", "doc", "start"), [("Alpha", "a.md", 0), ("aXa", "b.md", 6)])
def test_a_context_that_stands_twice_gets_its_place(tmp_path: Path, quote: str, doc: str, start: int) -> None:
    assert evidence(read(tmp_path, {"reference_contexts": [quote]})) == [[[{"doc": doc, "quote": quote, "start": start}]]]


def test_without_a_corpus_each_context_is_a_document(tmp_path: Path) -> None:
    foreign = read(
        tmp_path, {"reference_contexts": ["Alpha", "Beta", "Alpha"]}, {"reference_contexts": ["Beta"]}, options=Options()
    )
    assert list(foreign.documents) == [{"_id": "context-0001", "text": "Alpha"}, {"_id": "context-0002", "text": "Beta"}]
    golden = store(foreign, tmp_path / "set")
    assert golden is not None
    assert [len(question.evidence) for question in golden.questions] == [2, 1]


@pytest.mark.parametrize("contexts", [None, [], ["Gamma"], ["Alpha", "Gamma"], [" "]])
def test_a_sample_whose_contexts_are_not_all_there_waits_for_evidence(tmp_path: Path, contexts: list[str] | None) -> None:
    foreign = read(tmp_path, {"reference_contexts": contexts})
    assert (len(foreign.questions), len(foreign.drafts)) == (0, 1)
    assert "1 sample has no reference context" in foreign.notes[0]


def test_a_conversation_asks_its_last_question(tmp_path: Path) -> None:
    turns = [
        {"content": "Hi", "type": "human", "metadata": None},
        {"content": "Hello", "type": "ai", "tool_calls": []},
        {"content": "{}", "type": "tool"},
        {"content": "Which?", "type": "human"},
        {"content": "That one.", "type": "ai"},
    ]
    (found,) = read(tmp_path, {"user_input": turns, "reference_contexts": ["Alpha beta"]}).questions
    assert (found["question"], found["kind"]) == ("Which?", "multi_turn")
    assert found["history"] == [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]


def test_every_faulty_line_is_reported(tmp_path: Path) -> None:
    samples: list[dict[str, Any]] = [
        {"user_input": 7},
        {"user_input": [{"content": "Hi"}]},
        {"user_input": [{"content": "Hi", "type": "ai"}]},
        {"reference_contexts": "Alpha"},
        {"user_input": None},
    ]
    assert list(problems(lambda: read(tmp_path, *samples))) == [
        "G009 samples.jsonl:1 user_input",
        "G005 samples.jsonl:2 user_input[0].type",
        "G005 samples.jsonl:3 user_input",
        "G009 samples.jsonl:4 reference_contexts",
        "G005 samples.jsonl:5 user_input",
    ]


def test_what_ragas_itself_reads_is_written(tmp_path: Path) -> None:
    rows = [row(reference="6 months", persona="north")]
    notes = ragas.write(rows, load(write(tmp_path / "mine", rows)), tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text()) == {
        "user_input": "How long?",
        "reference": "6 months",
        "reference_contexts": ["The filter lasts 6 months."],
        "reference_context_ids": ["aq.md"],
        "persona_name": "north",
    }
    assert not any("refused" in note for note in notes)


class TestHops:
    HOPS: ClassVar[list[str]] = ["<1-hop>\n\nAlpha beta", "<2-hop>\n\naXaXa."]

    def test_their_marks_are_no_part_of_the_evidence(self, tmp_path: Path) -> None:
        foreign = read(tmp_path, {"reference_contexts": self.HOPS})
        assert evidence(foreign) == [[[{"doc": "a.md", "quote": "Alpha beta"}], [{"doc": "b.md", "quote": "aXaXa."}]]]
        assert foreign.questions[0]["kind"] == "multi_hop"

    def test_a_context_with_and_without_mark_is_one_document(self, tmp_path: Path) -> None:
        samples = [{"reference_contexts": self.HOPS}, {"reference_contexts": ["Alpha beta", "<1-hop>\n\naXaXa."]}]
        documents = read(tmp_path, *samples, options=Options()).documents
        assert [item["text"] for item in documents] == ["Alpha beta", "aXaXa."]

    def test_a_mark_inside_a_context_stays(self, tmp_path: Path) -> None:
        documents = read(tmp_path, {"reference_contexts": ["see <1-hop> there"]}, options=Options()).documents
        assert [item["text"] for item in documents] == ["see <1-hop> there"]

    @pytest.mark.parametrize(
        ("contexts", "kind"),
        [
            (["<1-hop>\n\nAlpha", "<2-hop>\n\nbeta."], "factoid"),
            (["<1-hop>\n\nAlpha", "<2-hop>\n\neta"], "factoid"),
            (["Alpha", "aXaXa."], "multi_hop"),
            (["eta"], "factoid"),
        ],
        ids=["one document", "alternatives in one document", "two documents", "one context"],
    )
    def test_a_question_is_of_many_hops_when_no_document_holds_all(self, tmp_path: Path, contexts: list[str], kind: str) -> None:
        assert read(tmp_path, {"reference_contexts": contexts}).questions[0]["kind"] == kind


def test_what_is_no_truth_is_named_with_its_number(tmp_path: Path) -> None:
    samples = [
        {"response": "x", "reference_contexts": ["Alpha beta"]},
        {"response": "y", "retrieved_contexts": ["a"], "rubrics": ""},
    ]
    assert read(tmp_path, *samples).notes[-1] == "not taken over: response (2), retrieved_contexts (1)"
