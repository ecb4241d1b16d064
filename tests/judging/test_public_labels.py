"""Judges against labels that nobody here wrote: mt-rag's human evaluation and WiCE."""

from collections import Counter

import pytest

from harness.cli.calibrate.asking import judged
from harness.embedding.bge import BgeSmall
from harness.judging.calibration import CalibrationRecord
from harness.judging.claim_judge import ClaimJudge
from harness.judging.claims import RuleSplitter
from harness.judging.labels import Labelled, read_labels
from harness.judging.lexical import LexicalSupport
from harness.judging.measuring import measure
from harness.judging.support_proxy import SupportProxy
from harness.protocols import SupportModel, silent
from harness.statistics.agreement import auroc, spearman
from tests.golden.public import public

pytestmark = pytest.mark.public_data

FAITHFULNESS = "faithfulness"


def labels(name: str) -> list[Labelled]:
    return read_labels(public(name) / "labels.jsonl")


def measured(support: SupportModel, labelled: list[Labelled]) -> CalibrationRecord:
    judge = ClaimJudge(RuleSplitter(), support, metrics=(FAITHFULNESS,))
    scores = judged(judge, labelled, FAITHFULNESS, silent)
    return measure(labelled, scores, judge.identity, FAITHFULNESS, "public", "")


def test_both_sets_are_read_whole() -> None:
    mtrag, wice = labels("mtrag_human_eval"), labels("wice")
    assert (len(mtrag), len([item for item in mtrag if item.passages])) == (477, 450)
    assert (len({item.group for item in mtrag if item.passages}), {len(item.ratings) for item in mtrag}) == (150, {2, 3})
    assert Counter(item.label for item in wice) == {1.0: 226, 0.5: 406, 0.0: 75}


def test_the_published_ragas_scores_have_the_agreement_that_is_known() -> None:
    """On the 450 answers with context: Spearman .589, AUROC .886, good from a mean of 3 on."""
    rows = [item for item in labels("mtrag_human_eval") if item.passages]
    given = [item.rivals["ragas faithfulness"] for item in rows]
    assert round(spearman([item.label for item in rows], given), 3) == 0.589
    assert round(auroc([item.label > 0.66 for item in rows], given), 3) == 0.886


def test_words_agree_with_people_better_than_the_published_ragas_scores() -> None:
    record = measured(LexicalSupport(), labels("mtrag_human_eval"))
    ragas = next(rival for rival in record.rivals if rival.name == "ragas faithfulness")
    assert record.n == 477 and record.judged >= 440
    assert record.spearman.value is not None and record.auroc.value is not None
    assert record.spearman.value >= 0.634 > (ragas.spearman or 0)
    assert record.auroc.value >= 0.899 > (ragas.auroc or 0)


@pytest.mark.models
def test_the_proxy_agrees_with_people_on_a_sample() -> None:
    """Every eighteenth answer in the order of the labels, twenty-five in all."""
    rows = sorted((item for item in labels("mtrag_human_eval") if item.passages), key=lambda item: (item.label, item.label_id))
    record = measured(SupportProxy(BgeSmall()), rows[::18])
    assert record.judged >= 20
    assert (record.auroc.value or 0) > 0.8
    assert (record.spearman.value or 0) > 0.5
