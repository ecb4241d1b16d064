"""Verdicts in the form every CI reads."""

from xml.etree import ElementTree

import pytest

from harness.reporting.junit import junit_xml
from harness.types import Outcome
from tests.reporting.records import full_verdicts, verdict

XML = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="smoke.hybrid" tests="2" failures="1" errors="0" skipped="1">
  <testcase classname="smoke.hybrid" name="recall_at_5 [test]">
    <failure message="mean drop 0.300" type="regressed" />
    <system-out>regressed: mean drop 0.300
expected 0.800, actual 0.500, difference -0.300 (-0.500 to -0.100), n 3
changed: q2</system-out>
  </testcase>
  <testcase classname="smoke.hybrid" name="faithfulness">
    <skipped message="not measured" type="missing" />
    <system-out>missing: not measured
expected –, actual –, difference –, n 0</system-out>
  </testcase>
</testsuite>
"""


def test_one_test_case_per_rule() -> None:
    assert junit_xml("smoke.hybrid", full_verdicts()) == XML


@pytest.mark.parametrize(
    ("outcome", "advisory", "element"),
    [
        (Outcome.PASS, False, None),
        (Outcome.IMPROVED, False, None),
        (Outcome.REGRESSED, False, "failure"),
        (Outcome.MISSING, False, "error"),
        (Outcome.INVALID, False, "error"),
        (Outcome.NOT_COMPARABLE, False, "error"),
        (Outcome.INCONCLUSIVE, False, "skipped"),
        (Outcome.REGRESSED, True, "skipped"),
    ],
)
def test_outcomes_map_to_junits_words(outcome: Outcome, advisory: bool, element: str | None) -> None:
    case = ElementTree.fromstring(junit_xml("s", [verdict(outcome=outcome, advisory=advisory)]))[0]
    assert [child.tag for child in case] == [*([element] if element else []), "system-out"]


@pytest.mark.parametrize(
    ("outcome", "advisory", "element"),
    [
        (Outcome.PASS, False, None),
        (Outcome.INCONCLUSIVE, False, "failure"),
        (Outcome.INCONCLUSIVE, True, "skipped"),
        (Outcome.REGRESSED, False, "failure"),
        (Outcome.MISSING, False, "error"),
    ],
)
def test_under_a_strict_gate_inconclusive_is_as_red_as_the_job(outcome: Outcome, advisory: bool, element: str | None) -> None:
    root = ElementTree.fromstring(junit_xml("s", [verdict(outcome=outcome, advisory=advisory)], strict=True))
    assert [child.tag for child in root[0]] == [*([element] if element else []), "system-out"]
    assert root.get("failures") == str(int(element == "failure"))
    if element:
        assert root[0][0].get("type") == outcome.value


def test_a_slice_is_part_of_the_case_name() -> None:
    root = ElementTree.fromstring(junit_xml("s", [verdict(slice="code"), verdict(slice="all")]))
    assert [case.get("name") for case in root] == ["recall_at_5 [code]", "recall_at_5"]


def test_hostile_reasons_give_valid_xml_without_control_characters() -> None:
    root = ElementTree.fromstring(junit_xml('"<x>', [verdict(outcome=Outcome.REGRESSED, reason="</failure>\x1b[31m\x00\ud800")]))
    assert root[0][0].get("message") == "</failure>"
    assert root.get("name") == '"<x>'
