"""Variants against a reference: paired, with an interval, corrected for their number."""

import pytest

from harness.reporting.against import against_markdown, differences
from tests.reporting.records import record

NAMES = [f"q{number}" for number in range(12)]


def run(experiment: str, values: list[float], metric: str = "recall_at_5"):
    return record({metric: 0.5}, {metric: dict(zip(NAMES, values, strict=True))}, experiment=experiment)


NAIVE = run("naive", [0.0] * 8 + [1.0] * 4)
BETTER = run("better", [1.0] * 12)
SAME = run("same", [0.0] * 8 + [1.0] * 4)


def test_the_difference_is_the_mean_over_shared_questions():
    (found,) = differences(NAIVE, [BETTER], "recall_at_5")
    assert found.mean == pytest.approx(8 / 12)
    assert found.n == 12
    assert found.low is not None
    assert 0 < found.low < found.mean < found.high <= 1


def test_p_is_exact_for_few_changes_and_corrected_for_the_number_of_variants():
    better, same = differences(NAIVE, [BETTER, SAME], "recall_at_5")
    assert better.p == pytest.approx(1 / 2**8)
    assert better.holm == pytest.approx(2 / 2**8)
    assert same.p == same.holm == 1.0


def test_less_is_better_where_the_metric_says_so():
    high, low = run("a", [1.0] * 12, "false_answer_rate"), run("b", [0.0] * 12, "false_answer_rate")
    (found,) = differences(high, [low], "false_answer_rate")
    assert found.mean == -1.0
    assert found.p == pytest.approx(1 / 2**12)


def test_the_table_names_reference_variant_and_metric():
    lines = against_markdown(NAIVE, [BETTER], ["recall_at_5"]).splitlines()
    assert lines[0] == "| Variant | Metric | Difference to naive (95 % interval) | p | p (Holm) | n |"
    assert lines[2].startswith("| better | Recall@5 | +0.667 (")
    assert lines[2].endswith("| 0.004 | 0.004 | 12 |")


def test_a_count_has_a_difference_and_no_interval():
    (found,) = differences(
        run("a", [0.0] * 12, "invented_citations"), [run("b", [3.0] * 6 + [0.0] * 6, "invented_citations")], "invented_citations"
    )
    assert (found.mean, found.low, found.high) == (1.5, None, None)
