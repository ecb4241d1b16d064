"""Where a fault stands, and what mends it."""

from pathlib import Path

import pytest

from harness.errors import Problem
from harness.golden.places import complete, repeated_keys
from tests.golden.folders import write

CARD = "# by hand\nname: kb\nversion: 1\ndefaults:\n  coverage: 2\nlanguages:\n- en\n- 5\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set with a card of several lines."""
    write(tmp_path / "kb")
    (tmp_path / "kb" / "golden_set.yaml").write_text(CARD)
    return tmp_path / "kb"


@pytest.mark.parametrize(
    ("where", "full"),
    [
        ("golden_set.yaml", "golden_set.yaml"),
        ("golden_set.yaml version", "golden_set.yaml:3 version"),
        ("golden_set.yaml defaults.coverage", "golden_set.yaml:5 defaults.coverage"),
        ("golden_set.yaml defaults.coverag.x", "golden_set.yaml:4 defaults.coverag.x"),
        ("golden_set.yaml languages[1]", "golden_set.yaml:6 languages[1]"),
        ("golden_set.yaml as_of", "golden_set.yaml as_of"),
        ("questions.jsonl:3 id", "questions.jsonl:3 id"),
    ],
)
def test_a_field_of_the_card_gets_its_line(folder: Path, where: str, full: str) -> None:
    assert complete(folder, Problem("G030", where, "is wrong.", fix="x")).where == full


@pytest.mark.parametrize("text", ["name: [", "- a\n", "a: &a [1]\nversion: *a\n", "", "caf\xe9: 1\n"])
def test_a_card_that_cannot_be_read_has_no_lines(folder: Path, text: str) -> None:
    (folder / "golden_set.yaml").write_bytes(text.encode("latin-1"))
    problem = Problem("G030", "golden_set.yaml version", "is wrong.", fix="x")
    assert complete(folder, problem) == problem
    assert list(repeated_keys(folder)) == []


@pytest.mark.parametrize(
    ("where", "full"),
    [
        ("a b.md", "corpus/a b.md"),
        ("f.md tenant", "corpus/f.md:3 tenant"),
        ("f.md author", "corpus/f.md author"),
        ("rows.jsonl:3 _id", "corpus/rows.jsonl:3 _id"),
        ("corpus", "corpus"),
    ],
)
def test_a_fault_of_the_corpus_gets_its_folder_and_if_it_can_its_line(folder: Path, where: str, full: str) -> None:
    (folder / "corpus" / "f.md").write_text("---\ntitle: x\ntenant: 1.5\n---\nx\n")
    problem = Problem("C009", where, "is wrong.", fix="x")
    assert complete(folder, problem, [problem]).where == full


def test_the_corpus_folder_itself_is_named_without_its_path(folder: Path) -> None:
    problem = Problem("C001", str(folder / "corpus"), "is empty.")
    assert complete(folder, problem, [problem]).where == "corpus"


def test_every_fault_gets_a_remedy_and_keeps_its_own(folder: Path) -> None:
    assert complete(folder, Problem("C001", "corpus", "x")).fix == "put the documents into corpus/."
    assert complete(folder, Problem("G999", "x", "x")).fix
    assert complete(folder, Problem("C001", "corpus", "x", fix="mine")).fix == "mine"


def test_names_that_stand_twice_on_the_card_are_told_with_their_line(folder: Path) -> None:
    (folder / "golden_set.yaml").write_text(f"{CARD}version: 2\ncounts:\n  coverage: 1\n  tune: 1\n  tune: 2\n")
    found = [(problem.code, problem.where) for problem in repeated_keys(folder)]
    assert found == [("G008", "golden_set.yaml:9 version"), ("G008", "golden_set.yaml:13 counts.tune")]
