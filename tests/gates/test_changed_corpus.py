"""What a gate says of a corpus that is another than that of the accepted baseline."""

from dataclasses import replace
from pathlib import Path

import pytest

from harness.gates import baseline
from harness.gates.changes import contents, of_golden_set
from harness.golden.golden_set import document_digest, load
from harness.resources import shipped_root
from tests.builders import document

SETS = ("smoke", "fernhill", "polyglot")
ACCEPTED = sorted(path for name in SETS for path in (shipped_root() / "reports" / name).glob("*.json"))


def names(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


def test_there_are_shipped_baselines() -> None:
    assert ACCEPTED


@pytest.mark.parametrize("path", ACCEPTED, ids=names)
def test_a_shipped_baseline_knows_the_documents_of_its_golden_set_as_they_stand(path: Path) -> None:
    golden = load(shipped_root() / "golden_sets" / path.parent.name)
    assert baseline.load(path).contents["documents"] == golden.document_digests


@pytest.mark.parametrize(
    ("now", "listed"),
    [
        ({"a.md": "1"}, "documents: 2 removed (b.md, c.md)"),
        ({"a.md": "1", "b.md": "2", "c.md": "9"}, "documents: 1 edited (c.md)"),
        ({"a.md": "1", "b.md": "2", "c.md": "3", "d.md": "4"}, "documents: 1 added (d.md)"),
        ({"b.md": "8", "c.md": "3", "d.md": "4"}, "documents: 1 added (d.md), 1 removed (a.md), 1 edited (b.md)"),
    ],
)
@pytest.mark.parametrize("index", ["", "f" * 64], ids=["in memory", "index on disk"])
def test_documents_are_told_as_added_removed_and_edited_with_what_to_do(now: dict[str, str], listed: str, index: str) -> None:
    accepted = baseline.load(ACCEPTED[0])
    questions = accepted.contents["questions"]
    before = replace(accepted, contents={**accepted.contents, "documents": {"a.md": "1", "b.md": "2", "c.md": "3"}})
    marks = {**accepted.fingerprints, "corpus": "0" * 64, **({"index": index} if index else {})}
    record = replace(
        baseline.as_record(accepted), fingerprints=marks, contents={"questions": questions, "documents": now, "evidence": {}}
    )
    assert contents(record, before) == [listed]
    said = of_golden_set(record, before)
    assert listed in said
    assert ("Sync it with the golden corpus" in said) is bool(index)
    assert said.startswith("the corpus changed") is not bool(index)


@pytest.mark.parametrize(
    ("field", "value", "counts"),
    [
        ("source", "/elsewhere/a.md", False),
        ("unit", "page", False),
        ("places", ((0, 3),), False),
        ("copy_of", "b.md", False),
        ("copies", ("b.md",), False),
        ("text", "Beta.", True),
        ("tenant", "acme", True),
        ("acl", ("staff",), True),
        ("valid_to", "2026-01-01", True),
        ("deleted_at", "2026-01-01", True),
        ("series", "s", True),
        ("metadata", {"a": 1}, True),
    ],
)
def test_a_document_is_another_when_it_says_something_else_wherever_its_bytes_came_from(
    field: str, value: object, counts: bool
) -> None:
    one = document("a.md", "Alpha.")
    assert (document_digest(one) != document_digest(replace(one, **{field: value}))) is counts  # type: ignore[arg-type]
