"""What a report says before it is Markdown or HTML."""

from dataclasses import replace

import pytest

from harness.gates.baseline import Baseline
from harness.judging.calibration import CalibrationRecord, Estimate
from harness.reporting.analysis import Analysis
from harness.reporting.latency import Latency, duration, latencies
from harness.reporting.summary import facts, summarise
from harness.types import Answer, Query, Trace
from tests.reporting.records import answered, asked, baseline, record


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.00042, "420 µs"), (0.012, "12 ms"), (0.9, "900 ms"), (3.44, "3.4 s"), (1234.0, "1,234.0 s")]
)
def test_durations_have_a_unit_that_fits(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_latency_is_told_per_stage_in_the_order_of_the_pipeline() -> None:
    assert latencies(answered(Answer("a"), Answer("b"))) == [
        Latency("retrieve_bm25", "20 ms", "20 ms"),
        Latency("generate", "1.5 s", "1.5 s"),
    ]


def test_facts_name_inputs_by_digest_and_leave_out_what_is_unknown() -> None:
    told = dict(facts(replace(record(), environment={}), None, 4))
    assert told["Golden set"] == "smoke v3, 4 questions"
    assert told["Golden digest"] == "9f3a9f3a9f3a"
    assert told["Corpus"] == "chunks 12, documents 3"
    assert "Code revision" not in told


def test_the_accepted_baseline_is_named_with_what_differs() -> None:
    accepted = baseline({})
    same, other = record(), record(fingerprints={"config": "1", "golden_set": "9f3a" * 16})
    assert dict(facts(same, accepted, 4))["Accepted baseline"].endswith("same config and inputs")
    assert dict(facts(other, accepted, 4))["Accepted baseline"].endswith("differs in config")


def test_settings_and_gate_rules_that_changed_are_two_remarks() -> None:
    before = baseline({}, config={"fuser": {"k": 60}, "gate": {"alpha": 0.01}})
    told = facts(record(config={"fuser": {"k": 30}, "gate": {"alpha": 0.2}}), before, 4)
    assert [text for label, text in told if label == "Remark"] == [
        "settings differ from the accepted ones: fuser.k 60 -> 30",
        "gate rules differ from those it was accepted under: gate.alpha 0.01 -> 0.2",
    ]


@pytest.mark.parametrize("accepted", [baseline({}), baseline({}, config={}), None], ids=["same", "not kept", "no baseline"])
def test_there_is_no_remark_on_settings_otherwise(accepted: Baseline | None) -> None:
    assert "Remark" not in dict(facts(record(overrides=("fuser.k=60",)), accepted, 4))


def test_secrets_stand_neither_in_settings_nor_in_overrides() -> None:
    summary = summarise(record(overrides=("generator.api_key=sk-CANARY-123456",)), None, (), (), ())
    assert "CANARY" not in str((summary.settings, summary.overrides))


def calibration(metric: str = "faithfulness", auroc: float = 0.91) -> CalibrationRecord:
    """A record of a judge that agrees well with people."""
    good = Estimate(auroc, auroc - 0.03, auroc + 0.03)
    return CalibrationRecord(
        "lexical 3 {}", metric, "ragtruth", "0f" * 32, 400, 400, 400, 1, (), 0.5, good, good, good, 0.5, good, None
    )


def judged_title(calibrations: dict[str, CalibrationRecord] | None) -> str:
    """The title of faithfulness in a report."""
    run = record({"faithfulness": 0.8, "recall_at_5": 0.5}, fingerprints={"judge": "lexical 3 {}"})
    rows = summarise(run, None, (), (), (), Analysis(calibrations=calibrations)).results.headline
    return next(row.title for row in rows if row.metric == "faithfulness")


def test_a_calibrated_judge_says_on_which_labels_and_how_well() -> None:
    assert judged_title({"faithfulness": calibration()}) == "Faithfulness (lexical, calibrated on ragtruth, AUROC 0.910) ↑"


def test_a_judge_without_a_record_of_its_metric_is_advisory() -> None:
    advisory = "Faithfulness (lexical, advisory: not calibrated) ↑"
    assert judged_title({}) == judged_title({"nugget_recall": calibration("nugget_recall")}) == advisory


def test_where_nobody_looked_for_a_calibration_nothing_is_said_of_it() -> None:
    assert judged_title(None) == "Faithfulness (lexical) ↑"


def test_steps_that_were_left_out_are_remarks_of_the_report() -> None:
    left_out = Trace("q1", (Query("Which?", fallback="hyde: R007 model 'm' refused the request"),))
    told = [text for label, text in summarise(record(), None, (), asked(), [left_out]).facts if label == "Remark"]
    assert told == ["hyde failed for 1 of 1 question and was left out; first: R007 model 'm' refused the request"]
