"""TREC qrels."""

from pathlib import Path

import pytest

from harness.errors import GoldenSetError
from harness.golden.formats.trec_files import read_qrels
from tests.golden.formats.faults import problems
from tests.golden.public import public


def _write(folder: Path, text: str) -> Path:
    path = folder / "file.txt"
    path.write_text(text)
    return path


def test_qrels_are_relevance_by_query_and_document(tmp_path: Path) -> None:
    path = _write(tmp_path, "q1 0 d1 1\nq1\t0\td2\t0\n\nq2 0 d1 2.0\nq2 0 d2 -1\n")
    assert read_qrels(path) == {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2, "d2": -1}}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("q1 0 d1\nq1 0 d1 1\nq1 0 d2 one\n", ["G002 file.txt:1", "G002 file.txt:3"]),
        ("q1 0 d1 0.5\nq1 0 d2 nan\nq1 0 d3 1e2\nq1 0 d4 ²\n", [f"G002 file.txt:{line}" for line in (1, 2, 3, 4)]),
        ("q1 0 d1 1\nq1 0 d1 0\n", ["G006 file.txt:2"]),
    ],
)
def test_every_faulty_line_is_reported(tmp_path: Path, text: str, places: list[str]) -> None:
    assert list(problems(lambda: read_qrels(_write(tmp_path, text)))) == places


def test_a_missing_file_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(GoldenSetError, match="cannot read"):
        read_qrels(tmp_path / "nowhere")


@pytest.mark.public_data
def test_the_judgments_of_trec_eval_are_read_whole() -> None:
    path = public("trec_eval_oracle") / "qrels.test"
    assert sum(map(len, read_qrels(path).values())) == len(path.read_text().splitlines())
