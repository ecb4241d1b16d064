"""A run from its questions to the report, with real, model-free stages."""

import json
import re

import pytest

from harness.answerability.threshold import Threshold
from harness.attribution.stations import Station, decode, encode
from harness.chunking.recursive import Recursive
from harness.context import TopPassages
from harness.embedding.hashing import Hashing
from harness.fusion import ReciprocalRankFusion
from harness.generation.extractive import Extractive
from harness.pipeline import Depth, IndexedPipeline, Pipeline
from harness.reporting.analysis import Analysis, analyse
from harness.reporting.html import run_report
from harness.reporting.waterfall import summarise_losses
from harness.reranking.lexical import Lexical
from harness.retrieval.sparse import BM25
from harness.types import Question, Trace
from tests.builders import document, question
from tests.reporting.records import record

TEXTS = {
    "battery.md": "The soil probe runs on two AA cells. The cells last 18 months at one reading an hour.",
    "range.md": "The gateway reaches sensors up to 400 metres away in open terrain.",
    "reset.md": "Hold the button for ten seconds to reset the gateway to factory settings.",
    "north.md": "Northwind pays 12 euros for each soil probe battery.",
}
ASKED = {
    "How long do the cells of the soil probe last?": ("battery.md", "18 months"),
    "How far does the gateway reach sensors in open terrain?": ("range.md", "400 metres"),
    "For how much money does Northwind get a soil probe battery?": ("north.md", "12 euros"),
    "Who knows the opera house?": None,
}


def system() -> IndexedPipeline:
    """BM25 alone, two candidates deep; Northwind's price is its own."""
    stages = {"retrievers": {"bm25": BM25()}, "reranker": Lexical(), "answerability": Threshold(0.3)}
    recipe = Pipeline(
        chunker=Recursive(size=40),
        embedder=Hashing(),
        fuser=ReciprocalRankFusion(),
        context=TopPassages(),
        generator=Extractive(),
        depth=Depth(2, 2, 1),
        **stages,  # type: ignore[arg-type]
    )
    documents = [document(name, text, tenant="northwind" if name == "north.md" else "") for name, text in TEXTS.items()]
    return recipe.index(documents, as_of="2026-01-01")


def questions() -> list[Question]:
    """One question of each document but one, and one that nothing answers."""
    found = []
    for place, (text, wanted) in enumerate(ASKED.items()):
        evidence = [[(wanted[0], 0, len(TEXTS[wanted[0]]))]] if wanted else []
        answers = (wanted[1],) if wanted else ()
        found.append(question(f"q{place}", text, evidence, answers=answers, answerable=bool(wanted)))
    return found


@pytest.fixture(scope="module")
def run() -> tuple[list[Question], dict[str, Trace], Analysis]:
    """Everything asked once."""
    asked, known = questions(), system()
    traces = {item.question_id: known.answer(item) for item in asked}
    return asked, traces, analyse(asked, traces, 0.9, known)


def test_every_question_is_attributed(run: tuple[list[Question], dict[str, Trace], Analysis]) -> None:
    stations = {name: item.station for name, item in run[2].attributions.items()}
    assert stations == {
        "q0": Station.ANSWERED,
        "q1": Station.ANSWERED,
        "q2": Station.HIDDEN,
        "q3": Station.RIGHTLY_REFUSED,
    }


def test_the_signal_is_held_against_what_could_be_answered(run: tuple[list[Question], dict[str, Trace], Analysis]) -> None:
    found = run[2]
    assert found.risk.n == 4
    assert found.risk.points[-1][1:] == (1.0, 0.5)
    assert sum(item.n for item in found.reliability.bins) == 4


def test_the_report_tells_the_same_from_what_was_stored(run: tuple[list[Question], dict[str, Trace], Analysis]) -> None:
    asked, traces, found = run
    stored = Analysis(decode(json.loads(json.dumps(encode(found.attributions)))), found.risk, found.reliability)
    pages = [run_report(record(), None, (), asked, list(traces.values()), item) for item in (found, stored)]
    assert pages[0] == pages[1]
    assert "north.md is kept from an asker without a name" in pages[0]


def test_the_waterfall_agrees_with_the_answers(run: tuple[list[Question], dict[str, Trace], Analysis]) -> None:
    asked, traces, found = run
    falls = summarise_losses(found.attributions, asked)
    answered = [item for item in traces.values() if item.answer and not item.answer.refused]
    assert falls.sentence == f"{len(answered)} of 3 questions cited; 1 hidden"
    assert all(re.search(r"\[[0-9a-f]{12}\]", item.answer.text) for item in answered if item.answer)
