"""A comparison as JSON types: everything that was found."""

from dataclasses import asdict
from typing import Any

from harness.comparison.sides import Side
from harness.reporting.comparison import View


def as_json(shown_view: View) -> dict[str, Any]:
    """Everything that was found, as JSON types."""
    found = shown_view.found
    return {
        "a": _side(found.a),
        "b": _side(found.b),
        "slice": found.where,
        "questions": list(found.questions),
        "notes": list(shown_view.notes),
        "settings": {name: [then, now] for name, then, now in shown_view.settings},
        "metrics": [asdict(row) for row in found.rows],
        "further_metrics": [asdict(row) for row in found.further],
        "changed": [
            {**asdict(item), "question": case.text, "sides": asdict(case.shown) if case.shown else None}
            for item, case in zip(found.changed, shown_view.cases, strict=True)
        ],
        "refusals": [asdict(item) for item in shown_view.refusals] if found.flips is not None else None,
    }


def _side(side: Side) -> dict[str, Any]:
    record = side.record
    return {
        "name": side.name,
        "kind": side.kind,
        "run_id": record.run_id,
        "experiment": record.experiment,
        "golden_set": record.golden_set,
        "golden_version": record.golden_version,
        "fingerprints": dict(record.fingerprints),
        "git_revision": record.environment.get("git_revision", ""),
        "traces": side.traces is not None,
    }
