"""What every format of golden sets must do. Subclass it and say what the format holds; it is exported, read and stored anew."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest

from harness.corpus.loader import load_corpus
from harness.errors import ConfigError, GoldenSetError
from harness.golden.formats.catalog import FORMATS
from harness.golden.formats.foreign import Foreign, Options, store
from harness.golden.golden_set import GoldenSet, load
from tests.golden.folders import FILTER, refusal, row, write

PROBE = {"doc": "aq.md", "quote": "The probe lasts 9 months."}
WASH = {"doc": "aq.md", "quote": "Never wash it.", "prefix": "6 months."}
NORTH = {"doc": "north.md", "quote": "North pays 5 euros."}
ROWS = [
    row(
        id="q1", answers=["half a year"], reference="It lasts 6 months.", split="tune", tags=["care"], group="filters",
        provenance="by hand", reviewed=True, nuggets=[{"text": "6 months", "vital": True}], version="2",
    ),
    row(id="q2", question="Which parts?", kind="multi_hop", evidence=[[FILTER], [PROBE]], answers=["filter", "probe"]),
    row(id="q3", question="What does it cost?", evidence=[[NORTH, WASH]], persona="north", as_of="2025-06-01", conflict=True),
    row(id="q4", question="And then?", kind="multi_turn", history=[{"role": "user", "content": "Hi"}], forbid=[{"doc": "north.md"}]),
    refusal(id="u1", question="Who will win?"),
    row(id="r1", question="Old?", retired=True),
]  # fmt: skip
"""Every field of the schema is said somewhere."""

GARBAGE = [b"", b"\x00\xff\xfe\x80", b"{", b"[]", b"7", b"null", b'{"a": NaN}', b"[" * 100_000, b"a\tb\tc\td\n\n\n"]
_NAMED = re.compile(r"(\w+) \(\d+\)")


class Exported(NamedTuple):
    """A set in the format."""

    golden: GoldenSet
    rows: Sequence[Mapping[str, Any]]
    path: Path
    notes: list[str]


def contents(path: Path) -> dict[str, bytes]:
    """The bytes of a file, or of all files of a folder."""
    files = [path] if path.is_file() else sorted(item for item in path.rglob("*") if item.is_file())
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in files}


class GoldenFormatContract:
    name: ClassVar[str]
    """Name in the catalog."""
    file: ClassVar[str] = "exported"
    """Name of the file or folder written."""
    held: ClassVar[frozenset[str]] = frozenset()
    """Fields of questions that come back as they were."""
    explained: ClassVar[frozenset[str]] = frozenset()
    """Fields that come back changed, as a note says in words."""
    documents: ClassVar[bool] = True
    """Whether documents are part of it."""
    retired: ClassVar[bool] = False
    """Whether retired questions are part of it."""
    refusals: ClassVar[bool] = True
    """Whether it can say that a question has to be refused."""
    key: ClassVar[str] = "id"
    """The field by which questions are found again."""
    essential: ClassVar[tuple[str, ...]] = (".",)
    """Files without which nothing can be read; `.` is the file itself."""
    rows: ClassVar[Sequence[Mapping[str, Any]]] = ROWS
    """What is exported."""

    @pytest.fixture
    def exported(self, tmp_path: Path) -> Exported:
        """All of the sample."""
        return self.export(tmp_path, self.rows)

    @pytest.fixture
    def storable(self, tmp_path: Path) -> Exported:
        """What a format can bring back as a sound set: without a persona no question reaches a tenant's document."""
        hidden = {"q3"} if "persona" not in self.held or "as_of" not in self.held else set()
        hidden |= set() if self.refusals else {"u1"}
        return self.export(tmp_path, [item for item in self.rows if item["id"] not in hidden])

    def export(self, folder: Path, rows: Sequence[Mapping[str, Any]]) -> Exported:
        golden = load(write(folder / "mine", rows))
        path = folder / self.file
        return Exported(golden, rows, path, FORMATS[self.name].write(rows, golden, path))

    def read(self, exported: Exported) -> Foreign:
        """What is read of the export."""
        corpus = () if self.documents else exported.golden.documents
        return FORMATS[self.name].read(exported.path, Options(documents=corpus))

    def store(self, exported: Exported, folder: Path) -> GoldenSet:
        """The set that comes back."""
        documents = None if self.documents else exported.path.parent / "mine" / "corpus"
        golden = store(self.read(exported), folder, documents)
        assert golden is not None
        return golden

    def returned(self, exported: Exported) -> dict[str, Mapping[str, Any]]:
        foreign = self.read(exported)
        return {item[self.key]: item for item in (*foreign.questions, *foreign.drafts)}

    def test_what_the_format_holds_comes_back(self, exported: Exported) -> None:
        back = self.returned(exported)
        asked = [item for item in exported.rows if self.retired or not item.get("retired")]
        assert sorted(back) == sorted(item[self.key] for item in asked)
        for item in asked:
            said = {name for name in self.held if name in item}
            assert {name: back[item[self.key]].get(name) for name in said} == {name: item[name] for name in said}

    def test_what_is_said_to_be_lost_is_what_differs(self, exported: Exported) -> None:
        back = self.returned(exported)
        differs = {
            name
            for item in exported.rows
            for name, value in item.items()
            if item[self.key] in back and back[item[self.key]].get(name) != value
        }
        differs |= {"retired"} if any(item[self.key] not in back for item in exported.rows) else set()
        noted = [note for note in exported.notes if note.startswith(f"of {len(exported.rows)} questions: ")]
        assert differs == {*_NAMED.findall("".join(noted)), *self.explained}

    def test_a_note_says_that_documents_are_not_part_of_it(self, exported: Exported) -> None:
        assert any("the documents themselves" in note for note in exported.notes) == (not self.documents)

    def test_nothing_the_format_holds_is_in_both_lists(self) -> None:
        assert not self.held & self.explained

    def test_documents_come_back_whole(self, storable: Exported, tmp_path: Path) -> None:
        back = {item.doc_id: item for item in self.store(storable, tmp_path / "back").documents}
        assert set(back) == {"aq.md", "north.md"}
        for document in storable.golden.documents:
            assert back[document.doc_id].text == document.text
            assert back[document.doc_id].content_hash == document.content_hash

    def test_the_same_set_gives_the_same_bytes(self, exported: Exported, tmp_path: Path) -> None:
        again = tmp_path / "again" / self.file
        FORMATS[self.name].write(exported.rows, exported.golden, again)
        assert contents(again) == contents(exported.path)

    def test_exporting_what_was_imported_gives_the_same_bytes(self, storable: Exported, tmp_path: Path) -> None:
        golden = self.store(storable, tmp_path / "back")
        rows = [json.loads(line) for line in (tmp_path / "back" / "questions.jsonl").read_text().splitlines()]
        again = tmp_path / "again" / self.file
        FORMATS[self.name].write(rows, golden, again)
        assert contents(again) == contents(storable.path)

    @pytest.mark.parametrize("garbage", GARBAGE, ids=lambda data: repr(data[:10]))
    def test_garbage_is_refused_in_words(self, exported: Exported, garbage: bytes) -> None:
        for name in contents(exported.path):
            kept = contents(exported.path)
            (exported.path / name if name != "." else exported.path).write_bytes(garbage)
            if name in self.essential:
                with pytest.raises((GoldenSetError, ConfigError)) as caught:
                    store(self.read(exported), exported.path.parent / "back", self._corpus(exported))
                assert len(str(caught.value)) > 20
            else:
                _told_or_read(self, exported)
            (exported.path / name if name != "." else exported.path).write_bytes(kept[name])
            assert not (exported.path.parent / "back").exists() or name not in self.essential
            shutil.rmtree(exported.path.parent / "back", ignore_errors=True)

    def test_a_missing_file_is_named(self, exported: Exported) -> None:
        for name in self.essential:
            path = exported.path / name if name != "." else exported.path
            kept = path.read_bytes()
            path.unlink()
            with pytest.raises(GoldenSetError, match=f"{re.escape(path.name)}|{exported.path.name}"):
                self.read(exported)
            path.write_bytes(kept)

    def test_a_file_in_place_of_a_folder_or_the_reverse_is_refused(self, exported: Exported) -> None:
        path = exported.path
        if path.is_file():
            path.unlink()
            path.mkdir()
        else:
            shutil.rmtree(path)
            path.write_text("x")
        with pytest.raises(GoldenSetError):
            self.read(exported)

    def _corpus(self, exported: Exported) -> Path | None:
        return None if self.documents else exported.path.parent / "mine" / "corpus"

    def test_the_sample_is_sound(self, exported: Exported) -> None:
        assert len(load_corpus(exported.path.parent / "mine" / "corpus")) == 2


class TextFormatContract(GoldenFormatContract):
    """For formats whose files are text."""

    def test_a_byte_order_mark_and_windows_line_ends_change_nothing(self, exported: Exported) -> None:
        before = self.read(exported)
        for name, data in contents(exported.path).items():
            path = exported.path / name if name != "." else exported.path
            path.write_bytes(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
        assert self.read(exported) == before


def _told_or_read(contract: GoldenFormatContract, exported: Exported) -> None:
    """A file that may be left out is read as it is, or refused in words."""
    try:
        store(contract.read(exported), exported.path.parent / "back", contract._corpus(exported))
    except (GoldenSetError, ConfigError) as error:
        assert len(str(error)) > 20
