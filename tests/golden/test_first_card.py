"""The card that a set lacks."""

from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from harness.errors import GoldenSetError
from harness.golden.fix import fix_card, fix_questions
from harness.golden.golden_set import load
from tests.golden.folders import lines, row, write


def fix(folder: Path, taken: Collection[int] = ()) -> list[str]:
    """Both steps, as the command takes them."""
    return [*fix_questions(folder), *fix_card(folder, taken)]


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A sound set, but for the card that is not there."""
    folder = write(tmp_path / "kb")
    (folder / "golden_set.yaml").unlink()
    return folder


def test_it_is_written_as_version_1_when_all_else_is_sound(bare: Path) -> None:
    assert fix(bare) == ["golden_set.yaml: missing -> written, name kb, version 1, digests and counts of what is there"]
    assert (load(bare).name, load(bare).version) == ("kb", 1)
    said = (bare / "golden_set.yaml").read_text()
    assert "  answerable: 1\n" in said
    assert said.startswith("# yaml-language-server: $schema=card.schema.json\n")
    assert (bare / "schema.json").is_file() and (bare / "card.schema.json").is_file()
    assert fix(bare) == []


def test_questions_are_mended_first(bare: Path) -> None:
    (bare / "questions.jsonl").write_bytes(lines(row(id=7)))
    assert [change.split(" ")[0] for change in fix(bare)] == ["questions.jsonl:1", "golden_set.yaml:"]
    assert load(bare).version == 1


def test_it_takes_no_version_under_which_other_contents_were_measured(bare: Path) -> None:
    fix(bare, {1, 4})
    assert load(bare).version == 5


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "questions.jsonl").write_bytes(lines(row(kind="factoit"))),
        lambda folder: (folder / "questions.jsonl").write_bytes(b""),
        lambda folder: (folder / "questions.jsonl").unlink(),
        lambda folder: (folder / "corpus" / "bad.md").write_bytes(b"\xff"),
        lambda folder: (folder / "golden_set.yaml").mkdir(),
    ],
    ids=["a faulty question", "no question", "no file of questions", "a faulty document", "a folder in its place"],
)
def test_it_is_not_written_while_anything_else_is_wrong(bare: Path, spoil: Callable[[Path], object]) -> None:
    spoil(bare)
    assert fix(bare) == []
    assert not (bare / "golden_set.yaml").is_file()


@pytest.mark.parametrize("name", ["two words", "a@b", "n" * 129])
def test_it_is_not_written_under_a_name_that_no_set_may_have(tmp_path: Path, name: str) -> None:
    folder = write(tmp_path / name)
    (folder / "golden_set.yaml").unlink()
    assert fix(folder) == []
    with pytest.raises(GoldenSetError, match=r"error\[G030\] golden_set\.yaml — is missing"):
        load(folder)
