"""Citations held against what they are cited for: hand-computed rows."""

import pytest

from harness.types import Answer, State
from tests.judging.tables import IDS, Table, judged, value

TABLE = Table({"Red.": "A", "Round.": "BC", "Old.": "A B"}, parts={"Soft.": "C", "Round.": "B"})
"""A says red; B and C together say round; A and B each say old; C says a part of soft, B a part of round."""


@pytest.mark.parametrize(
    ("answer", "recall", "precision"),
    [
        ("Red [a].", 1.0, 1.0),
        ("Red [b].", 0.0, 0.0),
        ("Red.", 0.0, None),
        ("Red [a]. Old.", 0.5, 1.0),
        ("Round [b][c].", 1.0, 1.0),
        ("Round [b].", 0.0, 0.0),
        ("Old [a][b].", 1.0, 1.0),
        ("Red [a][b].", 1.0, 0.5),
        ("Red [a][b][c].", 1.0, 1 / 3),
        ("Round [a][b][c].", 1.0, 2 / 3),
        ("Green [a][b].", 0.0, 0.0),
        ("Red [a][z].", 1.0, 0.5),
        ("Red [z].", 0.0, 0.0),
        ("Red [a]. Green [z]. Round [b][c].", 2 / 3, 3 / 4),
        ("Red [a]. Round [b][c]. Green [a]. Old.", 0.5, 3 / 4),
    ],
)
def test_alce(answer: str, recall: float, precision: float | None) -> None:
    assert value("citation_recall", answer, TABLE) == pytest.approx(recall)
    assert value("citation_precision", answer, TABLE) == (None if precision is None else pytest.approx(precision))


@pytest.mark.parametrize(
    ("answer", "recall", "precision"),
    [
        ("Red [a].", 1.0, 1.0),
        ("Soft [c].", 0.5, 0.5),
        ("Soft [c][a].", 0.5, 0.25),
        ("Red [a][c].", 1.0, 0.5),
        ("Round [b][c].", 0.5, 0.25),
        ("Red [z].", 0.0, 0.0),
        ("Red.", 0.0, None),
        ("Red [a]. Old.", 0.5, 1.0),
        ("Red [a]. Soft [c]. Green [b]. Old [z].", 1.5 / 4, 1.5 / 4),
    ],
)
def test_trec_rag(answer: str, recall: float, precision: float | None) -> None:
    assert value("citation_support_recall", answer, TABLE) == pytest.approx(recall)
    assert value("citation_support_precision", answer, TABLE) == (None if precision is None else pytest.approx(precision))


def test_an_invented_citation_never_helps() -> None:
    for metric in ("citation_precision", "citation_support_precision"):
        honest, padded = value(metric, "Red [a].", TABLE), value(metric, "Red [a][z].", TABLE)
        assert honest is not None and padded is not None and padded < honest


def test_the_reasons_name_what_is_wrong() -> None:
    recall = judged("citation_recall", "Red [b]. Old.", TABLE).reason
    assert f"'Red.' [{IDS['b']}]: nothing says so" in recall and "'Old.': cites nothing" in recall
    precision = judged("citation_precision", "Red [a][b][z]. Green [c].", TABLE).reason
    assert f"[{IDS['b']}] is not needed for 'Red.'" in precision
    assert f"[{IDS['z']}] was not shown, cited for 'Red.'" in precision
    assert f"[{IDS['c']}] does not support" in precision


def test_a_sentence_is_asked_about_once_whatever_the_metrics() -> None:
    from harness.judging.claim_judge import ClaimJudge
    from harness.judging.claims import RuleSplitter
    from tests.builders import question, trace
    from tests.judging.tables import A, B, C, marked

    table = Table({"Red.": "A"})
    answered = trace("q1", A, B, C, answer=Answer(marked("Red [a].")))
    ClaimJudge(RuleSplitter(), table).judge(question(), answered)
    assert table.asked == [(("Red.",), "ABC"), (("Red.",), "A")]


@pytest.mark.parametrize(
    "metric", ["citation_recall", "citation_precision", "citation_support_recall", "citation_support_precision"]
)
def test_refusals_and_small_talk_are_not_applicable(metric: str) -> None:
    for answer in (Answer("I cannot find this.", refused=True), None, Answer("Sure!")):
        assert judged(metric, answer, TABLE).state is State.NOT_APPLICABLE
