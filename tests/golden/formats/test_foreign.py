"""What was read becomes a golden set on disk: whole and sound, or not at all."""

import json
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ConfigError, GoldenSetError, HarnessError, StoreError
from harness.golden.formats import shared
from harness.golden.formats.catalog import FORMATS
from harness.golden.formats.foreign import Foreign, Options, set_name, store
from harness.golden.formats.shared import counted
from harness.golden.golden_set import load
from harness.types import Document
from tests.golden.folders import refusal, row, write
from tests.golden.formats.faults import problems

DOCUMENTS = [{"_id": "d1", "title": "One", "text": "Alpha beta.", "metadata": {"colour": "red"}}]
DATED = ("beir", "csv", "huggingface", "jsonl")
"""Formats with a place for the day on which a question is asked."""
ASKED = row(evidence=[[{"doc": "d1", "quote": "Alpha"}]])


def foreign(*questions: dict[str, Any], documents: Any = DOCUMENTS, **fields: Any) -> Foreign:
    return Foreign(list(questions) or [ASKED], documents, purpose="for tests", **fields)


class TestStore:
    def test_it_writes_a_set_that_loads(self, tmp_path: Path) -> None:
        golden = store(foreign(ASKED, refusal(id="u1")), tmp_path / "set")
        assert golden == load(tmp_path / "set")
        assert golden is not None
        assert (golden.name, golden.version, golden.purpose, len(golden.questions)) == ("set", 1, "for tests", 2)

    def test_drafts_alone_make_no_set_but_a_review_file(self, tmp_path: Path) -> None:
        draft = {"id": "q1", "question": "Which?", "answerable": True}
        assert store(Foreign([], DOCUMENTS, [draft]), tmp_path / "set") is None
        assert json.loads((tmp_path / "set" / "drafts.jsonl").read_text()) == {**draft, "reviewed": False}

    def test_an_empty_folder_is_taken(self, tmp_path: Path) -> None:
        (tmp_path / "set").mkdir()
        assert store(foreign(), tmp_path / "set") is not None

    def test_only_what_a_corpus_reads_is_copied(self, tmp_path: Path) -> None:
        corpus = write(tmp_path / "mine") / "corpus"
        for name in ("photo.png", ".hidden.md", "metadata.yaml", "sub/deep.txt"):
            (corpus / name).parent.mkdir(exist_ok=True)
            (corpus / name).write_text("{}")
        os.mkfifo(corpus / "pipe.md")
        store(foreign(row(), documents=()), tmp_path / "set", corpus)
        copied = sorted(
            path.relative_to(tmp_path / "set" / "corpus").as_posix() for path in (tmp_path / "set").rglob("corpus/**/*")
        )
        assert copied == ["aq.md", "metadata.yaml", "north.md", "sub", "sub/deep.txt"]

    def test_a_file_of_document_rows_is_a_corpus(self, tmp_path: Path) -> None:
        (tmp_path / "docs.jsonl").write_text(json.dumps(DOCUMENTS[0]) + "\n")
        golden = store(foreign(documents=()), tmp_path / "set", tmp_path / "docs.jsonl")
        assert golden is not None
        assert [document.doc_id for document in golden.documents] == ["d1"]

    def test_faults_name_the_question_and_the_document_not_a_line_that_is_gone(self, tmp_path: Path) -> None:
        wrong = [row(id="q1", evidence=[[{"doc": "d1", "quote": "Gamma"}]]), row(id="q2", evidence=[[{"doc": "d9"}]])]
        assert list(problems(lambda: store(foreign(*wrong), tmp_path / "set"))) == [
            "G015 question 'q1' evidence[0][0].quote",
            "G013 question 'q2' evidence[0][0].doc",
        ]

    def test_types_are_checked_before_anything_is_written(self, tmp_path: Path) -> None:
        documents = [{"_id": "d1", "text": None}, {"_id": 2, "text": "x"}]
        draft = {"id": "q2", "question": b"x"}
        found = problems(lambda: store(foreign({**ASKED, "tags": "x"}, documents=documents, drafts=[draft]), tmp_path / "set"))
        assert list(found) == [
            "G009 question 'q1' tags",
            "G009 question 'q2' question",
            "G009 document 'd1' text",
            "G009 document 2 _id",
        ]

    def test_a_hundred_faults_are_shown_and_all_counted(self, tmp_path: Path) -> None:
        wrong = [row(id=f"q{number}", evidence=[[{"doc": "d9"}]]) for number in range(150)]
        with pytest.raises(GoldenSetError, match=r"150 problem\(s\), the first 100") as caught:
            store(foreign(*wrong), tmp_path / "set")
        assert len(caught.value.problems) == 100


