"""Hugging Face datasets on disk."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, DatasetDict

from harness.errors import ConfigError, GoldenSetError, StoreError
from harness.golden.formats import huggingface
from harness.golden.formats.foreign import Options, store
from harness.golden.golden_set import load
from harness.golden.schema import SHAPES
from tests.contracts.golden_format import GoldenFormatContract
from tests.golden.folders import row, write
from tests.golden.formats.faults import problems

ASKED = {"id": "q1", "question": "Which?", "doc": "d1"}
DOCUMENT = {"_id": "d1", "text": "Alpha."}


class TestHuggingface(GoldenFormatContract):
    name = "huggingface"
    held = frozenset(name.removesuffix("?") for name in SHAPES)
    retired = True
    essential = ("dataset_dict.json",)


def saved(folder: Path, **tables: list[dict[str, Any]]) -> Path:
    DatasetDict({name: Dataset.from_list(rows) for name, rows in tables.items()}).save_to_disk(str(folder))
    return folder


def test_a_table_with_other_columns_is_read_with_a_map(tmp_path: Path) -> None:
    source = saved(tmp_path / "source", questions=[{"asked": "Which?", "doc": "d1"}], documents=[DOCUMENT])
    foreign = huggingface.read(source, Options(columns={"question": "asked"}))
    assert foreign.questions[0]["question"] == "Which?"
    assert store(foreign, tmp_path / "set") is not None


def test_splits_become_one_set_and_say_what_is_for_tuning(tmp_path: Path) -> None:
    tables = {"train": [ASKED], "validation": [{**ASKED, "id": "q2"}], "test": [{**ASKED, "id": "q3"}]}
    foreign = huggingface.read(saved(tmp_path / "source", **tables, documents=[DOCUMENT]))
    assert [(row["id"], row["split"]) for row in foreign.questions] == [("q1", "tune"), ("q2", "tune"), ("q3", "test")]


def test_one_table_alone_is_that_of_the_questions(tmp_path: Path) -> None:
    Dataset.from_list([ASKED]).save_to_disk(str(tmp_path / "source"))
    foreign = huggingface.read(tmp_path / "source")
    assert (foreign.questions[0]["id"], list(foreign.documents)) == ("q1", [])


def test_tables_that_are_no_splits_are_not_guessed_at(tmp_path: Path) -> None:
    with pytest.raises(GoldenSetError, match="'a', 'b'"):
        huggingface.read(saved(tmp_path / "source", a=[ASKED], b=[ASKED]))


@pytest.mark.parametrize(
    ("document", "says"),
    [({"id": "d1", "text": "x"}, "no column _id"), ({**DOCUMENT, "metadata": "{"}, "metadata of document 'd1'")],
)
def test_documents_that_cannot_be_read_are_told(tmp_path: Path, document: dict[str, Any], says: str) -> None:
    with pytest.raises(GoldenSetError, match=says):
        huggingface.read(saved(tmp_path / "source", questions=[ASKED], documents=[document]))


def test_metadata_may_be_a_column_of_its_own_kind(tmp_path: Path) -> None:
    document = {**DOCUMENT, "metadata": {"tenant": "north", "seen": date(2025, 1, 2)}, "more": 7}
    source = saved(tmp_path / "source", questions=[{**ASKED, "persona": "north"}], documents=[document])
    golden = store(huggingface.read(source), tmp_path / "set")
    assert golden is not None
    assert (golden.documents[0].tenant, golden.documents[0].metadata) == ("north", {"seen": "2025-01-02"})


@pytest.mark.parametrize(
    ("field", "value"), [("reference", float("nan")), ("as_of", date(2025, 1, 2)), ("question", 1.5), ("answers", [1.5])]
)
def test_a_column_of_the_wrong_type_is_named(tmp_path: Path, field: str, value: Any) -> None:
    source = saved(tmp_path / "source", questions=[{**ASKED, field: value}], documents=[DOCUMENT])
    (found,) = problems(lambda: store(huggingface.read(source), tmp_path / "set"))
    assert found.startswith(f"G009 question 'q1' {field}")


def test_a_missing_column_is_told_with_those_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'asked'"):
        huggingface.read(saved(tmp_path / "source", questions=[{"asked": "Which?"}]))


def test_a_folder_that_holds_no_dataset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GoldenSetError, match="holds no dataset"):
        huggingface.read(tmp_path)


def test_a_blocked_target_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot write"):
        huggingface.write([row()], load(write(tmp_path / "mine")), tmp_path / "file" / "out")
