"""Documents a line."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.corpus import reading, rows
from harness.corpus.loader import load_corpus, load_file
from harness.corpus.reading import Loaded
from harness.corpus.rows import read
from harness.errors import CorpusError
from harness.types import Document


def rows_file(folder: Path, *rows: Any, name: str = "docs.jsonl") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    return path


def document(folder: Path, **fields: Any) -> Document:
    found, problems = read("docs.jsonl", rows_file(folder, {"_id": "d1", "text": "Alpha.", **fields}))
    assert problems == []
    (only,) = found
    return only


def faults(folder: Path, *rows: Any) -> dict[str, str]:
    problems = read("sub/docs.jsonl", rows_file(folder, *rows))[1]
    return {f"{problem.code} {problem.where}": str(problem) for problem in problems}


def test_a_row_says_what_a_file_could(tmp_path: Path) -> None:
    said = {
        "tenant": "north",
        "version": "2.10",
        "valid_from": "2025-01-01",
        "acl": ["north"],
        "mime_type": "text/markdown",
        "n": 1,
    }
    found = document(tmp_path, title="One", metadata=said, url="ignored")
    assert (found.doc_id, found.title, found.text, found.mime_type) == ("d1", "One", "Alpha.", "text/markdown")
    assert (found.tenant, found.version, found.valid_from, found.acl) == ("north", "2.10", "2025-01-01", ("north",))
    assert found.metadata == {"n": 1}


def test_text_and_id_are_normalised(tmp_path: Path) -> None:
    found = document(tmp_path, _id="cafe\u0301", text="\ufeffe\u0301\r\nb")
    assert (found.doc_id, found.text) == ("caf\u00e9", "\u00e9\nb")


def test_the_rows_title_is_the_title_whatever_the_metadata_say(tmp_path: Path) -> None:
    assert document(tmp_path, title="One", metadata={"title": "Other"}).title == "One"


@pytest.mark.parametrize("said", [{}, {"title": ""}, {"title": " "}])
def test_without_a_title_that_of_the_metadata_holds(tmp_path: Path, said: dict[str, str]) -> None:
    assert document(tmp_path, metadata={"title": "Other"}, **said).title == "Other"


def test_a_row_without_text_takes_its_title(tmp_path: Path) -> None:
    assert document(tmp_path, text=" ", title="Only this").text == "Only this"


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"text": "x"}, "G005 sub/docs.jsonl:2 _id"),
        ({"_id": 7, "text": "x"}, "G009 sub/docs.jsonl:2 _id"),
        ({"_id": "d2", "text": None}, "G009 sub/docs.jsonl:2 text"),
        ({"_id": "d2", "text": "x", "metadata": []}, "G009 sub/docs.jsonl:2 metadata"),
        ({"_id": " ", "text": "x"}, "G005 sub/docs.jsonl:2 _id"),
        ({"_id": "d2\x00", "text": "x"}, "G021 sub/docs.jsonl:2 _id"),
        ({"_id": "d" * 1001, "text": "x"}, "G020 sub/docs.jsonl:2 _id"),
        ({"_id": "d2", "text": " ", "title": " "}, "C002 sub/docs.jsonl:2 text"),
        ({"_id": "d2", "text": "\ud800"}, "G021 sub/docs.jsonl:2 text"),
        ({"_id": "d2", "text": "x", "title": "\udfff"}, "G021 sub/docs.jsonl:2 title"),
        ({"_id": "e\u0301", "text": "x"}, "G006 sub/docs.jsonl:2 _id"),
        ({"_id": "d2", "text": "x", "metadata": {"valid_from": "soon"}}, "C009 sub/docs.jsonl:2 valid_from"),
        ({"_id": "d2", "text": "x", "metadata": {"mime_type": 7}}, "C009 sub/docs.jsonl:2 mime_type"),
        ('{"_id": "d2", "_id": "d3", "text": "x"}', "G008 docs.jsonl:2"),
        ('{"_id": "d2", "text": NaN}', "G019 docs.jsonl:2"),
        ("[]", "G002 docs.jsonl:2"),
    ],
)
def test_a_faulty_row_is_named_by_line_and_field(tmp_path: Path, row: Any, code: str) -> None:
    assert list(faults(tmp_path, {"_id": "\u00e9", "text": "x"}, row)) == [code]


def test_all_faults_are_reported_and_the_sound_rows_kept(tmp_path: Path) -> None:
    found, problems = read("docs.jsonl", rows_file(tmp_path, {"_id": 1}, {"_id": "d1", "text": "x"}, {"text": "y"}))
    assert [item.doc_id for item in found] == ["d1"]
    assert {problem.where for problem in problems} == {"docs.jsonl:1 _id", "docs.jsonl:1 text", "docs.jsonl:3 _id"}


class TestInACorpus:
    def codes(self, folder: Path) -> list[str]:
        with pytest.raises(CorpusError) as caught:
            load_corpus(folder)
        return [f"{problem.code} {problem.where}" for problem in caught.value.problems]

    def test_rows_and_files_come_sorted_together(self, tmp_path: Path) -> None:
        rows_file(tmp_path, {"_id": "z", "text": "x"}, {"_id": "a", "text": "x"})
        (tmp_path / "m.md").write_text("M")
        assert [item.doc_id for item in load_corpus(tmp_path)] == ["a", "m.md", "z"]

    def test_ids_of_rows_may_differ_by_case_alone(self, tmp_path: Path) -> None:
        rows_file(tmp_path, {"_id": "Ann_Arbor", "text": "x"}, {"_id": "ANN_arbor", "text": "y"})
        assert len(load_corpus(tmp_path)) == 2

    def test_an_id_in_two_files_is_refused(self, tmp_path: Path) -> None:
        rows_file(tmp_path, {"_id": "d1", "text": "x"}, {"_id": "m.md", "text": "x"})
        rows_file(tmp_path, {"_id": "d1", "text": "y"}, name="more.jsonl")
        (tmp_path / "m.md").write_text("M")
        assert self.codes(tmp_path) == ["C005 d1", "C005 m.md"]

    def test_metadata_yaml_cannot_describe_rows(self, tmp_path: Path) -> None:
        rows_file(tmp_path, {"_id": "d1", "text": "x"})
        (tmp_path / "metadata.yaml").write_text("docs.jsonl: {tenant: north}")
        assert self.codes(tmp_path) == ["C009 metadata.yaml docs.jsonl"]

    def test_an_empty_file_of_rows_is_refused(self, tmp_path: Path) -> None:
        rows_file(tmp_path)
        assert self.codes(tmp_path) == ["G001 docs.jsonl"]


class TestRowsOfData:
    """Rows that are no documents, such as a log."""

    LOG = '{"time": "10:02", "level": "warn",  "code": "E-17"}\n\n{"time": "10:03", "level": "info"}\n'

    def loaded(self, folder: Path, text: str) -> Loaded:
        (folder / "log.jsonl").write_text(text)
        return load_file(folder / "log.jsonl")

    def test_they_are_one_document_as_they_were_written(self, tmp_path: Path) -> None:
        (found,) = self.loaded(tmp_path, self.LOG).documents
        assert (found.doc_id, found.text, found.mime_type, found.title) == ("log.jsonl", self.LOG, "application/jsonl", "log")

    def test_metadata_yaml_can_describe_them(self, tmp_path: Path) -> None:
        (tmp_path / "log.jsonl").write_text(self.LOG)
        (tmp_path / "metadata.yaml").write_text("log.jsonl: {tenant: north}")
        (found,) = load_corpus(tmp_path)
        assert found.tenant == "north"

    @pytest.mark.parametrize(
        ("rows", "says"),
        [
            ([{"a": 1}, {"_id": "x", "text": "X"}], "its first row is a data row, and 1 are document rows (line 2)"),
            ([{"_id": "x", "text": "X"}, {"a": 1}, {"b": 2}], "its first row is a document row, and 2 are data rows (line 2, 3)"),
            ([{"_id": "x", "text": "X"}, *[{"a": 1}] * 9], "9 are data rows (line 2, 3, 4, 5, 6, ...)"),
        ],
    )
    def test_a_mixed_file_is_one_problem(self, tmp_path: Path, rows: list[dict[str, Any]], says: str) -> None:
        (problem,) = self.loaded(tmp_path, "".join(f"{json.dumps(row)}\n" for row in rows)).problems
        assert (problem.code, problem.where) == ("C011", "log.jsonl")
        assert says in problem.what

    @pytest.mark.parametrize(
        ("text", "codes"),
        [
            ('{"a": 1}\nnope\n', ["G002 log.jsonl:2"]),
            ("[1]\n[2]\n", ["G002 log.jsonl:1", "G002 log.jsonl:2"]),
            ('{"a": 1}\n{"a": ', ["G003 log.jsonl:2"]),
            ('\ufeff{"a": 1}\n', ["G017 log.jsonl:1"]),
            ("nope\n", ["G002 log.jsonl:1"]),
            ("\n\n", ["G001 log.jsonl"]),
        ],
    )
    def test_a_line_that_is_no_object_is_named(self, tmp_path: Path, text: str, codes: list[str]) -> None:
        loaded = self.loaded(tmp_path, text)
        assert loaded.documents == ()
        assert [f"{problem.code} {problem.where}" for problem in loaded.problems] == codes

    def test_a_large_file_of_data_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reading, "MAX_BYTES", 10)
        assert [problem.code for problem in self.loaded(tmp_path, self.LOG).problems] == ["C004"]

    def test_more_characters_than_json_may_have_are_refused_unparsed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rows, "MAX_CHARACTERS", 20)
        assert len(self.loaded(tmp_path, '{"a": "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"}\n\n\n\n').documents) == 1  # 20 characters
        (problem,) = self.loaded(tmp_path, '{"a": 1}\nnope\n' * 2).problems  # 14 characters each
        assert (problem.code, problem.where) == ("C004", "log.jsonl")
        assert "28 characters" in problem.what


@pytest.mark.parametrize("name", ["id", "doc_id", "docid"])
def test_documents_whose_id_has_another_name_are_told_and_not_made_one(tmp_path: Path, name: str) -> None:
    (tmp_path / "docs.jsonl").write_text(json.dumps({name: "kb-1", "text": "The valve opens at 3 bar."}) + "\n")
    (problem,) = load_file(tmp_path / "docs.jsonl").problems
    assert (problem.code, problem.fix) == ("C011", f"rename {name!r} to _id, or `text` if they are data.")
