"""What the shipped golden sets promise: sizes, kinds, reasons, splits by group, nuggets, and versions that move with edits."""

import json
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from harness.gates.baseline import accepted_in, as_record
from harness.gates.baseline import load as load_baseline
from harness.gates.gate import Gate
from harness.golden.golden_set import QUESTIONS, GoldenSet, load
from harness.golden.overlap import shares
from harness.golden.schema import KINDS, REFUSAL_REASONS
from harness.golden.summary import shown_if_all_right
from harness.golden.ties import Ties, ties
from harness.jsonl import read_rows
from harness.judging.calibration import FOLDER
from harness.types import Outcome
from tests.golden.public import ROOT

SETS = sorted(path.parent for path in (ROOT / "golden_sets").glob("*/golden_set.yaml"))
NAMES = [folder.name for folder in SETS]
REPORTED = sorted(path for path in (ROOT / "reports").iterdir() if path.name != FOLDER and any(path.glob("*.json")))
NOT_OF_SMOKE = {"expected_calibration_error", "tuned_refusal_f1", "tuned_over_refusal_rate", "tuned_false_answer_rate"}
"""Smoke has no tune questions to choose a threshold on, and not every variant's signal is a probability."""


@cache
def golden(name: str) -> GoldenSet:
    return load(ROOT / "golden_sets" / name)


@cache
def rows(name: str) -> tuple[dict[str, Any], ...]:
    found, problems = read_rows(ROOT / "golden_sets" / name / QUESTIONS)
    assert problems == []
    return tuple(row.fields for row in found if not row.fields.get("retired"))


def kinds(name: str) -> Counter[str]:
    return Counter(question.kind for question in golden(name).questions)


def test_the_shipped_sets_are_these() -> None:
    assert NAMES == ["fernhill", "polyglot", "smoke"]


@pytest.mark.parametrize("name", NAMES)
def test_all_questions_of_a_group_stand_in_one_split(name: str) -> None:
    splits = defaultdict(set)
    for question in golden(name).questions:
        splits[question.group].add(question.split)
    assert [group for group, found in splits.items() if len(found) > 1] == []


@pytest.mark.parametrize("name", NAMES)
def test_tune_and_test_share_no_near_copy_no_group_and_no_evidence(name: str) -> None:
    asked = golden(name)
    assert ties(asked.questions, asked.documents, asked.as_of).straddling == Ties()


@pytest.mark.parametrize("name", NAMES)
def test_every_answerable_question_has_a_reference_accepted_answers_and_a_vital_nugget(name: str) -> None:
    bare = [
        row["id"]
        for row in rows(name)
        if row["answerable"]
        and not (row.get("reference") and row.get("answers") and any(item["vital"] for item in row.get("nuggets", [])))
    ]
    assert bare == []


@pytest.mark.parametrize("name", NAMES)
def test_every_question_says_where_it_comes_from(name: str) -> None:
    assert [row["id"] for row in rows(name) if not row.get("provenance")] == []


def test_fernhill_is_a_benchmark_of_seventy_documents_and_sixty_thousand_words() -> None:
    documents = golden("fernhill").documents
    assert len(documents) >= 70
    assert sum(len(document.text.split()) for document in documents) >= 60_000
    suffixes = {Path(document.doc_id).suffix for document in documents}
    assert suffixes == {".md", ".html", ".csv", ".py", ".ts", ".pdf", ".pptx"}


def test_fernhill_has_three_hundred_questions_with_enough_of_every_kind() -> None:
    found = kinds("fernhill")
    least = {
        "unanswerable": 90, "multi_turn": 30, "multi_hop": 30, "table": 30, "code": 20, "tenant": 20, "temporal": 20,
        "injection": 15, "conflict": 15, "paraphrase": 30,
    }  # fmt: skip
    assert found.total() >= 300
    assert {kind: found[kind] for kind in least if found[kind] < least[kind]} == {}
    assert set(found) == set(KINDS)


@pytest.mark.parametrize("name", ["fernhill", "smoke"])
def test_every_reason_to_refuse_is_asked_and_most_are_near_misses(name: str) -> None:
    reasons = Counter(question.reason for question in golden(name).questions if not question.answerable)
    assert set(reasons) == set(REFUSAL_REASONS)
    assert reasons.most_common(1)[0][0] == "not_in_document"


def test_questions_of_kind_multi_hop_need_several_documents() -> None:
    for question in golden("fernhill").questions:
        if question.kind == "multi_hop":
            assert len({evidence.alternatives[0].doc_id for evidence in question.evidence}) > 1, question.question_id


