"""The shipped answers of the local model: replayed over the shipped smoke set on a machine without the model."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import runs
from harness.cli.main import main
from harness.generation.citations import cited_ids
from harness.llm import llama
from harness.recordings import NAME
from harness.resources import cache_dir, shipped_root
from harness.text import REFUSAL
from harness.types import Answer, Trace

RECORDED = shipped_root() / "reports" / "smoke" / f"local_llm.{NAME}"

pytestmark = [
    pytest.mark.models,
    pytest.mark.skipif(not RECORDED.exists(), reason=f"no answers are recorded: {RECORDED.name} is not there"),
]


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a replayed run, made where the engine of the local model is not installed."""
    folder = tmp_path_factory.mktemp("replayed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARNESS_CACHE_DIR", str(cache_dir().absolute()))
        patch.chdir(folder)
        patch.setattr(llama, "find_spec", lambda _name: None)
        assert main(["run", "--replay", "+experiment=local_llm", "gate=none", "tracking=none"]) == 0
        yield runs.newest(folder / "reports" / "runs")


@pytest.fixture(scope="module")
def traces(replayed: Path) -> list[Trace]:
    return list(runs.load_traces(replayed).values())


def metrics(folder: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = json.loads((folder / "results.json").read_text())["metrics"]
    return found


def said(traces: list[Trace]) -> list[tuple[Trace, Answer]]:
    return [(trace, trace.answer) for trace in traces if trace.answer and not trace.answer.refused]


def test_every_question_is_answered_and_none_fails(replayed: Path, traces: list[Trace]) -> None:
    assert len(traces) == 32
    assert not runs.load(replayed).failures


def test_no_citation_is_invented_and_none_was_in_a_draft(replayed: Path) -> None:
    invented = metrics(replayed)["invented_citations"]
    assert (invented["value"], invented["n"], invented["errors"]) == (0, 32, 0)


def test_every_answer_cites_and_cites_shown_passages_only(traces: list[Trace]) -> None:
    answers = said(traces)
    assert len(answers) > 10
    for trace, answer in answers:
        shown = {hit.chunk.chunk_id for hit in trace.context.hits}
        assert answer.citations and set(cited_ids(answer.text)) == set(answer.citations) <= shown


def test_refusals_are_the_one_sentence_with_a_reason_and_are_counted(replayed: Path, traces: list[Trace]) -> None:
    refused = [trace.answer for trace in traces if trace.answer and trace.answer.refused]
    assert len(refused) + len(said(traces)) == 32
    assert len(refused) >= 6
    assert all(answer.text == REFUSAL and answer.refusal_reason and not answer.citations for answer in refused)
    assert metrics(replayed)["refusal_recall"]["n"] == 12


def test_a_question_refused_before_generation_asked_no_model(traces: list[Trace]) -> None:
    before = [trace for trace in traces if trace.assessment and not trace.assessment.answerable]
    assert before and all(trace.answer and trace.answer.usage.calls == 0 for trace in before)
    asked = [trace.answer.usage.calls for trace in traces if trace not in before and trace.answer]
    assert asked and set(asked) == {1}
