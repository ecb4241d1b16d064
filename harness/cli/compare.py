"""`harness compare A B`: what changed between two runs, on which questions and at which station.

A comparison is no gate: it exits 0 whatever it finds, and 4 when nothing could be compared.
"""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from harness.cli.console import note, out
from harness.cli.sides import Places
from harness.comparison.compare import compare
from harness.comparison.result import RunComparison
from harness.errors import ConfigError, HarnessError, Problem
from harness.golden.find import find
from harness.golden.golden_set import load
from harness.reporting.comparison import View, metrics_of, view
from harness.resources import roots
from harness.store import write_atomic, write_json
from harness.types import Question, RunRecord

FORMATS = (".html", ".md", ".json")
"""Endings of FILE."""


def command(arguments: argparse.Namespace) -> int:
    """Prints the comparison and writes all of it where it is asked to."""
    target = _target(arguments.to)
    places = Places(Path(arguments.runs_dir).absolute(), Path(arguments.reports_dir).absolute(), arguments.uri)
    a, b = places.find([arguments.a, arguments.b])
    deciding, further = metrics_of(a.record, b.record)
    found = compare(a, b, deciding, arguments.slice, further)
    if found.problem:
        for text in found.notes:
            note(text)
        note(f"nothing can be compared: {found.problem}")
        return 4
    shown = view(found, _questions(found))
    from harness.reporting.comparison_terminal import comparison_table

    out().print(comparison_table(shown))
    if target:
        _write(target, shown)
        out().print(f"Written {target}", soft_wrap=True, markup=False)
    else:
        out().print("All of it: --to FILE.html, FILE.md or FILE.json", soft_wrap=True, markup=False)
    return 0


def _target(given: str) -> Path | None:
    if not given:
        return None
    path = Path(given)
    if path.suffix not in FORMATS or path.is_dir():
        problem = Problem("C003", f"--to {given}", "its ending says nothing", fix=f"end it with {', '.join(FORMATS)}.")
        raise ConfigError("The comparison cannot be written there.", [problem])
    return path


def _write(target: Path, shown: View) -> None:
    if target.suffix == ".json":
        from harness.reporting.comparison_json import as_json

        write_json(target, as_json(shown))
    elif target.suffix == ".html":
        from harness.reporting.comparison_html import comparison_page

        write_atomic(target, comparison_page(shown))
    else:
        from harness.reporting.comparison_markdown import comparison_markdown

        write_atomic(target, comparison_markdown(shown))


def _questions(found: RunComparison) -> Mapping[str, Question]:
    """The questions as B was asked them, without evidence when the documents are others now.

    One that was edited since is left out, and all are when the golden set is not at hand.
    """
    record = found.b.record
    try:
        golden = load(find(_golden_set(record), roots()))
    except HarnessError:
        return {}
    asked = record.contents.get("questions", {})
    same = golden.digest == record.fingerprints.get("golden_set")
    anchored = golden.corpus_digest == record.fingerprints.get("corpus")
    return {
        item.question_id: item if anchored else replace(item, evidence=())
        for item in golden.questions
        if same or asked.get(item.question_id, "") == golden.question_digests[item.question_id]
    }


def _golden_set(record: RunRecord) -> str:
    """Where the golden set lies, or its name: a baseline does not keep the place."""
    return str(record.config.get("golden_set") or record.golden_set)
