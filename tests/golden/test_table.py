"""The golden set as a typed table."""

from pathlib import Path

import pytest

from harness.golden.golden_set import load
from harness.golden.table import to_dataset
from tests.golden.folders import refusal, row, write

ROWS = [row(answers=["6"], history=[{"role": "user", "content": "Hi"}], forbid=[{"doc": "north.md"}]), refusal(id="2025-01-01")]


def test_rows_come_out_as_they_went_in(tmp_path: Path) -> None:
    first, second = to_dataset(load(write(tmp_path, ROWS)))
    assert first["evidence"] == [[{"doc_id": "aq.md", "start": 6, "end": 32}]]
    assert (first["answers"], first["history"]) == (["6"], [{"role": "user", "content": "Hi"}])
    assert first["forbid"] == [{"doc_id": "north.md", "start": 0, "end": 19}]
    assert (second["answerable"], second["reason"], second["evidence"]) == (False, "future", [])


def test_an_id_that_looks_like_a_date_stays_text(tmp_path: Path) -> None:
    assert to_dataset(load(write(tmp_path, ROWS)))["id"][1] == "2025-01-01"


def test_the_types_do_not_depend_on_the_rows(tmp_path: Path) -> None:
    full, bare = load(write(tmp_path / "a", ROWS)), load(write(tmp_path / "b", [refusal()]))
    assert to_dataset(full).features == to_dataset(bare).features


@pytest.mark.parametrize(("other", "same"), [(ROWS, True), (ROWS[:1], False)])
def test_the_same_content_has_the_same_fingerprint_wherever_it_lies(
    tmp_path: Path, other: list[dict[str, object]], same: bool
) -> None:
    prints = [to_dataset(load(write(tmp_path / name, rows)))._fingerprint for name, rows in (("a", ROWS), ("b", other))]
    assert (prints[0] == prints[1]) is same
