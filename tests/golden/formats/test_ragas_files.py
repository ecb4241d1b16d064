"""Samples of ragas in the files that ragas and pandas write."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from harness.golden.formats import ragas
from harness.golden.formats.foreign import Foreign
from harness.golden.formats.ragas_files import list_of
from tests.golden.formats.beir_folders import json_lines
from tests.golden.formats.faults import problems

SAMPLES: list[dict[str, Any]] = [
    {"user_input": "Which, of these?", "reference_contexts": ["It's\nalpha.", 'say "b"'], "reference": "this"},
    {"user_input": "Who?", "reference_contexts": ["Caf\u00e9"], "reference": "", "persona_name": "Ann"},
]
OLD = {"question": "Which?", "contexts": ["Alpha."], "ground_truth": "this"}


def as_csv(path: Path, samples: list[dict[str, Any]], sign: str = ",") -> Path:
    """As csv.DictWriter in ragas does: lists as Python prints them."""
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(dict.fromkeys(name for item in samples for name in item)), delimiter=sign)
        table.writeheader()
        table.writerows(samples)
    return path


def same(one: Foreign, other: Foreign) -> bool:
    return (one.questions, one.documents, one.drafts) == (other.questions, other.documents, other.drafts)


@pytest.fixture
def lines(tmp_path: Path) -> Foreign:
    (tmp_path / "lines.jsonl").write_text(json_lines(*SAMPLES))
    return ragas.read(tmp_path / "lines.jsonl")


@pytest.mark.parametrize("start", ["", "\ufeff", "\n  "])
def test_an_array_is_read_as_lines_are(tmp_path: Path, lines: Foreign, start: str) -> None:
    (tmp_path / "samples.json").write_text(start + json.dumps(SAMPLES, indent=2), encoding="utf-8")
    assert same(ragas.read(tmp_path / "samples.json"), lines)


@pytest.mark.parametrize("sign", [",", ";"])
def test_csv_is_read_as_lines_are(tmp_path: Path, lines: Foreign, sign: str) -> None:
    found = ragas.read(as_csv(tmp_path / "samples.csv", SAMPLES, sign))
    assert same(found, lines)
    assert len(found.questions) == 2
    assert found.notes == ([] if sign == "," else ["the columns are set apart by semicolons"])


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ("[]", []),
        ("['a', 'b']", ["a", "b"]),
        (" ['a'] ", ["a"]),
        ("[\"it's\", 'x']", ["it's", "x"]),
        ('["a", "b"]', ["a", "b"]),
        ('["a","\\u00e9"]', ["a", "\u00e9"]),
        ("['a' 'b']", None),
        ("['a'\n 'b']", None),
        ("['a', 7]", None),
        ("[['a']]", None),
        ("('a',)", None),
        ("'a'", None),
        ("a", None),
        ("['a'", None),
        ("[nan]", None),
        ("__import__('os').getcwd()", None),
        ("['a'] + ['b']", None),
        ("[" * 5_000, None),
    ],
)
def test_a_list_is_a_list_of_texts_and_nothing_else(cell: str, texts: list[str] | None) -> None:
    assert list_of(cell) == texts


def test_every_faulty_cell_and_item_is_reported(tmp_path: Path) -> None:
    rows = [{"user_input": "Which?", "reference_contexts": "['a' 'b']"}, {"user_input": "[{'content': 'Hi', 'type': 'human'}]"}]
    found = problems(lambda: ragas.read(as_csv(tmp_path / "a.csv", rows)))
    assert list(found) == ["G009 a.csv:2 reference_contexts", "G009 a.csv:3 user_input"]
    (tmp_path / "a.json").write_text('[{"user_input": "Which?"}, 7, {"user_input": 7}]')
    assert list(problems(lambda: ragas.read(tmp_path / "a.json"))) == ["G002 a.json sample 2", "G009 a.json sample 3 user_input"]


@pytest.mark.parametrize("form", ["csv", "jsonl", "json"])
def test_columns_of_older_versions_are_read_and_told(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"old.{form}"
    if form == "csv":
        as_csv(path, [OLD])
    else:
        path.write_text(json_lines(OLD) if form == "jsonl" else json.dumps([OLD]))
    foreign = ragas.read(path)
    (found,) = foreign.questions
    assert (found["question"], found["reference"]) == ("Which?", "this")
    assert [item["text"] for item in foreign.documents] == ["Alpha."]
    assert "1 sample has the columns of an older ragas" in foreign.notes[0]


def test_old_contexts_beside_an_answer_are_no_truth(tmp_path: Path) -> None:
    (tmp_path / "old.jsonl").write_text(json_lines({**OLD, "answer": "that"}, OLD))
    foreign = ragas.read(tmp_path / "old.jsonl")
    assert [len(foreign.questions), len(foreign.drafts)] == [1, 1]
    assert "2 samples have the columns of an older ragas" in foreign.notes[0]
    assert foreign.notes[-1] == "not taken over: retrieved_contexts (1), response (1)"
