"""Chunkers by meaning through the command line: what is found is small, what is shown and scored is its parent."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.runs import load_traces
from harness.scores import read
from harness.types import Chunk
from tests.cli.project import DOCUMENTS, questions, write_golden_set
from tests.cli.test_run import folders, results
from tests.fake_openai import Reply, ok

RUN = ("run", "+experiment=light", "gate=none", "judge=none", "retrievers=bm25")


def _shown(project: Path, question_id: str = "q0") -> list[Chunk]:
    return [hit.chunk for hit in load_traces(folders(project)[-1])[question_id].context.hits]


def _over_two_sentences(project: Path) -> None:
    """The set with one question whose evidence begins in one sentence and ends in the next."""
    row = {**questions()[0], "evidence": [[{"doc": "battery.md", "quote": "runs on two AA cells. The cells last 18 months"}]]}
    write_golden_set(project / "golden_sets" / "tiny", [row, *questions()[1:]])


def _values(project: Path, question_id: str, *metrics: str) -> list[float | None]:
    values = {(row.metric, row.question_id): row.value for row in read(folders(project)[-1] / "scores.jsonl")}
    return [values[metric, question_id] for metric in metrics]


def test_a_found_sentence_is_shown_and_scored_as_its_window(project, harness):
    _over_two_sentences(project)
    code, text = harness(*RUN, "chunker=sentence_window")
    assert code == 0, text
    assert _shown(project)[0].text == DOCUMENTS["battery.md"].strip()
    assert _values(project, "q0", "recall_at_1", "whole_evidence_at_5") == [1.0, 1.0]


def test_a_sentence_shown_alone_misses_what_the_window_holds(project, harness):
    _over_two_sentences(project)
    harness(*RUN, "chunker=sentence_window", "chunker.window=0")
    assert {chunk.text.count(".") for chunk in _shown(project)} == {1}
    assert _values(project, "q0", "recall_at_1", "whole_evidence_at_5") == [0.0, 0.0]


@pytest.mark.parametrize("chunker", ["two_tier", "sentence_window", "proposition"])
def test_no_child_is_ever_shown_and_nothing_is_lost(project, harness, chunker):
    code, text = harness(*RUN, f"chunker={chunker}")
    assert code == 0, text
    assert {(chunk.kind, chunk.parent) for chunk in _shown(project)} == {("prose", "")}
    assert results(project)["metrics"]["recall_at_5"]["value"] == 1.0


def test_the_semantic_chunkers_own_embedder_is_an_option_of_its_own(project, harness):
    words = (*RUN, "chunker=semantic", "embedder@chunker.embedder=hashing", "chunker.threshold=0.3")
    code, text = harness(*words)
    assert code == 0, text
    config = (folders(project)[-1] / "config.yaml").read_text()
    assert config.count("harness.embedding.hashing.Hashing") == 2


def _stating(request: dict[str, Any]) -> Reply:
    """The passage's last sentence as its one proposition."""
    lines = request["messages"][1]["content"].partition("<<<passage ")[2].splitlines()[1:-1]
    return ok(json.dumps({"propositions": [lines[-1].removeprefix("| ")]}))


def _model(server: Any) -> list[str]:
    return [
        "chunker=proposition_llm",
        "chunker.llm.model=openai/stating",
        f"chunker.llm.api_base={server.url}",
        "chunker.llm.attempts=1",
    ]


def test_a_language_model_is_paid_once_for_the_propositions_of_a_passage(project, harness, fake_openai, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    fake_openai.script("stating", _stating)
    code, text = harness(*RUN, *_model(fake_openai))
    assert code == 0, text
    assert fake_openai.count("stating") == 5
    harness(*RUN, *_model(fake_openai))
    assert fake_openai.count("stating") == 5


def test_a_model_that_states_nothing_readable_ends_the_run_with_the_document(project, harness, fake_openai, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    fake_openai.script("stating", ok("Sure! Here are the propositions."))
    code, text = harness(*RUN, *_model(fake_openai))
    assert code == 2
    assert "propositions of 'battery.md', lines 1-3" in " ".join(text.split())
    assert "Traceback" not in text
