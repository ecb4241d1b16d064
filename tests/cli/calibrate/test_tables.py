"""A record as people read it."""

from dataclasses import replace

from harness.cli.calibrate.tables import calibration_table, page, terminal, verdict
from harness.judging.calibration import Estimate, NotJudged, Rival
from harness.reporting.terminal import plain_text
from tests.judging.labelled import GOOD_RECORD, THREE_CLASSES, record

FULL = record(
    judged=110,
    not_judged=(NotJudged("not_applicable", 10, "the answer states no claim"),),
    rivals=(Rival("ragas faithfulness", 108, 0.589, 0.886),),
    classes=THREE_CLASSES,
)


def test_the_terminal_shows_every_number_with_its_interval_and_what_it_is_read_beside() -> None:
    assert (
        plain_text(terminal(FULL)).strip()
        == """\
lexical against mine: faithfulness

                                      Value   95 % interval   Beside it
 ───────────────────────────────────────────────────────────────────────────────────────────────────────────
 Labels judged                   110 of 120                   10 not_applicable (the answer states no claim)
 Good labels                          0.750
 Spearman                             0.600     0.500–0.700   one rater against the others: 0.550
 AUROC                                0.900     0.850–0.950
 Agreement                            0.800     0.700–0.900   always the more common: 0.750
 Cohen's kappa                        0.500     0.400–0.600
 Agreement, three classes             0.700                   always the most common: 0.500
 Weighted kappa, three classes        0.400
 ragas faithfulness on 108            0.589                   Spearman; AUROC 0.886

calibrated: faithfulness by this judge can fail a gate
Judge   lexical v2 minimum=0.6
Labels  mine, SHA-256 abababababababab"""
    )


def test_the_page_is_the_same_table_in_markdown() -> None:
    text = page(FULL)
    assert text.startswith("# lexical against mine: faithfulness\n\ncalibrated: faithfulness by this judge can fail a gate.")
    assert "| Labels judged | 110 of 120 |  | 10 not_applicable (the answer states no claim) |" in text
    assert "| AUROC | 0.900 | 0.850–0.950 |  |" in text
    assert "Judge: `lexical v2 minimum=0.6`" in text and f"SHA-256 `{'ab' * 32}`" in text


def test_the_verdict_names_every_shortcoming() -> None:
    bad = record(judged=50, auroc=Estimate(None))
    assert verdict(bad) == (
        "not calibrated: 50 labels were judged, 100 are needed; 12 labels are of the rarer of good and bad, 20 are needed; "
        "AUROC has no interval on these labels. faithfulness by this judge stays advisory"
    )


def test_the_table_of_all_judges() -> None:
    bad = record(judge="proxy v1", labels="a|b", judged=50, base_rate=0.5, ceiling=None, kappa=Estimate(None))
    assert (
        calibration_table([GOOD_RECORD, bad])
        == """\
| Judge | Metric | Labels | n | Spearman | One rater | AUROC | Kappa | Calibrated |
|---|---|---|---:|---|---:|---|---|---|
| proxy | faithfulness | a\\|b | 50 | 0.600 (0.500–0.700) | – | 0.900 (0.850–0.950) | – | no: 50 labels were judged, 100 are needed |
| lexical | faithfulness | mine | 120 | 0.600 (0.500–0.700) | 0.550 | 0.900 (0.850–0.950) | 0.500 (0.400–0.600) | yes |"""
    )


def test_the_table_does_not_depend_on_the_order_of_the_records() -> None:
    other = replace(GOOD_RECORD, labels="other")
    assert calibration_table([GOOD_RECORD, other]) == calibration_table([other, GOOD_RECORD])


def test_no_record_is_said_and_no_empty_table() -> None:
    assert calibration_table([]) == "No judge has been calibrated yet."
