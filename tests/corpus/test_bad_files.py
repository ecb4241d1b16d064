"""Files that cannot be read: one clear problem each, and the rest of the folder goes on."""

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.corpus.formats import BINARY_FORMATS, ROWS, TEXT_FORMATS
from harness.corpus.loader import load_corpus, load_file, load_folder, read_corpus
from harness.corpus.reading import read_file
from harness.errors import CorpusError
from tests.corpus.office import words
from tests.corpus.test_pdf import WHOLE, encrypted
from tests.corpus.test_slides import whole

SOUND = {".docx": words("Normal: Alpha."), ".pdf": WHOLE, ".pptx": whole()}
OLE = bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600


@pytest.fixture(scope="module")
def bomb(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A zip of some kilobytes that says it holds 600 MB, and does."""
    path = tmp_path_factory.mktemp("zip") / "bomb.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as packed, packed.open("word/media/x.bin", "w", force_zip64=True) as member:
        for _ in range(600):
            member.write(b"\0" * 1_000_000)
    return path.read_bytes()


def only(folder: Path, name: str, data: bytes) -> str:
    """Code and place of the one problem of a file beside a sound one, which is loaded."""
    (folder / "sound.md").write_text("Alpha.")
    (folder / name).write_bytes(data)
    documents, problems = read_corpus(folder)
    assert [document.doc_id for document in documents] == ["sound.md"]
    (problem,) = problems
    assert problem.fix
    return f"{problem.code} {problem.where}"


def test_every_binary_format_is_tried_here() -> None:
    assert set(SOUND) == set(BINARY_FORMATS)


@pytest.mark.parametrize("suffix", sorted(SOUND))
@pytest.mark.parametrize(
    "bad",
    [b"", b"\0", b"PK\x03\x04", b"%PDF-1.7\n%%EOF", OLE, b"<html></html>", "text".encode("utf-16"), "half", "three quarters", "other"],
    ids=["empty", "zero", "zip head", "pdf head", "ole", "html", "text", "half", "three quarters", "other"],
)  # fmt: skip
def test_a_broken_binary_is_one_problem(tmp_path: Path, suffix: str, bad: bytes | str) -> None:
    sound = SOUND[suffix]
    cut = {"half": sound[: len(sound) // 2], "three quarters": sound[: len(sound) * 3 // 4]}
    cut["other"] = SOUND[".pptx" if suffix == ".docx" else ".docx"]
    assert only(tmp_path, f"a{suffix}", cut[bad] if isinstance(bad, str) else bad) == f"C010 a{suffix}"


def test_a_pdf_with_a_password_is_one_problem(tmp_path: Path) -> None:
    assert only(tmp_path, "a.pdf", encrypted()) == "C010 a.pdf"


@pytest.mark.parametrize("suffix", [".docx", ".pptx"])
def test_a_zip_bomb_is_one_problem(tmp_path: Path, bomb: bytes, suffix: str) -> None:
    assert len(bomb) < 1_000_000
    assert only(tmp_path, f"a{suffix}", bomb) == f"C010 a{suffix}"


@pytest.mark.parametrize("suffix", sorted({".md", ".html", ".csv", ".json", ".rst", ".py", ".yaml", ".txt"}))
def test_text_that_is_not_utf8_is_one_problem(tmp_path: Path, suffix: str) -> None:
    assert only(tmp_path, f"a{suffix}", b"\xff\xfe\x00") == f"C008 a{suffix}"


def test_a_file_that_vanishes_is_a_problem(tmp_path: Path) -> None:
    (problem,) = read_file("a.md", tmp_path / "a.md", {}).problems
    assert (problem.code, problem.where) == ("C010", "a.md")
    assert "No such file" in problem.what


def test_every_bad_file_is_named_and_every_sound_one_is_read(tmp_path: Path) -> None:
    for suffix, data in SOUND.items():
        (tmp_path / f"good{suffix}").write_bytes(data)
        (tmp_path / f"bad{suffix}").write_bytes(data[:200])
    loaded = load_folder(tmp_path)
    assert [document.doc_id for document in loaded.documents] == ["good.docx", "good.pdf", "good.pptx"]
    assert [problem.where for problem in loaded.problems] == ["bad.docx", "bad.pdf", "bad.pptx"]
    with pytest.raises(CorpusError, match=r"3 problem\(s\)"):
        load_corpus(tmp_path)


@pytest.mark.parametrize("suffix", [*TEXT_FORMATS, ROWS])
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.one_of(
        st.text(), st.lists(st.sampled_from(["---\n", "a: b\n", "{", '"_id"', "<p", ">", "[", ",", "\n"])).map("".join)
    )
)
def test_any_text_is_a_document_or_a_problem(tmp_path: Path, suffix: str, text: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(text.encode())
    first = read_file(path.name, path, {})
    assert first.documents or first.problems
    assert first == read_file(path.name, path, {})


@pytest.mark.parametrize(
    ("data", "fix"),
    [
        ("Größe".encode("utf-16"), "iconv -f utf-16"),
        ("Größe".encode("latin-1"), "iconv -f latin1"),
        (b"\x00\x01\xff\xfe\x80", "it is no text"),
    ],
)
def test_bytes_that_are_no_utf_8_are_told_what_to_do_with_them(tmp_path: Path, data: bytes, fix: str) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    (problem,) = load_file(tmp_path / "a.txt").problems
    assert (problem.code, fix in problem.fix) == ("C008", True)