class TestNothingIsLeftBehind:
    @pytest.mark.parametrize(
        "bad",
        [
            foreign(row(evidence=[[{"doc": "d9"}]])),
            foreign(documents=[{"_id": "d1", "text": " "}]),
            foreign(documents=[{"_id": "e\u0301", "text": "x"}, {"_id": "\u00e9", "text": "y"}]),
            foreign(ASKED, ASKED),
            foreign({**ASKED, "question": "x\ud800"}),
            foreign(documents=[{"_id": "d1", "text": "x\ud800"}]),
            Foreign([], [{"_id": "", "text": "x"}], [{"id": "q1", "question": "Which?"}]),
            Foreign([], DOCUMENTS),
        ],
        ids=[
            "evidence",
            "empty document",
            "one id",
            "one question",
            "half letter",
            "half letter in document",
            "drafts",
            "nothing",
        ],
    )
    def test_when_the_set_is_not_sound(self, tmp_path: Path, bad: Foreign) -> None:
        with pytest.raises(GoldenSetError):
            store(bad, tmp_path / "new" / "set")
        assert list(tmp_path.iterdir()) == []

    def test_when_the_corpus_is_broken(self, tmp_path: Path) -> None:
        corpus = write(tmp_path / "mine") / "corpus"
        (corpus / "bad.md").write_bytes(b"\xff")
        assert list(problems(lambda: store(foreign(row(), documents=()), tmp_path / "set", corpus))) == ["C008 bad.md"]
        assert sorted(path.name for path in tmp_path.iterdir()) == ["mine"]

    def test_when_the_disk_is_full(self, tmp_path: Path) -> None:
        documents = [{"_id": f"d{number}", "text": "Alpha beta." * 1000} for number in range(1, 9)]
        with _files_of_at_most(10_000), pytest.raises(StoreError, match="cannot write"):
            store(foreign(documents=documents), tmp_path / "set")
        assert list(tmp_path.iterdir()) == []

    def test_when_the_disk_is_full_while_a_corpus_is_copied(self, tmp_path: Path) -> None:
        corpus = write(tmp_path / "mine") / "corpus"
        (corpus / "long.md").write_text("Alpha. " * 10_000)
        with _files_of_at_most(10_000), pytest.raises(StoreError, match="nothing was kept"):
            store(foreign(row(), documents=()), tmp_path / "set", corpus)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["mine"]

    def test_when_a_file_stands_where_a_folder_should(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        with pytest.raises(HarnessError):
            store(foreign(), tmp_path / "file" / "set")
        assert (tmp_path / "file").read_text() == "x"

    def test_but_the_empty_folder_that_was_there(self, tmp_path: Path) -> None:
        (tmp_path / "set").mkdir()
        with pytest.raises(GoldenSetError):
            store(foreign(row(evidence=[[{"doc": "d9"}]])), tmp_path / "set")
        assert list((tmp_path / "set").iterdir()) == []


@contextmanager
def _files_of_at_most(size: int) -> Iterator[None]:
    """As on a full disk: writing past `size` bytes of a file is an error of the system."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


class TestNames:
    @pytest.mark.parametrize(
        ("source", "name"),
        [
            ("data/squad.v2.json", "squad.v2"),
            ("My set (1).csv", "My-set-1"),
            ("C:\\data\\squad.json", "C-data-squad"),
            ("...", "imported"),
            ("Fragen-ä.csv", "Fragen-ä"),
        ],
    )
    def test_a_set_is_named_as_its_file(self, source: str, name: str) -> None:
        assert set_name(Path(source)) == name

    def test_a_set_is_named_as_its_whole_folder(self, tmp_path: Path) -> None:
        (tmp_path / "set.v2").mkdir()
        assert set_name(tmp_path / "set.v2") == "set.v2"


class TestDocuments:
    @pytest.mark.parametrize(
        ("given", "documents", "says"),
        [
            (None, (), "holds no documents"),
            ("corpus", DOCUMENTS, "holds its documents already"),
            ("nowhere", (), "neither a folder nor"),
            ("manual.md", (), "neither a folder nor"),
        ],
    )
    def test_they_are_given_once(self, tmp_path: Path, given: str | None, documents: Any, says: str) -> None:
        (tmp_path / "corpus").mkdir()
        (tmp_path / "manual.md").write_text("x")
        with pytest.raises(ConfigError, match=says):
            store(foreign(documents=documents), tmp_path / "set", tmp_path / given if given else None)

    def test_a_set_inside_its_own_documents_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="lies inside the documents"):
            store(foreign(row(), documents=()), tmp_path / "golden_sets" / "set", tmp_path)


class TestSafeIds:
    @pytest.mark.parametrize(
        ("names", "ids"),
        [
            (["q1", "a.b:c_d-e"], ["q1", "a.b:c_d-e"]),
            (["a<::>7"], ["a-::-7"]),
            (["a/b", "a b", "a-b"], ["a-b-2", "a-b-3", "a-b"]),
            (["a/b", "a-b-2", "a-b"], ["a-b-3", "a-b-2", "a-b"]),
            (["問", "題", ""], ["q", "q-2", "q-3"]),
            ([".hidden", "x" * 200], ["hidden", "x" * 120]),
            (["cafe\u0301", "caf\u00e9"], ["caf", "caf-2"]),
            (["q1", "q1"], ["q1", "q1"]),
        ],
    )
    def test_ids_are_made_fit_and_kept_apart(self, names: list[str], ids: list[str]) -> None:
        found = shared.safe_ids(names)
        assert [found[name] for name in names] == ids

    def test_thousands_of_clashes_take_no_time(self) -> None:
        names = [chr(0x4E00 + number) for number in range(20_000)]
        assert len(set(shared.safe_ids(names).values())) == 20_000

    def test_a_note_counts_those_that_changed(self) -> None:
        assert shared.renamed_note({"q1": "q1"}) == []
        assert shared.renamed_note({"q1": "q1", "a/b": "a-b"})[0].startswith("1 of 2 ids changed")


class TestReadJson:
    @pytest.mark.parametrize(
        ("data", "says"),
        [
            (b'{"a": 1, "a": 2}', "key 'a' appears twice"),
            (b'{"x": [{"b": 1, "b": 1}]}', "key 'b' appears twice"),
            (b'{"a": NaN}', "contains NaN"),
            (b"[-Infinity]", "contains -Infinity"),
            (b"[" * 100_000, "nested too deeply"),
            (b'{"a": ' + b"9" * 5000 + b"}", "not readable"),
            (b'{"a": 1,\n "b" 2}', "at line 2 column 6"),
            (b'{"a": ' + b"[" * 60 + b"]" * 60 + b"}", "nested more than 50 deep"),
            (b'"caf\xe9"', "as JSON"),
            (b"", "as JSON"),
        ],
        ids=["twice", "twice inside", "NaN", "infinity", "deep", "long number", "second line", "sixty deep", "latin", "empty"],
    )
    def test_it_is_as_strict_as_json_lines(self, tmp_path: Path, data: bytes, says: str) -> None:
        (tmp_path / "a.json").write_bytes(data)
        with pytest.raises(GoldenSetError, match=says):
            shared.read_json(tmp_path / "a.json")

    def test_a_byte_order_mark_does_no_harm(self, tmp_path: Path) -> None:
        (tmp_path / "a.json").write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n')
        assert shared.read_json(tmp_path / "a.json") == {"a": 1}


class TestDocumentRows:
    def test_a_document_comes_back_whole(self, tmp_path: Path) -> None:
        kept = {
            "title": "One",
            "mime_type": "text/markdown",
            "version": "2.10",
            "valid_from": "2025-01-01",
            "valid_to": "2026-01-01",
            "tenant": "north",
            "acl": ("north",),
            "author": "Ann",
            "updated_at": "2025-02-01",
            "metadata": {"colour": "red", "empty": ""},
        }
        was = Document("d1", "Alpha beta.", **kept)  # type: ignore[arg-type]
        question = {**ASKED, "persona": "north", "as_of": "2025-06-01", "evidence": [[{"doc": "d2"}]]}
        golden = store(foreign(question, documents=[shared.document_row(was), {"_id": "d2", "text": "x"}]), tmp_path / "set")
        assert golden is not None
        assert {name: getattr(golden.documents[0], name) for name in kept} == kept


def test_a_document_needed_anyway_fulfils_the_groups_that_hold_it() -> None:
    assert shared.needed([["a", "a"], ["b", "c"], ["c", "a"], ["a"], ["b", "c"], []]) == [["a"], ["b", "c"]]


def test_what_the_card_says_is_noted_as_lost(tmp_path: Path) -> None:
    card = {"as_of": "2025-06-01", "licence": "CC0-1.0", "languages": ["en"], "defaults": {"coverage": 0.5}}
    golden = load(write(tmp_path / "mine", card=card))
    left = "coverage 0.5, licence 'CC0-1.0', languages ('en',)"
    for name, form in FORMATS.items():
        said = left if name in DATED else f"as_of '2025-06-01', {left}"
        assert f"of the card: {said}" in form.write([row()], golden, tmp_path / name)


@pytest.mark.parametrize("name", DATED)
def test_the_day_of_the_card_comes_back_with_each_question(tmp_path: Path, name: str) -> None:
    rows = [row(id="q1"), row(id="q2", as_of="2024-01-01"), refusal(id="u1")]
    was = load(write(tmp_path / "mine", rows, card={"as_of": "2025-06-01"}))
    FORMATS[name].write(rows, was, tmp_path / "out")
    held = name in ("beir", "huggingface")
    read = FORMATS[name].read(tmp_path / "out", Options(documents=() if held else was.documents))
    back = store(read, tmp_path / "back", None if held else tmp_path / "mine" / "corpus")
    assert back is not None
    days = {question.question_id: question.as_of or back.as_of for question in back.questions}
    assert days == {question.question_id: question.as_of or was.as_of for question in was.questions}
    assert days == {"q1": "2025-06-01", "q2": "2024-01-01", "u1": "2025-06-01"}


@pytest.mark.parametrize(
    ("number", "words", "text"),
    [
        (0, ("document",), "0 documents"),
        (1, ("document",), "1 document"),
        (2, ("document",), "2 documents"),
        (1, ("query has", "queries have"), "1 query has"),
        (2, ("query has", "queries have"), "2 queries have"),
    ],
)
def test_one_is_told_as_one(number: int, words: tuple[str, ...], text: str) -> None:
    assert counted(number, *words) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"_id": 7, "n": 7}, {"_id": "7", "n": 7}),
        ({"a": [{"_id": 7}]}, {"a": [{"_id": "7"}]}),
        ({"_id": True}, {"_id": True}),
        ({"_id": 7.5}, {"_id": 7.5}),
        ({"_id": "07"}, {"_id": "07"}),
    ],
)
def test_whole_numbers_are_ids(value: Any, text: Any) -> None:
    assert shared.with_text_ids(value, ("_id",)) == text


class TestNotUtf8:
    @pytest.mark.parametrize(
        ("data", "says"),
        [
            (b"a\nb\ncaf\xe9\n", "line 3 holds byte 0xE9 at offset 7; save it as UTF-8 .*iconv -f latin1"),
            ("Frage\n".encode("utf-16"), "line 1 holds byte 0xFF at offset 0; save it as UTF-8 .*iconv -f utf-16"),
        ],
    )
    def test_it_is_told_with_place_and_remedy(self, tmp_path: Path, data: bytes, says: str) -> None:
        (tmp_path / "a.csv").write_bytes(data)
        with pytest.raises(GoldenSetError, match=says):
            shared.read_text(tmp_path / "a.csv")
