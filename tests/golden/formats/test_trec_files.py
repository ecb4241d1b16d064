"""TREC qrels and runs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.errors import GoldenSetError
from harness.golden.formats.trec_files import read_qrels, read_run
from tests.golden.public import public


def _write(folder: Path, text: str) -> Path:
    path = folder / "file.txt"
    path.write_text(text)
    return path


def test_qrels_are_relevance_by_query_and_document(tmp_path: Path) -> None:
    path = _write(tmp_path, "q1 0 d1 1\nq1\t0\td2\t0\n\nq2 0 d1 2\n")
    assert read_qrels(path) == {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}}


def test_a_run_is_score_by_query_and_document(tmp_path: Path) -> None:
    path = _write(tmp_path, "q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 -1e-3 bm25\n")
    assert read_run(path) == {"q1": {"d1": 2.5, "d2": -0.001}}


@pytest.mark.parametrize(
    ("read", "text", "places"),
    [
        (read_qrels, "q1 0 d1\nq1 0 d1 1\nq1 0 d2 one\n", ["G002 file.txt:1", "G002 file.txt:3"]),
        (read_qrels, "q1 0 d1 1\nq1 0 d1 0\n", ["G006 file.txt:2"]),
        (read_run, "q1 Q0 d1 1 nan tag\nq1 Q0 d1 1 2\n", ["G002 file.txt:1", "G002 file.txt:2"]),
        (read_run, "q1 Q0 d1 1 2 t\nq1 Q0 d1 2 1 t\n", ["G006 file.txt:2"]),
    ],
)
def test_every_faulty_line_is_reported(tmp_path: Path, read: Callable[[Path], Any], text: str, places: list[str]) -> None:
    with pytest.raises(GoldenSetError) as caught:
        read(_write(tmp_path, text))
    assert [f"{problem.code} {problem.where}" for problem in caught.value.problems] == places


def test_a_missing_file_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(GoldenSetError, match="cannot read"):
        read_qrels(tmp_path / "nowhere")


@pytest.mark.public_data
def test_the_files_of_trec_eval_are_read_whole() -> None:
    folder = public("trec_eval_oracle")
    qrels, run = read_qrels(folder / "qrels.test"), read_run(folder / "results.test")
    assert sum(map(len, qrels.values())) == len((folder / "qrels.test").read_text().splitlines())
    assert sum(map(len, run.values())) == len((folder / "results.test").read_text().splitlines())
