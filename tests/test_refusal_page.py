"""docs/refusal.md is what the record says; what it claims of public questions is held there, and measured again without a model."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.refusal import PAGE, PIPELINE, RECORD, SAMPLE, SETS, _change, asked, halves, measured, rendered, traces
from harness.answerability.calibrated import STEPS, retrieval_of
from harness.answerability.signals import SIGNALS
from harness.build.compose import compose_known
from harness.build.finished import stage_of
from harness.build.overrides import parse
from harness.cli.main import parser
from harness.golden.golden_set import load
from harness.resources import shipped_root
from tests.builders import question
from tests.golden.public import public

FOUND = json.loads(RECORD.read_text("utf-8"))
ROWS = {item["set"]: {row["name"]: row for row in item["rows"]} for item in FOUND["sets"]}
FERNHILL = FOUND["fernhill"]


def test_the_page_is_rendered_from_the_record() -> None:
    assert PAGE.read_text("utf-8") == rendered()


@pytest.mark.parametrize("name", SETS)
def test_the_classifier_separates_better_than_the_best_bm25_score_on_questions_of_other_articles(name: str) -> None:
    rows = ROWS[name]
    assert rows["classifier"]["auroc"]["value"] > rows["bm25_top"]["auroc"]["value"]
    assert rows["classifier"]["to_bm25_top"]["low"] > 0


def test_what_the_page_says_of_single_signals_is_so() -> None:
    clapnq, top = ROWS["clapnq_dev"], next(row for row in FERNHILL["classifier"]["signals"] if row["name"] == "top_score")
    assert clapnq["top_score"]["auroc"]["value"] >= clapnq["classifier"]["auroc"]["value"]
    assert top["test"]["low"] < 0.5 < top["test"]["high"]
    confidences = {method: item["confidence"]["test"]["value"] for method, item in FERNHILL.items()}
    assert max(confidences, key=lambda method: confidences[method]) == "classifier"


def changes(metric: str, item: dict[str, Any]) -> dict[str, Any]:
    return next(row for row in item["rates"]["changes"] if row["metric"] == metric)


def test_what_the_page_says_of_fernhill_is_so() -> None:
    change = {method: changes("grounded_refusal_f1", item) for method, item in FERNHILL.items()}
    assert {method: item["low"] > 0 for method, item in change.items()} == {
        "threshold": False,
        "margin": False,
        "classifier": True,
    }
    rates = {item["metric"]: item["value"] for item in FERNHILL["classifier"]["rates"]["chosen"]}
    assert rates["over_refusal_rate"] < 0.1
    assert rates["false_answer_rate"] > 0.5


def test_the_page_says_where_the_classifier_gains_and_where_it_loses_in_the_figures_of_the_record() -> None:
    text = " ".join(PAGE.read_text("utf-8").split())
    item = FERNHILL["classifier"]
    gain = changes("grounded_refusal_f1", item)
    assert f"higher by {_change(gain)}, an interval" in text
    new, own = ({row["metric"]: row["value"] for row in item["rates"][name]} for name in ("chosen", "current"))
    assert new["refusal_f1"] < own["refusal_f1"]
    for metric in ("refusal_f1", "false_answer_rate"):
        assert f"({new[metric]:.3f} against {own[metric]:.3f})" in text
    clapnq = [f"{ROWS['clapnq_dev'][name]['auroc']['value']:.3f}" for name in ("classifier", "top_score")]
    assert f"({' against '.join(clapnq)})" in text
    assert f"{len(item['settings']['signals'])} signals taken together" in text


def test_the_page_warns_of_a_set_with_few_groups() -> None:
    (few,) = (item for item in FOUND["sets"] if max(item["groups"]) < 20)
    assert f"{few['set']} rest on {few['groups'][1]} groups" in " ".join(PAGE.read_text("utf-8").split())


def test_every_signal_is_measured_on_every_set() -> None:
    for rows in ROWS.values():
        assert set(rows) == {*SIGNALS, "classifier", "classifier without reranked scores"}


def test_both_halves_have_enough_questions_of_both_classes() -> None:
    for item in FOUND["sets"]:
        assert min(*item["train"], *item["test"]) >= 50
        assert sum(item["train"]) + sum(item["test"]) == FOUND["sample"] == SAMPLE


def test_the_shipped_classifier_is_the_one_of_the_page_and_of_the_golden_set_as_it_stands() -> None:
    option = yaml.safe_load((shipped_root() / "conf" / "answerability" / "classifier.yaml").read_text("utf-8"))
    golden = load(shipped_root() / "golden_sets" / "fernhill")
    assert option["calibrated"]["questions"] == golden.digest
    settings = FERNHILL["classifier"]["settings"]
    assert option["minimum"] == pytest.approx(settings["minimum"], abs=1e-4)
    assert option["signals"].keys() == settings["signals"].keys()


def test_the_shipped_classifier_holds_for_the_retrieval_that_is_shipped() -> None:
    option = yaml.safe_load((shipped_root() / "conf" / "answerability" / "classifier.yaml").read_text("utf-8"))
    config, faults = compose_known(parse(["+experiment=hybrid_rerank"])[0])
    assert faults == []
    assert option["calibrated"]["retrieval"] == retrieval_of({slot: stage_of(config, slot) for slot in ("retrievers", *STEPS)})


def test_the_halves_share_no_article_and_do_not_depend_on_the_order() -> None:
    questions = [question(f"q{place}", group=f"g{place % 9}") for place in range(30)]
    assert halves(questions) == halves(questions[::-1])
    assert len(halves(questions)) == 5


@pytest.mark.public_data
@pytest.mark.parametrize("name", SETS)
def test_without_any_model_a_classifier_separates_better_than_the_best_bm25_score(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARNESS_CACHE_DIR", str(tmp_path))
    documents, questions = asked(public(name), SAMPLE)
    found = traces(documents, questions, [*PIPELINE, "embedder=hashing", "reranker=lexical"])
    rows: dict[str, Any] = {row["name"]: row for row in measured(name, questions, found)["rows"]}
    assert rows["bm25_top"] == ROWS[name]["bm25_top"]
    assert rows["classifier"]["auroc"]["value"] > rows["bm25_top"]["auroc"]["value"] + 0.02


COMMANDS = [line.partition("#")[0] for line in PAGE.read_text("utf-8").splitlines() if line.startswith("python -m harness ")]


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_of_the_page_can_be_typed(line: str) -> None:
    words = shlex.split(line)[3:]
    assert parser().parse_args(words).command == words[0]
