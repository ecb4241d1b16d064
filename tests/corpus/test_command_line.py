"""A corpus of many formats, from the command line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.cli.main import main
from tests.cli.project import write_golden_set
from tests.corpus.office import words


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """`harness golden check` of a small set with more files in its corpus."""

    def call(**files: bytes) -> tuple[int, str]:
        folder = write_golden_set(tmp_path / "tiny")
        for name, data in files.items():
            (folder / "corpus" / name.replace("_", ".")).write_bytes(data)
        code = main(["golden", "check", str(folder)])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return call


def test_bad_files_of_all_kinds_are_named_at_once(check: Callable[..., tuple[int, str]]) -> None:
    code, printed = check(
        a_docx=b"PK", b_json=b"{", c_pdf=b"%PDF-", d_pptx=b"", e_html=b"\xff", log_jsonl=b'{"a": 1}\n{"_id": "x", "text": "X"}'
    )
    assert code == 2
    for name in ("a.docx", "b.json", "c.pdf", "d.pptx", "e.html", "log.jsonl"):
        assert f"{name} — " in " ".join(printed.split())
    assert "Traceback" not in printed


def test_sound_files_of_all_kinds_are_documents(check: Callable[..., tuple[int, str]]) -> None:
    _, printed = check(a_docx=words("Normal: Alpha."), b_json=b'{"a": 1}', c_rs=b"fn main() {}", log_jsonl=b'{"a": 1}\n')
    assert "error[C0" not in printed
    assert "not read" not in printed
