"""A rule whose numbers were chosen for other models, or that its pipeline cannot feed, is refused by name."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from harness.answerability.calibrated import NONE, STEPS, Calibrated, Parts, identity_of, retrieval_of
from harness.answerability.classifier import Classifier, Weight
from harness.answerability.margin import Margin
from harness.answerability.threshold import Threshold
from harness.embedding.hashing import Hashing
from harness.errors import ConfigError
from harness.llm.litellm_client import LiteLLM
from harness.querying.declarative import DeclarativeHyde
from harness.querying.decompose_rules import Decomposition
from harness.querying.glossary import Glossary
from harness.querying.hyde import Hyde
from harness.querying.route import Rules
from harness.reranking.calibrated import Calibrated as Probabilities
from harness.reranking.lexical import Lexical
from harness.reranking.logits import Logits
from harness.reranking.none import NoReranker
from harness.retrieval.dense import Dense
from harness.retrieval.sparse import BM25
from harness.retrieval.stores.faiss_flat import Flat
from harness.retrieval.stores.faiss_hnsw import Hnsw
from harness.retrieval.stores.lancedb import LanceDB

STAGES: dict[str, Any] = {"retrievers": {"bm25": BM25(), "dense": Dense(Flat())}, **dict.fromkeys(STEPS)}


def parts(**stages: Any) -> Parts:
    """Those of the tests with other stages."""
    return Parts(Lexical(), Hashing(), ("bm25", "dense"), retrieval_of({**STAGES, **stages}))


PARTS = parts()
SOURCE = Calibrated("hybrid 12ab", "mine v1", "ab" * 32, identity_of(Lexical()), identity_of(Hashing()), PARTS.retrieval, 60, 0.7)
OTHER = replace(SOURCE, reranker="another model", embedder="another embedder")
RULES = [Threshold(), Margin(), Classifier({"margin": Weight(1, 0, 1)})]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_a_rule_chosen_nowhere_or_for_these_models_holds(rule: Threshold) -> None:
    assert [*rule.faults(PARTS), *replace(rule, calibrated=SOURCE).faults(PARTS)] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_a_rule_chosen_for_another_reranker_is_refused_with_both_names(rule: Threshold) -> None:
    (problem,) = replace(rule, calibrated=OTHER).faults(PARTS)
    assert (problem.code, problem.where) == ("F014", "answerability.calibrated.reranker")
    assert "'another model'" in problem.what
    assert repr(identity_of(Lexical())) in problem.what


@pytest.mark.parametrize(("signal", "refused"), [("cosine_top", ["embedder"]), ("agreement", ["embedder"]), ("details_held", [])])
def test_only_models_whose_scores_are_read_must_be_the_same(signal: str, refused: list[str]) -> None:
    found = Classifier({signal: Weight(1, 0, 1)}, calibrated=OTHER).faults(PARTS)
    assert [item.where.rpartition(".")[2] for item in found] == refused


@pytest.mark.parametrize("rule", [Threshold(), Margin()], ids=lambda rule: type(rule).__name__)
def test_a_threshold_on_scores_that_are_no_shares_is_refused(rule: Threshold) -> None:
    (problem,) = rule.faults(replace(PARTS, reranker=NoReranker()))
    assert problem.code == "F007"
    assert "NoReranker gives scores of fusion, no score in [0, 1]" in problem.what


@pytest.mark.parametrize("rule", [Threshold(), Margin()], ids=lambda rule: type(rule).__name__)
def test_a_threshold_on_logits_is_told_the_scale_and_the_reranker_with_the_same_order(rule: Threshold) -> None:
    (problem,) = rule.faults(replace(PARTS, reranker=Logits(Lexical())))
    assert "Logits gives logits" in problem.what
    assert "reranker=cross_encoder" in problem.fix
    assert "harness calibrate reranker" in problem.fix


LEARNED = Probabilities(Lexical(), identity_of(Lexical()))


@pytest.mark.parametrize("rule", [Threshold(), Margin()], ids=lambda rule: type(rule).__name__)
def test_learned_probabilities_need_a_minimum_that_was_chosen_on_them(rule: Threshold) -> None:
    at_hand = replace(PARTS, reranker=LEARNED)
    (problem,) = rule.faults(at_hand)
    assert (problem.code, "answerability=never" in problem.fix, "calibrate refusal" in problem.fix) == ("F007", True, True)
    assert replace(rule, calibrated=replace(SOURCE, reranker=LEARNED.identity)).faults(at_hand) == []


LLM = LiteLLM("openai/gpt-4o-mini")
OTHERWISE = [
    ("rewrite", {"rewrite": Glossary()}, ("reranked", "bm25", "cosine", "both")),
    ("subqueries", {"subqueries": Decomposition()}, ("reranked", "bm25", "cosine", "both")),
    ("hyde", {"hyde": DeclarativeHyde()}, ("bm25", "cosine", "both")),
    ("hyde", {"hyde": Hyde(LLM)}, ("bm25", "cosine", "both")),
    ("route", {"route": Rules()}, ("bm25", "cosine", "both")),
    ("retrievers.bm25", {"retrievers": {"bm25": BM25(variant="l"), "dense": Dense(Flat())}}, ("bm25", "both")),
    ("retrievers.bm25", {"retrievers": {"bm25": BM25(tokenizer="plain"), "dense": Dense(Flat())}}, ("bm25", "both")),
    ("retrievers.dense", {"retrievers": {"bm25": BM25(), "dense": Dense(Hnsw())}}, ("cosine", "both")),
]
READING: dict[str, Any] = {
    "reranked": Threshold(calibrated=SOURCE),
    "bm25": Classifier({"bm25_top": Weight(1, 0, 1)}, calibrated=SOURCE),
    "cosine": Classifier({"cosine_top": Weight(1, 0, 1)}, calibrated=SOURCE),
    "both": Classifier({"agreement": Weight(1, 0, 1)}, calibrated=SOURCE),
    "words": Classifier({"details_held": Weight(1, 0, 1)}, calibrated=SOURCE),
}


@pytest.mark.parametrize("reads", READING)
@pytest.mark.parametrize(("slot", "stages", "refused"), OTHERWISE, ids=lambda item: str(item)[:40])
def test_scores_that_are_made_otherwise_are_refused_where_they_are_read(
    slot: str, stages: dict[str, Any], refused: tuple[str, ...], reads: str
) -> None:
    found = READING[reads].faults(parts(**stages))
    assert [(item.code, item.where) for item in found] == [("F014", "answerability.calibrated.retrieval")] * (reads in refused)
    assert all(item.what.endswith(f"another setting of {slot}") and "calibrate refusal" in item.fix for item in found)


def test_every_slot_that_differs_is_named() -> None:
    (problem,) = READING["both"].faults(parts(route=Rules(), subqueries=Decomposition()))
    assert problem.what.endswith("another setting of subqueries, route")


def test_exact_stores_and_a_client_s_timeouts_are_alike() -> None:
    flat, other = (retrieval_of({**STAGES, "retrievers": {"dense": Dense(store)}}) for store in (Flat(), LanceDB()))
    assert flat == other
    patient, hasty = (retrieval_of({**STAGES, "hyde": Hyde(replace(LLM, timeout=seconds))}) for seconds in (60, 5))
    assert patient == hasty
    assert retrieval_of({**STAGES, "hyde": Hyde(replace(LLM, model="openai/gpt-4.1"))}) != patient


@pytest.mark.parametrize("empty", [None, {}])
def test_a_step_that_is_left_out_is_none_however_it_is_written(empty: object) -> None:
    assert retrieval_of({**STAGES, **dict.fromkeys(STEPS, empty)}) == PARTS.retrieval
    assert {PARTS.retrieval[step] for step in STEPS} == {NONE}


@dataclass(frozen=True)
class Absent:
    """An embedder whose package is not there."""

    @property
    def identity(self) -> str:
        raise ConfigError("not installed")


def test_a_model_that_is_not_installed_is_not_taken_for_the_one_it_was_chosen_with() -> None:
    (problem,) = READING["cosine"].faults(replace(PARTS, embedder=Absent()))
    assert (problem.code, problem.where) == ("F014", "answerability.calibrated.embedder")
    assert "Absent, which is not installed" in problem.what


def test_a_classifier_may_do_without_a_reranker() -> None:
    source = replace(SOURCE, reranker="NoReranker")
    assert Classifier({"margin": Weight(1, 0, 1)}, calibrated=source).faults(replace(PARTS, reranker=NoReranker())) == []


def test_a_signal_that_the_retrievers_cannot_give_is_named() -> None:
    (problem,) = Classifier({"agreement": Weight(1, 0, 1)}).faults(replace(PARTS, retrievers=("bm25",)))
    assert (problem.code, problem.where) == ("F013", "answerability.signals")
    assert problem.what == "signal 'agreement' needs dense, which the pipeline has not"
