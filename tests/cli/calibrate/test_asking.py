"""Labelled answers reach a judge as a run's answers do."""

from collections.abc import Sequence

import pytest

from harness.cli.calibrate.asking import check_metric, chosen_judge, judged, trace
from harness.errors import ConfigError, StageError
from harness.judging.claim_judge import ClaimJudge
from harness.judging.claims import RuleSplitter
from harness.judging.labels import Labelled
from harness.judging.lexical import LexicalSupport
from harness.protocols import silent
from harness.types import State, Support

PASSAGES = ("The cells last 18 months.", "The probe is blue.", "The cells last 18 months.")
ITEM = Labelled("q1", "faithfulness", (1.0,), "How long?", PASSAGES, "The cells last 18 months.")
BARE = Labelled("q2", "faithfulness", (0.0,), answer="The cells last 18 months.")


class Broken:
    """A support model that always fails."""

    identity = "broken v1"

    def support(self, claims: Sequence[str], passages: Sequence[str]) -> Sequence[Support]:
        raise StageError("no reply")


def judge(support: object = None, metric: str = "faithfulness") -> ClaimJudge:
    return ClaimJudge(RuleSplitter(), support or LexicalSupport(), metrics=(metric,))  # type: ignore[arg-type]


def test_every_passage_is_shown_in_order_even_equal_ones() -> None:
    shown = trace(ITEM, "faithfulness").context.hits
    assert [hit.chunk.text for hit in shown] == list(PASSAGES)
    assert [hit.chunk.indexed_text for hit in shown] == list(PASSAGES)


def test_an_answer_is_put_as_it_is_and_cites_only_for_metrics_of_citations() -> None:
    plain, cited = trace(ITEM, "faithfulness").answer, trace(ITEM, "citation_support_precision").answer
    assert plain is not None and cited is not None
    assert (plain.text, plain.citations, plain.refused) == (ITEM.answer, (), False)
    assert len(cited.citations) == 3
    assert cited.text == f"{ITEM.answer} " + " ".join(f"[{name}]" for name in cited.citations)


def test_answers_without_a_passage_are_not_put_before_the_judge() -> None:
    scores = judged(judge(), [ITEM, BARE], "faithfulness", silent)
    assert {name: score.value for name, score in scores.items()} == {"q1": 1.0}


def test_a_metric_of_citations_reads_the_passages_that_are_cited() -> None:
    scores = judged(judge(metric="citation_support_precision"), [ITEM], "citation_support_precision", silent)
    assert scores["q1"].value == pytest.approx(2 / 3)


def test_a_judge_that_fails_leaves_an_error_and_not_a_zero() -> None:
    score = judged(judge(Broken()), [ITEM], "faithfulness", silent)["q1"]
    assert (score.state, score.value) == (State.ERROR, None)


def test_only_what_the_judge_scores_can_be_measured() -> None:
    check_metric(judge(), "faithfulness", "mine.jsonl:1")
    fix = "only faithfulness. Fix: measure another metric on these labels with --metric faithfulness"
    with pytest.raises(ConfigError, match=f"J003. mine.jsonl:1 — .*{fix}"):
        check_metric(judge(), "answer_relevancy", "mine.jsonl:1")


def test_a_metric_that_is_mistyped_is_told_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"does not score 'faithfullness', only faithfulness. Fix: did you mean 'faithfulness'"):
        check_metric(judge(), "faithfullness", "mine.jsonl:1")


@pytest.mark.parametrize("words", ["lexical", "judge=lexical", "lexical judge.support.minimum=0.6"])
def test_the_judge_is_the_one_a_run_with_these_words_has(words: str, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("HARNESS_CACHE_DIR", str(tmp_path))
    assert chosen_judge(words)[0].identity.startswith("lexical ")


@pytest.mark.models
def test_without_words_it_is_the_judge_of_a_run_that_says_nothing(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("HARNESS_CACHE_DIR", str(tmp_path))
    assert chosen_judge("")[0].identity.startswith("support_proxy ")
