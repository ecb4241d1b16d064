"""A choice of when to refuse as people read it, and as the file that the next run reads."""

import io
import json
from dataclasses import replace
from typing import Any

import pytest
import yaml
from rich.console import Console

from harness.answerability.calibrated import Calibrated
from harness.reporting.refusal_calibration import Calibration, Rates, Row, option, terminal
from harness.statistics.separation import Separation
from harness.types import Aggregate

SOURCE = Calibrated("hybrid 12ab", "mine v2", "ab" * 32, "a 'quoted' reranker\n", "an embedder", {"route": "none"}, 60, 0.7)
NEW = (Aggregate("over_refusal_rate", 0.1, 30, 0.05, 0.2), Aggregate("false_answer_rate", None, 0))
FOUND = Calibration(
    method="classifier",
    target="harness.answerability.classifier.Classifier",
    settings={"signals": {"margin": {"weight": 0.5, "mean": 0.25, "scale": 1.0}}, "intercept": 0.1, "minimum": 0.6},
    source=SOURCE,
    tune=(40, 20),
    test=(30, 0),
    left_out=3,
    signals=(Row("margin", Separation(0.7, 0.6, 0.8, 60), Separation(None, n=30)),),
    constant=("bm25_hits",),
    confidence=Row("confidence", Separation(0.72, 0.6, 0.8, 60), Separation(None, n=30)),
    objective=0.61234,
    rates=Rates(
        NEW,
        (Aggregate("over_refusal_rate", 0.4, 30, 0.3, 0.5),),
        (Aggregate("over_refusal_rate", -0.3, 30, -0.4, -0.2), Aggregate("grounded_refusal_f1", 0.1, 30, -0.1, 0.3)),
    ),
    curve=(("100%", "0.500", "0.1"),),
)


def shown(found: Calibration) -> str:
    console = Console(file=io.StringIO(), width=160)
    console.print(terminal(found))
    return console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    [
        "classifier on mine v2, run hybrid 12ab",
        "tune 40 answerable and 20 unanswerable questions; test 30 answerable and 0 unanswerable questions; 3 without a trace",
        "the same for every tune question, so left out: bm25_hits",
        "margin   0.700   0.600–0.800      –",
        "Over-refusal rate   30    0.100   0.050–0.200           0.400   0.300–0.500",
        "False answer rate    0        –",
        "Over-refusal rate     30   -0.300   -0.400 to -0.200",
        "Grounded refusal F1   30   +0.100   -0.100 to +0.300",
        "Grounded refusal F1 on tune 0.612 (on groups left out of training), on test –",
        "on the same test questions: +0.100 (-0.100 to +0.300); it cannot be told from the run's own",
        "Chosen: 1 signal, intercept=0.1, minimum=0.6",
    ],
)
def test_every_figure_stands_with_its_interval_and_its_number_of_questions(line: str) -> None:
    assert line in shown(FOUND)


def test_a_run_that_assessed_nothing_has_no_figures_of_its_own() -> None:
    text = shown(replace(FOUND, rates=Rates(NEW, (), ())))
    assert "Chosen less the run's own" not in text
    assert "Whether it is better than the run's own rule is not known" in text
    assert "0.100   0.050–0.200               –" in text


def test_the_file_holds_the_numbers_and_where_they_come_from() -> None:
    read = yaml.safe_load(option(FOUND))
    assert read["_target_"] == FOUND.target
    assert {name: read[name] for name in FOUND.settings} == FOUND.settings
    assert read["calibrated"] == {name: getattr(SOURCE, name) for name in SOURCE.__dataclass_fields__}


def test_the_file_begins_with_what_it_is_for_and_says_what_it_does_on_test() -> None:
    lines = option(FOUND).splitlines()
    assert lines[0].startswith("# Refuse before generation when a logistic model")
    assert "# Over-refusal rate 0.100 (0.050–0.200), n = 30" in lines
    assert "# False answer rate –, n = 0" in lines
    assert all("#" in line for line in lines if ":" in line and not line.startswith("_target_"))


@pytest.mark.parametrize(
    ("low", "high", "value", "verdict"),
    [
        (-0.1, 0.3, 0.1, "it cannot be told from the run's own"),
        (0.0, 0.3, 0.1, "it cannot be told from the run's own"),
        (None, None, 0.0, "it cannot be told from the run's own"),
        (0.01, 0.3, 0.1, "it is higher"),
        (-0.3, -0.01, -0.1, "it is lower"),
    ],
)
def test_the_terminal_and_the_file_say_whether_the_rule_can_be_told_from_the_run_s_own(
    low: float | None, high: float | None, value: float, verdict: str
) -> None:
    change = Aggregate("grounded_refusal_f1", value, 30, low, high)
    found = replace(FOUND, rates=replace(FOUND.rates, changes=(change,)))
    assert f"; {verdict}\n" in "\n".join(line.rstrip() for line in shown(found).splitlines())
    assert [line for line in option(found).splitlines() if line.startswith("# Less that") and line.endswith(verdict)]


@pytest.mark.parametrize(
    ("method", "settings", "what"),
    [
        ("threshold", {"minimum": 0.5}, "lowest rerank score of the best passage"),
        ("classifier", FOUND.settings, "lowest probability to answer from"),
    ],
)
def test_the_file_says_what_a_minimum_is_held_against(method: str, settings: dict[str, Any], what: str) -> None:
    (line,) = (
        line for line in option(replace(FOUND, method=method, settings=settings)).splitlines() if line.startswith("minimum")
    )
    assert what in line


def test_the_confidence_of_a_margin_is_said_to_be_the_lead_alone() -> None:
    found = replace(FOUND, method="margin", settings={"margin": 0.1, "minimum": 0.5})
    assert "confidence (the lead alone; the minimum is not in it)" in shown(found)
    assert "confidence (the lead alone; the minimum is not in it)" in option(found)


def test_the_evidence_is_json() -> None:
    assert json.loads(FOUND.as_json())["confidence"]["tune"]["value"] == 0.72
