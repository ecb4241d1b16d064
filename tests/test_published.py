"""Published measurements are those of the records: no figure of benchmarks/README.md is typed."""

import json

import pytest

from benchmarks.published import README, RECORDS, rendered
from harness.build.sources import groups


def test_the_tables_are_rendered_from_the_records() -> None:
    assert README.read_text("utf-8") == rendered()


GATE = json.loads((RECORDS / "gate_study.json").read_text("utf-8"))


@pytest.mark.parametrize("row", GATE["one_rule"], ids=lambda row: f"{row['scores']} {row['rerun']}")
def test_the_gate_is_red_on_at_most_2_percent_of_unchanged_pipelines_and_passes_few_true_drops(row: dict) -> None:
    assert row["red"]["n"] >= 200
    assert row["red"]["share"] <= 0.02
    assert row["passed"]["low"] <= 0.07
    assert row["naive"]["share"] > row["red"]["share"]


def test_24_rules_together_are_red_no_more_often_than_one_while_naive_rules_always_are() -> None:
    assert GATE["24_rules"]["red"]["share"] <= 0.02
    assert GATE["24_rules"]["naive"]["share"] > 0.9


SLOTS = [
    line.split("|")[1:3] for line in (README.parents[1] / "README.md").read_text("utf-8").splitlines() if line.startswith("| `")
]


@pytest.mark.parametrize("slot", sorted(groups()))
def test_the_readme_names_every_option_of_a_slot(slot: str) -> None:
    (cell,) = [options for name, options in SLOTS if name.strip() == f"`{slot}`"]
    assert sorted(part.split()[0] for part in cell.split("·")) == sorted(groups()[slot])
