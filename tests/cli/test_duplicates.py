"""A run that leaves copies out finds the evidence quoted in them in the copy that it searches."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import project as made

Harness = Callable[..., tuple[int, str]]


@pytest.fixture
def copied(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tiny set with the range page a second time, under a name that comes first."""
    monkeypatch.setattr(made, "DOCUMENTS", {**made.DOCUMENTS, "a-copy.md": made.DOCUMENTS["range.md"]})
    made.write_golden_set(project / "golden_sets" / "tiny")
    return project


@pytest.mark.parametrize(
    ("policy", "documents"), [("keep", 6), ("drop", 5), ("link", 5)], ids=["searched", "left out", "left out and named"]
)
def test_evidence_quoted_in_a_copy_that_is_left_out_is_found(copied: Path, harness: Harness, policy: str, documents: int) -> None:
    code, printed = harness("run", "+experiment=light", f"duplicates={policy}", "gate=none")
    (results,) = (copied / "reports" / "runs").glob("*/results.json")
    record = json.loads(results.read_text())
    assert code == 0 and "G033" not in printed
    assert record["statistics"]["documents"] == documents
    assert record["metrics"]["recall_at_5"]["value"] == 1.0
