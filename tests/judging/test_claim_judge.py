"""One engine for every judged metric: each verdict asked once, each failure where it belongs."""

import pytest

from harness.errors import ConfigError, StageError
from harness.judging.claim_judge import BY_ID, ClaimJudge
from harness.judging.claims import RuleSplitter
from harness.judging.lexical import LexicalSupport
from harness.metrics.catalog import describe
from harness.protocols import Judge
from harness.types import Answer, Nugget, Score, State, Support
from tests.builders import question, trace
from tests.contracts.judge import FAITHFUL, QUESTION, JudgeContract
from tests.judging.tables import A, B, C, Table, marked

ASKED = question(reference="R", nuggets=(Nugget("n1"),))
ANSWER = "Red [a]. Old [b]."
CITATIONS = {"citation_recall", "citation_precision", "citation_support_recall", "citation_support_precision"}
COMPANIONS = {"hallucination", "self_knowledge", "noise_sensitivity"}
NUGGETS = {"answer_correctness_strict_vital", "answer_correctness_vital", "answer_correctness_all"}


def scores(judge: Judge, answer: str = ANSWER) -> dict[str, Score]:
    found = judge.judge(ASKED, trace("q1", A, B, C, answer=Answer(marked(answer))))
    return {score.metric: score for score in found}


def errors(judge: Judge) -> set[str]:
    return {name for name, score in scores(judge).items() if score.state is State.ERROR}


class TestContract(JudgeContract):
    @pytest.fixture
    def judge(self) -> Judge:
        return ClaimJudge(RuleSplitter(), LexicalSupport(), metrics=("faithfulness",))


def test_it_scores_every_metric_by_default_and_each_is_described() -> None:
    judge = ClaimJudge(RuleSplitter(), Table({}))
    assert tuple(scores(judge)) == judge.metrics == tuple(BY_ID)
    assert all(describe(metric).kind == "judged" for metric in judge.metrics)


def test_a_costly_judge_can_be_kept_to_one_metric() -> None:
    table = Table({"Red.": "A"})
    assert set(scores(ClaimJudge(RuleSplitter(), table, metrics=("faithfulness",)))) == {"faithfulness"}
    assert table.asked == [(("Red.", "Old."), "ABC")]


def test_no_verdict_is_asked_for_twice() -> None:
    table = Table({"Red.": "A", "Old.": "A"})
    scores(ClaimJudge(RuleSplitter(), table), "Red [a]. Red [a]. Old [a][b].")
    pairs = [(claim, shown) for claims, shown in table.asked for claim in claims]
    assert len(pairs) == len(set(pairs))


def test_an_answer_costs_as_many_requests_as_the_config_file_says() -> None:
    table = Table({"Red.": "A R", "Old.": "BC", "R": "A"})
    asked = question(reference="R", nuggets=(Nugget("n1"), Nugget("n2", vital=False)))
    answered = trace("q1", A, B, C, answer=Answer(marked("Red [a]. Old [b][c].")))
    ClaimJudge(RuleSplitter(), table).judge(asked, answered)
    claims, sentences, citations, companions, nuggets = 1, 2, 2, 3, 1
    assert len(table.asked) == claims + sentences + citations + companions + nuggets


def test_a_failure_touches_exactly_the_metrics_that_need_that_verdict() -> None:
    assert errors(ClaimJudge(RuleSplitter(), Table({}, broken="n1"))) == NUGGETS
    assert errors(ClaimJudge(RuleSplitter(), Table({}, broken="Old."))) == {"faithfulness"} | CITATIONS | COMPANIONS
    assert errors(ClaimJudge(RuleSplitter(), Table({}, broken="Other."))) == set()


def test_an_error_carries_the_judges_words_and_no_number() -> None:
    score = scores(ClaimJudge(RuleSplitter(), Table({}, broken="n1")))["answer_correctness_vital"]
    assert (score.value, score.state) == (None, State.ERROR)
    assert score.reason.startswith("judge error: J003 the reply was cut [table v1; ")


class BrokenSplitter:
    identity = "broken"
    calls = 0

    def split(self, text: str) -> list[str]:
        type(self).calls += 1
        raise StageError("J001 no claims")


def test_a_splitter_that_fails_is_asked_once_and_leaves_citations_and_nuggets_alone() -> None:
    BrokenSplitter.calls = 0
    failed = errors(ClaimJudge(BrokenSplitter(), Table({}), metrics=("faithfulness", *CITATIONS, *COMPANIONS, *NUGGETS)))
    assert failed == {"faithfulness"} | COMPANIONS
    assert BrokenSplitter.calls == 1


def test_a_failed_request_is_not_sent_again_for_the_next_metric() -> None:
    table = Table({}, broken="n1")
    scores(ClaimJudge(RuleSplitter(), table))
    assert [claims for claims, _ in table.asked].count(("n1",)) == 1


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([], "J001.*asked for 2 verdicts and gave 0"),
        ([Support(1.0, True)] * 3, "J001.*asked for 2 verdicts and gave 3"),
        ([Support(1.0, True), Support(90.0, True)], r"J002.*gave a probability of 90.0; a number in \[0, 1\] is needed"),
        ([Support(1.0, True), Support(float("nan"), True)], "J002.*nan"),
        ([Support(1.0, True), Support(-0.1, False)], "J002.*-0.1"),
    ],
)
def test_a_verdict_that_is_none_is_an_error_and_never_a_number(given: list[Support], says: str) -> None:
    class Odd(Table):
        def support(self, claims, passages):  # type: ignore[no-untyped-def]
            return given

    score = scores(ClaimJudge(RuleSplitter(), Odd({}), metrics=("faithfulness",)))["faithfulness"]
    assert (score.value, score.state) == (None, State.ERROR)
    with pytest.raises(AssertionError, match=says):
        raise AssertionError(score.reason)


def test_where_partial_support_begins_is_the_judges_own_and_stands_in_its_identity() -> None:
    table = Table({}, parts={"Red.": "A", "Old.": "B"})
    strict, mild = (ClaimJudge(RuleSplitter(), table, partial_at=at) for at in (0.6, 0.5))
    assert scores(strict)["citation_support_precision"].value == 0.0
    assert scores(mild)["citation_support_precision"].value == 0.5
    assert strict.identity != mild.identity


def test_its_identity_begins_with_who_reads_support() -> None:
    identity = ClaimJudge(RuleSplitter(), LexicalSupport()).identity
    assert identity == "lexical v3 minimum=0.6; rules v3; claims v1 partial_at=0.3"


def test_which_metrics_are_scored_is_no_part_of_the_identity() -> None:
    few = ClaimJudge(RuleSplitter(), LexicalSupport(), metrics=("faithfulness",))
    assert few.identity == ClaimJudge(RuleSplitter(), LexicalSupport()).identity


def test_every_wrong_setting_is_told_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        ClaimJudge(LexicalSupport(), RuleSplitter(), metrics=("faithfullness", "faithfullness"))  # type: ignore[arg-type]
    text = str(caught.value)
    assert "LexicalSupport is no splitter" in text and "RuleSplitter is no support" in text
    assert "no metric 'faithfullness'" in text and "twice" in text


def test_the_same_answer_gets_the_same_scores() -> None:
    judge = ClaimJudge(RuleSplitter(), LexicalSupport())
    assert judge.judge(QUESTION, FAITHFUL) == judge.judge(QUESTION, FAITHFUL)
