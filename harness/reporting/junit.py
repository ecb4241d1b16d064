"""Verdicts as JUnit XML: one test case per rule, so that any CI shows them in its own list."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from harness.reporting.escape import clean
from harness.reporting.names import change, number
from harness.types import Outcome, Verdict


def junit_xml(suite: str, verdicts: Sequence[Verdict], strict: bool = False) -> str:
    """A test suite: regressed is a failure; missing, invalid and not_comparable are errors; inconclusive is skipped.

    An advisory rule is never more than skipped.

    Args:
        suite: its name.
        verdicts: one test case each.
        strict: the gate's own `strict`: inconclusive is a failure, so that the list is as red as the exit code.
    """
    kinds = [_kind(verdict, strict) for verdict in verdicts]
    counts = {
        name: str(kinds.count(kind)) for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
    }
    root = Element("testsuite", {"name": clean(suite), "tests": str(len(verdicts)), **counts})
    for verdict, kind in zip(verdicts, kinds, strict=True):
        case = SubElement(root, "testcase", {"classname": clean(suite), "name": clean(_rule(verdict))})
        if kind:
            SubElement(case, kind, {"message": clean(verdict.reason or verdict.outcome), "type": verdict.outcome.value})
        SubElement(case, "system-out").text = clean(_details(verdict))
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _kind(verdict: Verdict, strict: bool) -> str:
    if verdict.outcome in (Outcome.PASS, Outcome.IMPROVED):
        return ""
    undecided = verdict.outcome is Outcome.INCONCLUSIVE
    if verdict.advisory or (undecided and not strict):
        return "skipped"
    return "failure" if undecided or verdict.outcome is Outcome.REGRESSED else "error"


def _rule(verdict: Verdict) -> str:
    return verdict.metric if verdict.slice == "all" else f"{verdict.metric} [{verdict.slice}]"


def _details(verdict: Verdict) -> str:
    difference = change(verdict.difference, verdict.low, verdict.high)
    numbers = f"expected {number(verdict.expected)}, actual {number(verdict.actual)}, difference {difference}"
    lines = [f"{verdict.outcome}: {verdict.reason}", f"{numbers}, n {verdict.n}"]
    return "\n".join([*lines, *([f"changed: {', '.join(verdict.flipped)}"] if verdict.flipped else [])])