@pytest.mark.parametrize("name", ["fernhill", "smoke"])
def test_paraphrases_share_no_content_word_with_any_alternative_of_their_evidence(name: str) -> None:
    asked = [question for question in golden(name).questions if question.kind == "paraphrase"]
    found = shares(asked, golden(name).documents)
    assert len(found) == len(asked) == kinds(name)["paraphrase"] > 0
    assert [question_id for question_id, share in found.items() if share > 0] == []


def test_smoke_stays_small_and_asks_every_kind() -> None:
    assert 28 <= len(golden("smoke").questions) <= 36
    assert set(kinds("smoke")) == set(KINDS)


def test_every_metric_has_a_question_of_smoke_that_exercises_it() -> None:
    baselines = accepted_in(ROOT / "reports" / "smoke")
    assert {accepted.experiment for accepted in baselines} >= {"default", "bm25_only", "dense_only", "hybrid_rerank"}
    for accepted in baselines:
        assert accepted.aggregates
        unmeasured = {name for name, item in accepted.aggregates.items() if item.n == 0}
        assert unmeasured <= NOT_OF_SMOKE, accepted.experiment


def test_every_class_of_gate_finds_questions_of_smoke_to_decide_on() -> None:
    accepted = load_baseline(ROOT / "reports" / "smoke" / "hybrid_rerank.json")
    rules = [
        *({"metric": name, "kind": "invariant", "split": "all"} for name in ("invented_citations", "tenant_leaks")),
        *({"metric": name} for name in ("recall_at_5", "citation_correctness", "over_refusal_rate", "false_answer_rate")),
        {"metric": "recall_at_5", "kind": "floor", "floor": 0.5},
    ]
    verdicts = Gate(rules=rules).check(as_record(accepted), accepted)  # type: ignore[arg-type]
    assert [verdict.outcome for verdict in verdicts] == [Outcome.PASS] * len(rules)
    assert min(verdict.n for verdict in verdicts) >= 10


def test_polyglot_asks_forty_questions_in_five_languages() -> None:
    tags = Counter(question.tags[0] for question in golden("polyglot").questions)
    assert set(tags) == {"de", "fr", "ja", "zh", "ar"}
    assert tags.total() >= 40
    assert min(tags.values()) >= 8
    refused = {question.tags[0] for question in golden("polyglot").questions if not question.answerable}
    assert refused == set(tags)


def test_every_shipped_set_has_accepted_baselines() -> None:
    assert [folder.name for folder in REPORTED] == ["fernhill", "polyglot", "smoke"]


@pytest.mark.parametrize("folder", REPORTED, ids=lambda folder: folder.name)
def test_nothing_was_edited_under_the_version_that_baselines_were_accepted_on(folder: Path) -> None:
    now = golden(folder.name)
    for accepted in accepted_in(folder):
        assert accepted.golden_version == now.version, accepted.experiment
        marks = {name: accepted.fingerprints[name] for name in ("golden_set", "corpus", "golden_terms")}
        assert marks == {"golden_set": now.digest, "corpus": now.corpus_digest, "golden_terms": now.terms}, accepted.experiment


def test_the_figures_of_the_review_are_those_of_its_record() -> None:
    record = json.loads((ROOT / "golden_sets" / "review.json").read_text(encoding="utf-8"))
    text = " ".join((ROOT / "golden_sets" / "README.md").read_text(encoding="utf-8").split())
    second, third, other = record["second_reading"], record["third_reading"]["fernhill"], record["third_reading"]["polyglot"]
    asked = {question.question_id: question for name in ("fernhill", "polyglot") for question in golden(name).questions}
    read = third["unanswerable"] + third["answerable"]
    wrong = third["wrong_answer"] + third["answerable_though_labelled_unanswerable"] + other["wrong_answer"]
    assert {*second["changed"], *read, *other["read"]} <= asked.keys()
    assert second["read"] == len(golden("fernhill").questions)
    assert f"{len(second['changed'])} of {second['read']} questions changed" in text
    drawn = f"{len(read)} questions of fernhill drawn at random ({len(third['unanswerable'])} unanswerable)"
    assert f"{drawn} and {len(other['read'])} of polyglot" in text
    assert f"({len(wrong)} of {len(read)}, at most {1 - shown_if_all_right(len(read)):.1%} at 95 %)".replace("%", " %", 1) in text
